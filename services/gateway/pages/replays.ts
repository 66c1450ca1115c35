import { HttpError } from '@cadastre/service/errors';
import { problemsOf } from './api.ts';
import type { Answer, Page, Visit } from './page.ts';
import { type Listed, pager, pageQuery } from './pager.ts';

const path = '/api/extras/webhook-replays/';
const webhooks = '/api/extras/webhooks/';
const home = '/extras/webhook-replays/';

interface Replay {
  id: number;
  status: { value: string };
}
interface Webhook {
  id: number;
  name: string;
}

const underWay = ({ status: { value } }: Replay): boolean => value === 'pending' || value === 'running';
const done: Readonly<Record<string, string>> = {
  started: 'The replay was started.',
  cancelled: 'The replay was cancelled.',
};

async function listPage({ api, query, may }: Visit): Promise<Answer> {
  const webhook = query.get('webhook_id') ?? '';
  const asked: Record<string, string> = webhook === '' ? {} : { webhook_id: webhook };
  const [list, change] = await Promise.all([
    api.get<Listed<Replay>>(`${path}?${new URLSearchParams({ ...asked, ...pageQuery(query) })}`),
    may('change', 'extras.webhookreplay'),
  ]);
  return {
    view: 'replays',
    title: 'Replays',
    data: {
      replays: list.results.map((replay) => ({ ...replay, cancel: change && underWay(replay) })),
      pager: pager(list, home, query),
      done: done[query.get('done') ?? ''] ?? null,
      // How far they are is told by no event.
      poll: list.results.some(underWay),
    },
  };
}

/** A moment as a browser's field gives it: without a zone, which on these pages is UTC. */
export const momentIn = (given: string): string =>
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/.test(given)
    ? `${given.length === 10 ? `${given}T00:00` : given.replace(' ', 'T')}Z`
    : given;

const fields = ['since', 'until', 'object_types'] as const;

/** The form of a replay; `given` is what was in it, `problems` what was wrong with that. */
async function replayForm(
  { api, parts: [id] }: Visit,
  given: URLSearchParams,
  problems: Record<string, string> = {},
  status = 200,
): Promise<Answer> {
  const webhook = await api.get<Webhook>(`${webhooks}${id}/`);
  return {
    view: 'replay',
    title: `Replay for ${webhook.name}`,
    status,
    data: { webhook, problems, given: Object.fromEntries(fields.map((name) => [name, given.get(name) ?? ''])) },
  };
}

async function start(visit: Visit): Promise<Answer> {
  const {
    api,
    form,
    parts: [id],
  } = visit;
  const of = (name: (typeof fields)[number]) => (form.get(name) ?? '').trim();
  const types = of('object_types')
    .split(/[\s,]+/)
    .filter((type) => type !== '');
  try {
    await api.post(`${webhooks}${id}/replay/`, {
      ...(of('since') ? { since: momentIn(of('since')) } : {}),
      ...(of('until') ? { until: momentIn(of('until')) } : {}),
      ...(types.length > 0 ? { object_types: types } : {}),
    });
    return { to: `${home}?done=started` };
  } catch (error) {
    // 409: it has one under way already.
    if (error instanceof HttpError && (error.status === 400 || error.status === 409))
      return replayForm(visit, form, problemsOf(error), error.status);
    throw error;
  }
}

/** What happened once, sent to a webhook once more. */
export const replayPages: readonly Page[] = [
  { method: 'GET', path: home, answer: listPage },
  {
    method: 'GET',
    path: `${home}*/`,
    answer: async ({ parts: [id] }) => ({ to: `/core/background-tasks/?replay_id=${id}` }),
  },
  {
    method: 'POST',
    path: `${home}*/cancel/`,
    answer: async ({ api, parts: [id] }) => {
      await api.post(`${path}${id}/cancel/`);
      return { to: `${home}?done=cancelled` };
    },
  },
  { method: 'GET', path: '/extras/webhooks/*/replay/', answer: (visit) => replayForm(visit, visit.query) },
  { method: 'POST', path: '/extras/webhooks/*/replay/', answer: start },
];
