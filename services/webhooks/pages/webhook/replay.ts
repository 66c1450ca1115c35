import { html, type Html, nothing, type PanelView } from '@cadastre/pages';
import { type Problems, FINE, field, general, problemsOf, typesOf } from './forms.ts';

/** What a replay would send. */
interface Counted {
  events: number;
  deliveries: number;
  complete: boolean;
}

/** A moment as a browser's field gives it: without a zone, which on these forms is UTC. */
export const momentIn = (given: string): string =>
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/.test(given)
    ? `${given.length === 10 ? `${given}T00:00` : given.replace(' ', 'T')}Z`
    : given;

const number = (value: number): string => value.toLocaleString('en');

function countedText({ events, deliveries, complete }: Counted): string {
  if (!events) return 'Nothing has changed in this time, so nothing would be sent.';
  const many = `${complete ? '' : 'at least '}${number(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'}`;
  return `It would send ${many} for ${number(events)} ${events === 1 ? 'change' : 'changes'}${complete ? '' : ' that were counted; there are more'}.`;
}

/** The form of a replay; `given` is what was in it, `counted` what that would send. */
export async function replayForm(
  view: PanelView,
  given = view.query,
  problems: Problems = FINE,
  counted?: Counted,
): Promise<Html> {
  const { object, path, proof } = view;
  const types = await typesOf(view);
  const of = (name: string): string => given.get(name) ?? '';
  return html`<form class="panel narrow" method="post" action="${path}">${proof}<h2>Replay</h2><p>Sends again what this webhook’s enabled event rules send for the changes made within a time range. The requests go to <span class="code">${String(object['payload_url'])}</span>.</p>${general(problems)}${field({ name: 'since', label: 'From (UTC)' }, problems, (attributes) => html`<input${attributes} type="datetime-local" step="1" name="since" value="${of('since')}" required>`)}${field({ name: 'until', label: 'To (UTC)', help: 'Leave it empty for now.' }, problems, (attributes) => html`<input${attributes} type="datetime-local" step="1" name="until" value="${of('until')}">`)}${field({ name: 'object_types', label: 'Object types', help: types.length ? `Leave it empty for all: ${types.join(', ')}.` : 'Leave it empty for all.' }, problems, (attributes) => html`<input${attributes} name="object_types" value="${of('object_types')}" placeholder="dcim.site, dcim.device" spellcheck="false" autocapitalize="none">`)}${counted ? html`<p class="done" role="status">${countedText(counted)}</p>` : nothing}<div class="buttons">${counted?.deliveries ? html`<button type="submit" name="do" value="start" class="main">Send ${counted.complete ? '' : 'at least '}${number(counted.deliveries)}</button><button type="submit" name="do" value="count">Count again</button>` : html`<button type="submit" name="do" value="count" class="main">Count what it would send</button><button type="submit" name="do" value="start">Start without counting</button>`}</div></form>`;
}

/** Starts a replay, or says beforehand how much it would send. */
export async function replay(view: PanelView): Promise<string | Html> {
  const { api, object, given, pageFor } = view;
  const of = (name: string): string => (given.get(name) ?? '').trim();
  const types = of('object_types')
    .split(/[\s,]+/)
    .filter((type) => type !== '');
  const body = {
    ...(of('since') ? { since: momentIn(of('since')) } : {}),
    ...(of('until') ? { until: momentIn(of('until')) } : {}),
    ...(types.length ? { object_types: types } : {}),
  };
  const at = `/api/extras/webhooks/${object.id}/`;
  try {
    if (given.get('do') === 'count')
      return replayForm(view, given, FINE, (await api.ask<Counted>('POST', `${at}count-replay/`, { body })).body);
    const made = await api.ask<{ id: number }>('POST', `${at}replay/`, { body });
    return `${pageFor('extras.webhookreplay', made.body.id)}?_done=started`;
  } catch (error) {
    return replayForm(view, given, problemsOf(error));
  }
}
