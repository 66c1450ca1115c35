import type { Cell } from '@cadastre/model';
import { type ActionHandler, type ApiRequest, type ApiResponse, type Engine, type Executor, freeForm, notPermitted, type Operation, pageLink, pageOf, pageParameters, parseQuery, refuse, rowsOf } from '@cadastre/rest';

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };
const iso = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The queues of the reference; deliveries are all in the first. */
const QUEUES = ['default', 'high', 'low'];
/** This process, as it presents itself. */
const worker = { name: `webhooks-${process.pid}`, birth: new Date().toISOString() };

/** What the reference shows of its background work, to administrators as there: here it is the delivery of webhooks. */
export function background(engine: Engine): Record<string, ActionHandler> {
  const { pool } = engine;
  const lists = (path: string, items: (base: string) => Promise<object[]>) => reading(several(path), async (request) => {
    const all = await items(request.base), query = parseQuery(request.search, engine.settings), { limit } = query.page, offset = query.page.mode === 'offset' ? query.page.offset : 0;
    return page(request, query, all.length, all.slice(offset, limit ? offset + limit : undefined), `/api/core/${path}/`);
  });
  const named = (path: string, items: (base: string) => Promise<{ name: string }[]>) => reading(single(path), async ({ base }, id) => {
    const found = (await items(base)).find(({ name }) => name === id);
    if (!found) throw refuse(404, 'Not found.');
    return found;
  });
  const workers = (base: string) => workersOf(pool, base), queues = (base: string) => queuesOf(pool, base);
  return {
    'core/background-queues': lists('background-queues', queues), 'core/background-queues/*': named('background-queues', queues),
    'core/background-workers': lists('background-workers', workers), 'core/background-workers/*': named('background-workers', workers),
    'core/background-tasks': reading(several('background-tasks'), async (request) => {
      const query = parseQuery(request.search, engine.settings), { limit } = query.page, offset = query.page.mode === 'offset' ? query.page.offset : 0;
      const rows = await rowsOf(pool, { text: `select count(*) over (), ${TASK} from webhook_delivery d where status = 'pending' order by id limit $1 offset $2`, values: [limit || null, offset] });
      return page(request, query, Number(rows[0]?.[0] ?? 0), rows.map(([, ...cells]) => taskOf(cells, request.base)), '/api/core/background-tasks/');
    }),
    'core/background-tasks/*': reading(single('background-tasks'), async ({ base }, id) => {
      const [cells] = /^\d{1,18}$/.test(id ?? '') ? await rowsOf(pool, { text: `select ${TASK} from webhook_delivery d where id = $1`, values: [id] }) : [];
      if (!cells) throw refuse(404, 'Not found.');
      return taskOf(cells, base);
    }),
  };
}

const wordsOf = (path: string): string => path.replaceAll('-', ' ');
const several = (path: string): Operation => ({ summary: `List ${wordsOf(path)}`, parameters: pageParameters, answer: pageOf(freeForm) });
const single = (path: string): Operation => ({ summary: `Get one of the ${wordsOf(path)}`, answer: freeForm });

/** Administrators only. */
const reading = (operation: Operation, answer: (request: ApiRequest, id: string | null) => Promise<object>): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: { GET: operation },
  async handle(request, id): Promise<ApiResponse> {
    if (!request.who.grants.superuser) throw notPermitted(request.who);
    return { status: 200, headers: ALLOW, body: JSON.stringify(await answer(request, id)) };
  },
});

function page({ base }: ApiRequest, query: ReturnType<typeof parseQuery>, count: number, results: object[], path: string): object {
  const { limit } = query.page, offset = query.page.mode === 'offset' ? query.page.offset : 0;
  const link = (to: number) => pageLink(base + path, query.all, { limit: String(limit), offset: to > 0 ? String(to) : null });
  return { count, next: limit && offset + limit < count ? link(offset + limit) : null, previous: offset > 0 ? link(offset - limit) : null, results };
}

async function queuesOf(db: Executor, base: string) {
  const [row] = await rowsOf(db, {
    text: `select count(*) filter (where status = 'pending' and scheduled <= now()), coalesce(${iso("min(created) filter (where status = 'pending')")}, '-'), count(*) filter (where status = 'succeeded'),
      count(*) filter (where status = 'running'), count(*) filter (where status = 'failed'), count(*) filter (where status = 'pending' and scheduled > now()) from webhook_delivery`,
    values: [],
  });
  const [jobs, oldest, finished, started, failed, scheduled] = row!;
  return QUEUES.map((name, index) => {
    const own = (cell: Cell | undefined): number => (index === 0 ? Number(cell) : 0);
    return {
      name, url: `${base}/api/core/background-queues/${name}/`, jobs: own(jobs), oldest_job_timestamp: index === 0 ? oldest : '-', index, scheduler_pid: String(process.pid), workers: 1,
      finished_jobs: own(finished), started_jobs: own(started), deferred_jobs: 0, failed_jobs: own(failed), scheduled_jobs: own(scheduled),
    };
  });
}

async function workersOf(db: Executor, base: string) {
  const [row] = await rowsOf(db, {
    text: `select count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed'), coalesce(extract(epoch from sum(finished - started)), 0)::float8, count(*) filter (where status = 'running') from webhook_delivery where finished >= $1 or status = 'running'`,
    values: [worker.birth],
  });
  const [succeeded, failed, seconds, running] = row!;
  return [{
    name: worker.name, url: `${base}/api/core/background-workers/${worker.name}/`, state: Number(running) ? 'busy' : 'idle', birth_date: worker.birth, queue_names: QUEUES, pid: String(process.pid),
    successful_job_count: Number(succeeded), failed_job_count: Number(failed), total_working_time: Number(seconds),
  }];
}

const TASK = `d.id, d.event_type, d.object_type, d.object_id, d.status, d.scheduled > now(), ${['d.created', 'd.scheduled', 'd.started', 'd.finished'].map(iso).join(', ')}, d.webhook_id, d.rule_id`;

function taskOf([id, event, type, object, status, later, created, scheduled, started, finished, webhook, rule]: Cell[], base: string): object {
  const waits = status === 'pending' && later !== 't';
  return {
    id: id!, url: `${base}/api/core/background-tasks/${id}/`, description: `${type} ${object} ${event}`, origin: 'default', func_name: 'send_webhook', args: [],
    kwargs: { webhook: Number(webhook), event_rule: Number(rule), object_type: type, object_id: Number(object), event_type: event },
    result: null, timeout: null, result_ttl: null, created_at: created, enqueued_at: scheduled, started_at: started, ended_at: finished,
    worker_name: status === 'running' ? worker.name : null, position: null, meta: {}, last_heartbeat: null,
    is_finished: status === 'succeeded', is_queued: waits, is_failed: status === 'failed', is_started: status === 'running', is_deferred: false,
    is_canceled: status === 'cancelled', is_scheduled: status === 'pending' && later === 't', is_stopped: false,
  };
}
