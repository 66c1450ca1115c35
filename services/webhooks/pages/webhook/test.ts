import { html, type Html, nothing, type PanelView } from '@cadastre/pages';
import type { Said } from '../texts/de.ts';
import { put, say } from '../texts/say.ts';
import { type Problems, FINE, field, general, problemsOf, typesOf } from './forms.ts';

const EVENTS: readonly (readonly [value: string, text: Said])[] = [
  ['created', 'Created'],
  ['updated', 'Updated'],
  ['deleted', 'Deleted'],
];

/** The form of a test: about which object; `given` is what was in it. */
export async function testForm(view: PanelView, given = view.query, problems: Problems = FINE): Promise<Html> {
  const { object, path, csrfField, pageFor, typeLabel } = view;
  const types = await typesOf(view);
  const type = given.get('object_type') ?? types[0] ?? '';
  const id = idIn(given);
  const event = given.get('event') ?? 'updated';
  const finds = Object.fromEntries(
    [...new Set([...types, type])].flatMap((one) => {
      const page = pageFor(one);
      return page ? [[one, `${page}options/`]] : [];
    }),
  );
  const number = html`<input name="object_id" value="${id}" inputmode="numeric" aria-label="${say('Object ID')}">`;
  return html`<form class="panel narrow" method="post" action="${path}">${csrfField}<h2>${say('Test')}</h2><p>${put('Sends a sample request about an object, as it is now, to {address}.', { address: html`<span class="code">${String(object['payload_url'])}</span>` })}</p>${general(problems)}${field({ name: 'object_type', label: say('Object type') }, problems, (attributes) => html`<input${attributes} name="object_type" value="${type}" list="types" placeholder="dcim.site" spellcheck="false" autocapitalize="none" required><datalist id="types">${types.map((one) => html`<option value="${one}">${typeLabel(one)}</option>`)}</datalist>`)}${field(
    { name: 'object_id', label: say('Object') },
    problems,
    (attributes) =>
      Object.keys(finds).length
        ? html`<div class="picker" data-picker data-finds="${JSON.stringify(finds)}" data-type-field="object_type"><select${attributes} name="object_id"><option value="">${say('Choose …')}</option>${id ? html`<option value="${id}" selected>#${id}</option>` : nothing}</select><noscript>${number}</noscript></div>`
        : html`<input${attributes} name="object_id" value="${id}" inputmode="numeric" required>`,
  )}${field({ name: 'event', label: say('Event') }, problems, (attributes) => html`<select${attributes} name="event">${EVENTS.map(([one, text]) => html`<option value="${one}"${event === one ? html` selected` : nothing}>${say(text)}</option>`)}</select>`)}<div class="buttons"><button type="submit" class="main">${say('Send the test')}</button></div></form>`;
}

/** Without scripts the number stands beside an empty choice. */
const idIn = (given: URLSearchParams): string =>
  given
    .getAll('object_id')
    .map((one) => one.trim())
    .findLast((one) => one !== '') ?? '';

export async function sendTest(view: PanelView): Promise<string | Html> {
  const { api, object, submitted, pageFor } = view;
  const id = idIn(submitted);
  const body = {
    object_type: submitted.get('object_type')?.trim() ?? '',
    object_id: /^\d{1,15}$/.test(id) ? Number(id) : id,
    event: submitted.get('event') ?? '',
  };
  try {
    const made = await api.ask<{ id: number }>('POST', `/api/extras/webhooks/${object.id}/test/`, { body });
    return `${pageFor('extras.webhookdelivery', made.body.id)}?_done=tested`;
  } catch (error) {
    return testForm(view, submitted, problemsOf(error));
  }
}
