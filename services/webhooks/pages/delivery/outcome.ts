import { ago, html, type Html, listed, nothing, type PanelView, type Shown } from '@cadastre/pages';
import { put, say } from '../texts/say.ts';
import { adviceOn } from './advice.ts';
import { type Delivery, doneIn, eventText, LIST, live, objectOf } from './words.ts';

/** The most change records that are shown; a delivery covers all changes of its object in one request. */
const MOST_RECORDS = 5;

async function records({ api, pageOf }: PanelView, { request_id, object_type, object_id }: Delivery): Promise<Html> {
  if (!request_id) return nothing;
  const { results } = await listed(api, '/api/core/object-changes/', {
    request_id,
    changed_object_type: object_type,
    changed_object_id: object_id,
    brief: 'true',
    limit: MOST_RECORDS,
  });
  const links = results.flatMap((one: Shown) => {
    const page = pageOf(one.url);
    return page ? [html`<a href="${page}">${one.display}</a>`] : [];
  });
  return links.length
    ? html`<div><dt>${say('Change record')}</dt><dd>${links.map((link, i) => html`${i ? html`<br>` : nothing}${link}`)}</dd></div>`
    : nothing;
}

/** When, how often, where to and why, as far as it is known. */
function facts({ object, shown }: PanelView): Html {
  const of = (name: string): string | undefined => (object[name] ? String(object[name]) : undefined);
  const at = (name: string): Html | undefined => (object[name] ? ago(String(object[name])) : undefined);
  const requeues = Number(object['requeues']);
  const rows: readonly (readonly [label: string, value: Html | string | undefined])[] = [
    [say('Webhook'), object['webhook'] ? shown(object['webhook']) : say('deleted')],
    [say('Event rule'), object['rule'] ? shown(object['rule']) : undefined],
    [say('Replay'), object['replay'] ? shown(object['replay']) : undefined],
    [say('Request'), html`<span class="code">${of('method') ?? ''} ${of('request_url') ?? of('destination')}</span>`],
    [say('Response'), of('response_status')],
    [say('Attempts'), [of('attempts') ?? '0', ...(requeues ? [requeuedText(requeues)] : [])].join(', ')],
    [say('Requested by'), of('requested_by')],
    [say('Created'), at('created')],
    [say('Last started'), at('started')],
    [say('Finished'), at('finished')],
    [say('Cancelled by'), of('cancelled_by')],
    [say('Worker'), of('worker')],
  ];
  return html`${rows.flatMap(([label, value]) => (value === undefined ? [] : [html`<div><dt>${label}</dt><dd>${value}</dd></div>`]))}`;
}

const requeuedText = (times: number): string =>
  times === 1 ? say('requeued once') : say('requeued {count} times', { count: times });

/** What happened to a delivery, which change it is about, and what to do about a failure. */
export async function outcome(view: PanelView): Promise<Html> {
  const delivery = view.object as Delivery;
  const { status, kind, error, error_kind: at, response_status: answered, webhook, attempts, scheduled } = delivery;
  const [said, mayChange, mayTest] = await Promise.all([
    records(view, delivery),
    view.may('change', 'extras.webhook'),
    view.may('test', 'extras.webhook'),
  ]);
  const page = webhook && view.pageOf(webhook.url);
  const advice = error ? adviceOn(at, answered, error) : undefined;
  const test = new URLSearchParams({ object_type: delivery.object_type, object_id: String(delivery.object_id) });
  const links = [
    ...(page && mayChange && error ? [html`<a class="button" href="${page}edit/">${say('Edit the webhook')}</a>`] : []),
    ...(page && mayTest
      ? [html`<a class="button" href="${page}test/?${String(test)}">${say('Test the webhook')}</a>`]
      : []),
  ];
  const waits = status.value === 'pending' && attempts > 0;
  return html`${doneIn(view.query)}<div class="outcome" data-state="${status.value}" data-tail="${LIST}tail/?omit=payload&amp;id=${delivery.id}"><p class="lead">${view.shown(status)}${kind.value === 'event' ? nothing : html` <span class="badge" data-value="${kind.value}">${view.choiceLabel(kind.label)}</span>`} ${eventText(delivery.event_type)}: <span class="about-object">${objectOf(delivery, view)}</span></p>${waits ? html`<p>${put('Next attempt {when}.', { when: ago(scheduled) })}</p>` : nothing}${error ? html`<div class="alert"><p><strong>${at}</strong> ${error}</p>${advice ? html`<p class="advice">${advice}</p>` : nothing}</div>` : nothing}<dl class="facts">${facts(view)}${said}</dl><p class="buttons">${links}${live()}</p></div>`;
}
