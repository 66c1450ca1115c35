import { type Action, ago, type Cell, html, nothing, numberText, type Panel, type Shown } from '@cadastre/pages';
import { put, say } from './texts/say.ts';

const TYPE = 'extras.webhookreplay';
const path = '/api/extras/webhook-replays/';
const stateOf = ({ status }: Shown): string => (status as { value: string }).value;
const underWay = (replay: Shown): boolean => ['pending', 'running'].includes(stateOf(replay));

export const actions: readonly Action[] = [
  {
    on: TYPE,
    name: 'cancel',
    title: 'Cancel',
    may: 'change',
    has: underWay,
    async post({ api, object, pageFor }) {
      await api.ask('POST', `${path}${object.id}/cancel/`, { body: {} });
      return pageFor(TYPE, object.id)!;
    },
  },
];

export const cells: readonly Cell[] = [
  {
    on: TYPE,
    name: 'deliveries',
    render: ({ id, deliveries }, { pageFor }) =>
      html`<a href="${pageFor('extras.webhookdelivery')}?replay_id=${id}">${numberText(Number(deliveries))}</a>`,
  },
  { on: TYPE, name: 'created', title: 'Started', render: ({ created }) => ago(String(created)) },
];

/** How far a replay is, and the way to what it sent. */
const progress: Panel = {
  on: TYPE,
  as: 'panel',
  place: 'above',
  name: 'progress',
  title: 'Progress',
  shows: ['status', 'events', 'deliveries', 'error'],
  async render({ object, shown, pageFor, query }) {
    const { events, deliveries, error, id } = object;
    const sent = html`<a href="${pageFor('extras.webhookdelivery')}?replay_id=${id}">${say('{count} deliveries', { count: numberText(Number(deliveries)) })}</a>`;
    const started = query.get('_done') === 'started';
    return html`${started ? html`<p class="done" role="status">${say('The replay was started.')}</p>` : nothing}<div class="outcome" data-state="${stateOf(object)}"${underWay(object) ? html` data-poll` : nothing}><p class="lead">${shown(object['status'] ?? null)} ${put('{deliveries} for {count} changes', { deliveries: sent, count: numberText(Number(events)) })}</p>${error ? html`<p class="alert">${String(error)}</p>` : nothing}</div>`;
  },
};

export const panels: readonly Panel[] = [progress];
