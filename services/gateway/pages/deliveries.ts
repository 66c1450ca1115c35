import { HttpError } from '@cadastre/service/errors';
import { errorKinds } from '../../webhooks/models/webhookDelivery.ts';
import type { Api } from './api.ts';
import type { Page, Visit } from './page.ts';
import { type Listed, pager, pageQuery } from './pager.ts';
import { actionsOn, notOneOf, statuses, statusNamed } from './statuses.ts';

const path = '/api/extras/webhook-deliveries/';
const type = 'extras.webhookdelivery';
export const home = '/core/background-tasks/';

interface Delivery {
  id: number;
  status: { value: string };
  webhook: { id: number } | null;
  object_type: string;
  object_id: number;
  attempt_log?: Attempt[];
}
interface Attempt {
  number: number;
}

/** What the list can be narrowed by: fields of the form, under the names of the API's filters. */
const filters = ['q', 'webhook_id', 'object_type', 'object_id', 'response_status', 'error_kind', 'replay_id'] as const;

/**
 * The filters that a query or a form names. @throws HttpError 400 for a word that there is not, of which the API finds
 * nothing; what else is wrong it says
 */
function filtersIn(given: URLSearchParams, types: ReadonlySet<string>): [string, string][] {
  const kind = given.get('error_kind')?.trim();
  const type = given.get('object_type')?.trim();
  if (kind && !(errorKinds as readonly string[]).includes(kind)) throw notOneOf('error_kind', kind, errorKinds);
  if (type && !types.has(type.toLowerCase()))
    throw new HttpError(400, { object_type: [`"${type}" is not a type of object. One is written like dcim.site.`] });
  return filters.flatMap((name): [string, string][] => {
    const value = given.get(name)?.trim();
    return value ? [[name, value]] : [];
  });
}

/**
 * How many there are of each status. Administrators are told by the queue itself, which is quick; others count what
 * they may see.
 */
async function counts(api: Api, superuser: boolean): Promise<Record<string, number>> {
  const queue = superuser
    ? (await api.get<Listed<Record<string, number>>>('/api/core/background-queues/?limit=1')).results[0]
    : undefined;
  return Object.fromEntries(
    await Promise.all(
      statuses.map(
        async ({ name, counted }) =>
          [
            name,
            queue && counted
              ? counted(queue)
              : (
                  await api.get<Listed<unknown>>(
                    `${path}?${new URLSearchParams({ status: name, fields: 'id', limit: '1' })}`,
                  )
                ).count,
          ] as const,
      ),
    ),
  );
}

async function listPage({ api, query, user, may, types }: Visit) {
  // Links from before say `state`.
  const status = statusNamed(query.get('status') ?? query.get('state'));
  const narrowed = filtersIn(query, types);
  const asked = { ...Object.fromEntries(narrowed), ...(status ? { status: status.name } : {}) };
  const [list, counted, change, hooks] = await Promise.all([
    api.get<Listed<Delivery>>(`${path}?${new URLSearchParams({ ...asked, omit: 'payload', ...pageQuery(query) })}`),
    counts(api, user.superuser),
    may('change', type),
    webhooksSeen(api, may),
  ]);
  return {
    view: 'tasks',
    title: 'Background tasks',
    data: {
      statuses,
      counted,
      status,
      hooks,
      errorKinds: errorKinds.toSorted(),
      filtered: Object.fromEntries(narrowed),
      done: doneIn(query),
      several: change && status?.several ? status.several : null,
      deliveries: list.results.map((delivery) => ({
        ...delivery,
        actions: change ? actionsOn(delivery.status.value) : [],
      })),
      pager: pager(list, home, query),
      tail: `${path}tail/?omit=payload`,
    },
  };
}

/** Those to choose from, as far as somebody may see them. */
async function webhooksSeen(api: Api, may: Visit['may']): Promise<unknown[]> {
  return (await may('view', 'extras.webhook'))
    ? (await api.get<Listed<unknown>>('/api/extras/webhooks/?brief=true&limit=200')).results
    : [];
}

async function onePage({ api, parts: [id], query, may }: Visit) {
  const delivery = await api.get<Delivery>(`${path}${id}/`);
  const [change, test] = await Promise.all([may('change', type), may('test', 'extras.webhook')]);
  return {
    view: 'delivery',
    title: `Delivery ${id}`,
    data: {
      delivery,
      attempts: (delivery.attempt_log ?? []).toReversed(),
      actions: change ? actionsOn(delivery.status.value) : [],
      done: doneIn(query),
      tail: `${path}tail/?omit=payload&id=${id}`,
      testing:
        test && delivery.webhook
          ? `/extras/webhooks/${delivery.webhook.id}/test/?${new URLSearchParams({ object_type: delivery.object_type, object_id: String(delivery.object_id) })}`
          : null,
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
  if (number !== undefined)
    return `${Number(number).toLocaleString('en')} ${number === '1' ? 'delivery' : 'deliveries'} ${what}.${more ? ' There are more; repeat it for those.' : ''}`;
  return what === 'tested' ? 'The test is on its way.' : `The delivery was ${what}.`;
}

const steerOne = (action: Action): Page => ({
  method: 'POST',
  path: `/extras/webhook-deliveries/*/${action}/`,
  async answer({ api, parts: [id], form }) {
    await api.post(`${path}${id}/${action}/`);
    // From the list one goes back to the list.
    const back = backTo(form.get('back'));
    return { to: back ? withDone(back, past[action]) : `/extras/webhook-deliveries/${id}/?done=${past[action]}` };
  },
});

const steerMany = (action: Action): Page => ({
  method: 'POST',
  path: `${home}${action}/`,
  async answer({ api, form, types }) {
    const status = statusNamed(form.get('status'));
    const narrowed = filtersIn(form, types);
    const asked = new URLSearchParams([
      ...narrowed,
      ...(status?.several === action ? [['status', status.name] as [string, string]] : []),
    ]);
    const answer = await api.post<Record<string, unknown>>(`${path}${action}/?${asked}`);
    const back = new URLSearchParams({ ...(status ? { status: status.name } : {}), ...Object.fromEntries(narrowed) });
    return {
      to: withDone(
        `${home}?${back}`,
        `${past[action]}-${Number(answer[past[action]])}${answer['more'] ? '-more' : ''}`,
      ),
    };
  },
});

/** The list, with whatever it was narrowed by. */
const backTo = (given: string | null): string | null =>
  given !== null && /^\/core\/background-tasks\/(\?[\x21-\x7e]*)?$/.test(given) ? given : null;

function withDone(address: string, done: string): string {
  const [at, search = ''] = address.split('?');
  const query = new URLSearchParams(search);
  query.set('done', done);
  return `${at}?${query}`;
}

/** The queue, one delivery, and what can be done with them. */
export const deliveryPages: readonly Page[] = [
  { method: 'GET', path: home, answer: listPage },
  { method: 'GET', path: '/extras/webhook-deliveries/*/', answer: onePage },
  { method: 'GET', path: '/extras/webhook-deliveries/', answer: async () => ({ to: home }) },
  {
    method: 'GET',
    path: '/core/background-workers/',
    answer: async ({ api }) => ({
      view: 'workers',
      title: 'Workers',
      data: {
        workers: (await api.get<Listed<unknown>>('/api/core/background-workers/?limit=200')).results,
        tail: '/api/extras/webhook-deliveries/tail/?omit=payload',
      },
    }),
  },
  ...(['requeue', 'cancel'] as const).flatMap((action) => [steerOne(action), steerMany(action)]),
];
