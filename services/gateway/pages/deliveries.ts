import type { Api } from './api.ts';
import type { Page, Visit } from './page.ts';
import { type Listed, pager, pageQuery } from './pager.ts';
import { actionsOn, type State, stateNamed, states } from './states.ts';

const path = '/api/extras/webhook-deliveries/';
const type = 'extras.webhookdelivery';
export const home = '/core/background-tasks/';

interface Delivery { id: number; status: { value: string }; webhook: { id: number } | null; object_type: string; object_id: number; attempt_log?: Attempt[] }
interface Attempt { number: number }

/** What the list can be narrowed by: fields of the form, under the names of the API's filters. */
const filters = ['q', 'webhook_id', 'object_type', 'object_id', 'response_status', 'error_kind', 'replay_id'] as const;

/** The filters that a query or a form names. */
const filtersIn = (given: URLSearchParams): [string, string][] => filters.flatMap((name): [string, string][] => { const value = given.get(name)?.trim(); return value ? [[name, value]] : []; });

const now = (): string => new Date().toISOString();

/** How many there are of each state. Administrators are told by the queue itself, which is quick; others count what they may see. */
async function counts(api: Api, superuser: boolean): Promise<Record<string, number>> {
  const queue = superuser ? (await api.get<Listed<Record<string, number>>>('/api/core/background-queues/?limit=1')).results[0] : undefined;
  return Object.fromEntries(await Promise.all(states.map(async ({ name, counted, filters: of }) => [
    name, queue && counted ? queue[counted] ?? 0 : (await api.get<Listed<unknown>>(`${path}?${new URLSearchParams({ ...of(now()), fields: 'id', limit: '1' })}`)).count,
  ] as const)));
}

async function listPage({ api, query, user, may }: Visit) {
  const state = stateNamed(query.get('state')), narrowed = filtersIn(query), asked = { ...Object.fromEntries(narrowed), ...state?.filters(now()) };
  const [list, counted, change, hooks] = await Promise.all([
    api.get<Listed<Delivery>>(`${path}?${new URLSearchParams({ ...asked, omit: 'payload', ...pageQuery(query) })}`), counts(api, user.superuser), may('change', type), webhooksSeen(api, may),
  ]);
  return {
    view: 'tasks', title: 'Background Tasks',
    data: {
      states, counted, state, hooks, filtered: Object.fromEntries(narrowed), done: doneIn(query), several: change && state?.several ? state.several : null,
      deliveries: list.results.map((delivery) => ({ ...delivery, actions: change ? actionsOn(delivery.status.value) : [] })), pager: pager(list, home, query),
      tail: `${path}tail/?omit=payload`,
    },
  };
}

/** Those to choose from, as far as somebody may see them. */
async function webhooksSeen(api: Api, may: Visit['may']): Promise<unknown[]> {
  return (await may('view', 'extras.webhook')) ? (await api.get<Listed<unknown>>('/api/extras/webhooks/?brief=true&limit=200')).results : [];
}

async function onePage({ api, parts: [id], query, may }: Visit) {
  const delivery = await api.get<Delivery>(`${path}${id}/`);
  const [change, test] = await Promise.all([may('change', type), may('test', 'extras.webhook')]);
  return {
    view: 'delivery', title: `Delivery ${id}`,
    data: {
      delivery, attempts: (delivery.attempt_log ?? []).toReversed(), actions: change ? actionsOn(delivery.status.value) : [], done: doneIn(query), tail: `${path}tail/?omit=payload&id=${id}`,
      testing: test && delivery.webhook ? `/extras/webhooks/${delivery.webhook.id}/test/?${new URLSearchParams({ object_type: delivery.object_type, object_id: String(delivery.object_id) })}` : null,
    },
  };
}

type Action = 'requeue' | 'cancel';
const past: Record<Action, string> = { requeue: 'requeued', cancel: 'cancelled' };

/** What was done before this page was shown: a word and a number, nothing that an address could smuggle in. */
function doneIn(query: URLSearchParams): string | null {
  const said = /^(requeued|cancelled|tested)(?:-(\d{1,9})(-more)?)?$/.exec(query.get('done') ?? '');
  if (!said) return null;
  const [, what, number, more] = said;
  if (number !== undefined) return `${Number(number).toLocaleString('en')} ${number === '1' ? 'delivery' : 'deliveries'} ${what}.${more ? ' There are more; repeat it for those.' : ''}`;
  return what === 'tested' ? 'The test is on its way.' : `The delivery was ${what}.`;
}

const steerOne = (action: Action): Page => ({
  method: 'POST', path: `/extras/webhook-deliveries/*/${action}/`,
  async answer({ api, parts: [id], form }) {
    await api.post(`${path}${id}/${action}/`);
    // From the list one goes back to the list.
    const back = backTo(form.get('back'));
    return { to: back ? withDone(back, past[action]) : `/extras/webhook-deliveries/${id}/?done=${past[action]}` };
  },
});

const steerMany = (action: Action): Page => ({
  method: 'POST', path: `${home}${action}/`,
  async answer({ api, form }) {
    const state: State | undefined = stateNamed(form.get('state'));
    const asked = new URLSearchParams([...filtersIn(form), ...Object.entries(state?.several === action ? state.filters(now()) : {})]);
    const answer = await api.post<Record<string, unknown>>(`${path}${action}/?${asked}`);
    const back = new URLSearchParams({ ...(state ? { state: state.name } : {}), ...Object.fromEntries(filtersIn(form)) });
    return { to: withDone(`${home}?${back}`, `${past[action]}-${Number(answer[past[action]])}${answer['more'] ? '-more' : ''}`) };
  },
});

/** The list, with whatever it was narrowed by. */
const backTo = (given: string | null): string | null => (given !== null && /^\/core\/background-tasks\/(\?[\x21-\x7e]*)?$/.test(given) ? given : null);

function withDone(address: string, done: string): string {
  const [at, search = ''] = address.split('?'), query = new URLSearchParams(search);
  query.set('done', done);
  return `${at}?${query}`;
}

/** The queue, one delivery, and what can be done with them. */
export const deliveryPages: readonly Page[] = [
  { method: 'GET', path: home, answer: listPage },
  { method: 'GET', path: '/extras/webhook-deliveries/*/', answer: onePage },
  { method: 'GET', path: '/extras/webhook-deliveries/', answer: async () => ({ to: home }) },
  {
    method: 'GET', path: '/core/background-workers/',
    answer: async ({ api }) => ({ view: 'workers', title: 'Workers', data: { workers: (await api.get<Listed<unknown>>('/api/core/background-workers/?limit=200')).results, tail: '/api/extras/webhook-deliveries/tail/?omit=payload' } }),
  },
  ...(['requeue', 'cancel'] as const).flatMap((action) => [steerOne(action), steerMany(action)]),
];
