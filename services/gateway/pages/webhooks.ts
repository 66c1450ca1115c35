import { HttpError } from '@cadastre/service/errors';
import { problemsOf } from './api.ts';
import type { Answer, Page, Visit } from './page.ts';
import { type Listed, pager, pageQuery } from './pager.ts';

const path = '/api/extras/webhooks/';
const home = '/extras/webhooks/';

interface Webhook {
  id: number;
  name: string;
}
interface Rule {
  object_types: string[];
}

async function listPage({ api, query, may }: Visit): Promise<Answer> {
  const [list, testing, replaying] = await Promise.all([
    api.get<Listed<Webhook>>(`${path}?${new URLSearchParams(pageQuery(query))}`),
    may('test', 'extras.webhook'),
    may('replay', 'extras.webhook'),
  ]);
  return {
    view: 'webhooks',
    title: 'Webhooks',
    data: { webhooks: list.results, pager: pager(list, home, query), testing, replaying },
  };
}

/** The form of a test; `given` is what was in it, `problems` what was wrong with that. */
async function testForm(
  { api, parts: [id], may }: Visit,
  given: URLSearchParams,
  problems: Record<string, string> = {},
  status = 200,
): Promise<Answer> {
  const webhook = await api.get<Webhook>(`${path}${id}/`);
  const rules = (await may('view', 'extras.eventrule'))
    ? (
        await api.get<Listed<Rule>>(
          `/api/extras/event-rules/?${new URLSearchParams({ action_object_type: 'extras.webhook', action_object_id: webhook.id.toString(), fields: 'object_types', limit: '50' })}`,
        )
      ).results
    : [];
  const types = [...new Set(rules.flatMap((rule) => rule.object_types))].sort();
  return {
    view: 'test',
    title: `Test ${webhook.name}`,
    status,
    data: {
      webhook,
      types,
      problems,
      given: {
        object_type: given.get('object_type') ?? types[0] ?? '',
        object_id: given.get('object_id') ?? '',
        event: given.get('event') ?? 'updated',
      },
    },
  };
}

async function sendTest(visit: Visit): Promise<Answer> {
  const {
    api,
    form,
    parts: [id],
  } = visit;
  const number = form.get('object_id')?.trim() ?? '';
  const body = {
    object_type: form.get('object_type')?.trim() ?? '',
    object_id: /^\d{1,15}$/.test(number) ? Number(number) : number,
    event: form.get('event') ?? '',
  };
  try {
    const made = await api.post<{ id: number }>(`${path}${id}/test/`, body);
    return { to: `/extras/webhook-deliveries/${made.id}/?done=tested` };
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return testForm(visit, form, problemsOf(error), 400);
    throw error;
  }
}

/** Webhooks, to try them out; they are made and changed by the API. */
export const webhookPages: readonly Page[] = [
  { method: 'GET', path: home, answer: listPage },
  {
    method: 'GET',
    path: `${home}*/`,
    answer: async ({ parts: [id] }) => ({ to: `/core/background-tasks/?webhook_id=${id}` }),
  },
  { method: 'GET', path: `${home}*/test/`, answer: (visit) => testForm(visit, visit.query) },
  { method: 'POST', path: `${home}*/test/`, answer: sendTest },
];
