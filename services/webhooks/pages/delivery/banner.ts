import { type Api, html, type Html, type Listed, nothing, numberText, type PageView } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { errorKinds } from '../../models/webhookDelivery.ts';
import type { Said } from '../texts/de.ts';
import { put, say } from '../texts/say.ts';
import { doneIn, LIST, live, ORDERS, STATES, TYPE } from './words.ts';

/** The number of deliveries in a state, from the fast answer about queues; cancelled ones are not included there. */
const QUEUED: Readonly<Record<string, (queue: Readonly<Record<string, number>>) => number>> = {
  pending: ({ jobs = 0, scheduled_jobs = 0 }) => jobs + scheduled_jobs,
  running: ({ started_jobs = 0 }) => started_jobs,
  succeeded: ({ finished_jobs = 0 }) => finished_jobs,
  failed: ({ failed_jobs = 0 }) => failed_jobs,
};

/** Whether a parameter filters the list, unlike those that only arrange it. */
const isFilter = (name: string): boolean =>
  !/^(_|find\.)/.test(name) &&
  !['limit', 'offset', 'ordering', 'sort', 'columns', 'per_page', 'page', 'tableconfig_id'].includes(name);

/** @throws HttpError 400 for an unknown value, for which the API would just find nothing */
function refuseUnknown({ query, typeLabel }: Pick<PageView, 'query' | 'typeLabel'>): void {
  const known: readonly [string, readonly string[]][] = [
    ['status', STATES.map(({ value }) => value)],
    ['error_kind', errorKinds],
  ];
  for (const [name, words] of known)
    for (const value of query.getAll(name))
      if (value !== '' && !words.includes(value))
        throw new HttpError(400, {
          [name]: [say('“{value}” is none of them: {words}.', { value, words: words.join(', ') })],
        });
  for (const type of query.getAll('object_type'))
    if (type !== '' && typeLabel(type) === type)
      throw new HttpError(400, {
        object_type: [say('“{type}” is no type of objects. One is written like dcim.site.', { type })],
      });
}

async function counts(api: Api, others: URLSearchParams): Promise<Record<string, number>> {
  const queue = others.size ? undefined : await queueOf(api);
  const all = await Promise.all(
    STATES.map(async ({ value }): Promise<[string, number]> => {
      const counted = QUEUED[value];
      if (queue && counted) return [value, counted(queue)];
      const asked = new URLSearchParams([...others, ['status', value], ['fields', 'id'], ['limit', '1']]);
      return [value, (await api.get<Listed>(`${LIST}?${asked}`)).count];
    }),
  );
  return Object.fromEntries(all);
}

/** The counts of the queue, for administrators; for other users, what they may see is counted instead. */
async function queueOf(api: Api): Promise<Record<string, number> | undefined> {
  try {
    const { results } = await api.get<Listed<Record<string, number>>>('/api/core/background-queues/?limit=1');
    return results[0];
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return undefined;
    throw error;
  }
}

const RANGES: readonly (readonly [label: Said, hours: number])[] = [
  ['last hour', 1],
  ['last day', 24],
  ['last week', 168],
];

/** The same list, of a time range up to now. */
function ranges(home: string, query: URLSearchParams, now: number): Html {
  const kept = [...query].filter(([name]) => isFilter(name) && !name.startsWith('created'));
  const since = Date.parse(query.get('created__gte') ?? '');
  const href = (hours?: number): string => {
    const from = hours && new Date(now - hours * 3_600_000).toISOString().replace(/:\d\d\.\d{3}Z$/, ':00Z');
    const next = new URLSearchParams(from ? [...kept, ['created__gte', from]] : kept);
    return next.size ? `${home}?${next}` : home;
  };
  const here = RANGES.find(([, hours]) => Math.abs((now - since) / 3_600_000 - hours) < hours / 10)?.[0];
  return html`<nav class="ranges" aria-label="${say('Created')}">${RANGES.map(([label, hours]) => html`<a href="${href(hours)}"${here === label ? html` aria-current="true"` : nothing}>${say(label)}</a>`)}<a href="${href()}"${query.has('created__gte') ? nothing : html` aria-current="true"`}>${say('any time')}</a></nav>`;
}

/** What stands above the list of deliveries: how many there are in each state of those that the filters select. */
export async function banner(view: PageView): Promise<Html> {
  const { api, query, csrfField, may, pageFor } = view;
  refuseUnknown(view);
  const home = pageFor(TYPE)!;
  const others = new URLSearchParams(
    [...query].filter(([name, value]) => isFilter(name) && name !== 'status' && value !== ''),
  );
  const [counted, change] = await Promise.all([counts(api, others), may('change', TYPE)]);
  const states = query.getAll('status').filter((value) => value !== '');
  const state = states.length === 1 ? STATES.find(({ value }) => value === states[0]) : undefined;
  const tiles = STATES.map(({ value, label }) => {
    const here = states.includes(value);
    const next = new URLSearchParams(here ? others : [...others, ['status', value]]);
    return html`<li><a class="tile" data-state="${value}" href="${next.size ? `${home}?${next}` : home}"${here ? html` aria-current="true"` : nothing} data-key="${value}"><strong>${numberText(counted[value]!)}</strong> ${view.choiceLabel(label)}</a></li>`;
  });
  const isEmpty = !others.size && !states.length && Object.values(counted).every((count) => !count);
  return html`${doneIn(query)}${isEmpty ? howToBegin(view) : nothing}<div class="tasks" data-tail="${LIST}tail/?omit=payload"><ul class="tiles" aria-label="${say('Deliveries by state')}">${tiles}</ul><div class="tasks-bar"><h2>${state ? say('{state} deliveries', { state: view.choiceLabel(state.label) }) : states.length ? say('Deliveries') : say('All deliveries')}</h2>${ranges(home, query, Date.now())}${live()}${state && change ? wholeState(home, state.value, counted[state.value]!, others, csrfField) : nothing}</div></div>`;
}

/** The steps that are needed before anything is delivered. */
function howToBegin({ pageFor }: Pick<PageView, 'pageFor'>): Html {
  const link = (type: string, text: string): Html => {
    const page = pageFor(type);
    return page ? html`<a href="${page}">${text}</a>` : html`${text}`;
  };
  return html`<p>${put('Nothing has been sent so far: {rules} say which changes are sent by which {webhooks}.', {
    rules: link('extras.eventrule', say('event rules')),
    webhooks: link('extras.webhook', say('webhook')),
  })}</p>`;
}

/** One button for all that are in a state, as far as the filters select them. */
function wholeState(home: string, state: string, count: number, others: URLSearchParams, csrfField: Html): Html {
  const order = state === 'failed' || state === 'cancelled' ? 'requeue' : state === 'succeeded' ? undefined : 'cancel';
  if (!order || !count) return nothing;
  const text = say(ORDERS[order].all, { count: numberText(count) });
  const query = new URLSearchParams([...others, ['status', state]]);
  return html`<form method="post" action="${home}${order}/?${String(query)}">${csrfField}<input type="hidden" name="_all" value="1"><button type="submit" data-confirm="${text}?">${text}</button></form>`;
}
