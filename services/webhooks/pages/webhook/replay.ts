import { html, type Html, nothing, numberText, type PanelView } from '@cadastre/pages';
import { put, say } from '../texts/say.ts';
import { type Problems, FINE, field, general, problemsOf, typesOf } from './forms.ts';

/** What a replay would send. */
interface Counted {
  events: number;
  deliveries: number;
  complete: boolean;
}

function countedText({ events, deliveries, complete }: Counted): string {
  if (!events) return say('Nothing has changed in this time, so nothing would be sent.');
  const counts = {
    deliveries: deliveries === 1 ? say('1 delivery') : say('{count} deliveries', { count: numberText(deliveries) }),
    changes: events === 1 ? say('1 change') : say('{count} changes', { count: numberText(events) }),
  };
  return complete
    ? say('It would send {deliveries} for {changes}.', counts)
    : say('It would send at least {deliveries} for {changes} that were counted; there are more.', counts);
}

/** The form of a replay; `given` is what was in it, `counted` what that would send. */
export async function replayForm(
  view: PanelView,
  given = view.query,
  problems: Problems = FINE,
  counted?: Counted,
): Promise<Html> {
  const { object, path, csrfField, times } = view;
  const types = await typesOf(view);
  const of = (name: string): string => given.get(name) ?? '';
  const moment = (name: string, label: string, help?: string): Html =>
    field(
      { name, label, ...(help ? { help } : {}) },
      problems,
      (attributes) =>
        html`<span class="in-zone"><input${attributes} type="datetime-local" step="1" name="${name}" value="${of(name)}"${help ? nothing : html` required`}> ${times.named(`${name}-zone`)}</span>`,
    );
  const address = html`<span class="code">${String(object['payload_url'])}</span>`;
  const all = say('Leave it empty for all.');
  const some = say('Leave it empty for all: {types}.', { types: types.join(', ') });
  return html`<form class="panel narrow" method="post" action="${path}">${csrfField}${times.field}<h2>${say('Replay')}</h2><p>${put('Sends again what this webhook’s enabled event rules send for the changes made within a time range. The requests go to {address}.', { address })}</p>${general(problems)}${moment('since', say('From'))}${moment('until', say('To'), say('Leave it empty for now.'))}${field({ name: 'object_types', label: say('Object types'), help: types.length ? some : all }, problems, (attributes) => html`<input${attributes} name="object_types" value="${of('object_types')}" placeholder="dcim.site, dcim.device" spellcheck="false" autocapitalize="none">`)}${counted ? html`<p class="done" role="status">${countedText(counted)}</p>` : nothing}<div class="buttons">${counted?.deliveries ? html`<button type="submit" name="do" value="start" class="main">${sendText(counted)}</button><button type="submit" name="do" value="count">${say('Count again')}</button>` : html`<button type="submit" name="do" value="count" class="main">${say('Count what it would send')}</button><button type="submit" name="do" value="start">${say('Start without counting')}</button>`}</div></form>`;
}

const sendText = ({ deliveries, complete }: Counted): string =>
  complete
    ? say('Send {count}', { count: numberText(deliveries) })
    : say('Send at least {count}', { count: numberText(deliveries) });

/** Starts a replay, or says beforehand how much it would send. */
export async function replay(view: PanelView): Promise<string | Html> {
  const { api, object, submitted, pageFor, times } = view;
  const of = (name: string): string => (submitted.get(name) ?? '').trim();
  const types = of('object_types')
    .split(/[\s,]+/)
    .filter((type) => type !== '');
  const body = {
    ...(of('since') ? { since: times.instant(of('since')) } : {}),
    ...(of('until') ? { until: times.instant(of('until')) } : {}),
    ...(types.length ? { object_types: types } : {}),
  };
  const at = `/api/extras/webhooks/${object.id}/`;
  try {
    if (submitted.get('do') === 'count')
      return replayForm(view, submitted, FINE, (await api.ask<Counted>('POST', `${at}count-replay/`, { body })).body);
    const made = await api.ask<{ id: number }>('POST', `${at}replay/`, { body });
    return `${pageFor('extras.webhookreplay', made.body.id)}?_done=started`;
  } catch (error) {
    return replayForm(view, submitted, problemsOf(error));
  }
}
