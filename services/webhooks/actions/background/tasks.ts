import { type Cell, isoSql } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  type Engine,
  freeForm,
  invalid,
  parameter,
  parseQuery,
  recordOf,
  refuse,
  rowsOf,
} from '@cadastre/rest';
import { type BulkAction, removeDelivery, bulkAction } from '../../queue/bulkAction.ts';
import { posting } from '../posting.ts';
import { administratorsOnly, pageAsked, pageBody, reading, several, single } from './reading.ts';

/** The states of a task as the reference calls them. */
const STATES: Record<string, string> = {
  queued: `status = 'pending' and scheduled <= now()`,
  scheduled: `status = 'pending' and scheduled > now()`,
  started: `status = 'running'`,
  finished: `status = 'succeeded'`,
  failed: `status in ('failed', 'cancelled') and status = 'failed'`,
  canceled: `status in ('failed', 'cancelled') and status = 'cancelled'`,
};

const COLUMNS = `d.id, d.event_type, d.object_type, d.object_id, d.status, d.scheduled > now(), ${['d.created', 'd.scheduled', 'd.started', 'd.finished'].map(isoSql).join(', ')}, d.webhook_id, d.rule_id, d.worker, d.error, d.error_kind, d.response_status, d.attempts`;

const number = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell));

function taskOf(
  [
    id,
    event,
    type,
    object,
    status,
    later,
    created,
    scheduled,
    started,
    finished,
    webhook,
    rule,
    worker,
    error,
    kind,
    answered,
    attempts,
  ]: Cell[],
  base: string,
): object {
  const waits = status === 'pending' && later !== 't';
  return {
    id: id!,
    url: `${base}/api/core/background-tasks/${id}/`,
    description: `${type} ${object} ${event}`,
    origin: 'default',
    func_name: 'send_webhook',
    args: [],
    kwargs: {
      webhook: Number(webhook),
      event_rule: number(rule),
      object_type: type,
      object_id: Number(object),
      event_type: event,
    },
    result: null,
    timeout: null,
    result_ttl: null,
    created_at: created,
    enqueued_at: scheduled,
    started_at: started,
    ended_at: finished,
    worker_name: worker,
    position: null,
    meta: {
      delivery: `${base}/api/extras/webhook-deliveries/${id}/`,
      attempts: Number(attempts),
      response_status: number(answered),
      error_kind: kind,
      error,
    },
    last_heartbeat: null,
    is_finished: status === 'succeeded',
    is_queued: waits,
    is_failed: status === 'failed',
    is_started: status === 'running',
    is_deferred: false,
    is_canceled: status === 'cancelled' && started === null,
    is_scheduled: status === 'pending' && later === 't',
    is_stopped: status === 'cancelled' && started !== null,
  };
}

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };
const time = { type: ['string', 'null'], format: 'date-time' };
const none = { type: 'null' };
const truth = { type: 'boolean' };

/** A task in responses. */
const TASK = recordOf({
  id: text,
  url: { type: 'string', format: 'uri' },
  description: text,
  origin: text,
  func_name: text,
  args: { type: 'array', items: {} },
  kwargs: freeForm,
  result: none,
  timeout: none,
  result_ttl: none,
  created_at: time,
  enqueued_at: time,
  started_at: time,
  ended_at: time,
  worker_name: maybe,
  position: none,
  meta: freeForm,
  last_heartbeat: none,
  is_finished: truth,
  is_queued: truth,
  is_failed: truth,
  is_started: truth,
  is_deferred: truth,
  is_canceled: truth,
  is_scheduled: truth,
  is_stopped: truth,
});
const LIST = several('background-tasks', TASK);

/** The list of what waits, as in the reference; `?status=` names other states. */
export const tasks = (engine: Engine): Record<string, ActionHandler> => ({
  'core/background-tasks': reading(
    {
      ...LIST,
      parameters: [
        ...LIST.parameters!,
        parameter(
          'status',
          { type: 'array', items: { type: 'string', enum: Object.keys(STATES) } },
          'What waits (queued, scheduled), unless other states are named.',
        ),
      ],
    },
    async (request) => {
      const { limit, offset } = pageAsked(engine, request);
      const states = statesIn(engine, request)
        .map((state) => `(${STATES[state]})`)
        .join(' or ');
      const [counted, rows] = await Promise.all([
        rowsOf(engine.pool, { text: `select count(*) from webhook_delivery where ${states}`, values: [] }),
        rowsOf(engine.pool, {
          text: `select ${COLUMNS} from webhook_delivery d where ${states} order by id limit $1 offset $2`,
          values: [limit, offset],
        }),
      ]);
      return pageBody(
        engine,
        request,
        'background-tasks',
        Number(counted[0]![0]),
        rows.map((cells) => taskOf(cells, request.base)),
      );
    },
  ),
  'core/background-tasks/*': reading(single('background-tasks', TASK), ({ base }, id) => taskAt(engine, id, base)),
});

function statesIn(engine: Engine, { search }: ApiRequest): string[] {
  const named = parseQuery(search, engine.settings).filters.find(([name]) => name === 'status')?.[1] ?? [
    'queued',
    'scheduled',
  ];
  const wrong = named.find((state) => !Object.hasOwn(STATES, state));
  if (wrong !== undefined)
    throw invalid({ status: [`Select a valid choice. ${wrong} is not one of the available choices.`] });
  return named;
}

async function taskAt(engine: Engine, id: string | null, base: string): Promise<object> {
  const [cells] = /^\d{1,18}$/.test(id ?? '')
    ? await rowsOf(engine.pool, { text: `select ${COLUMNS} from webhook_delivery d where id = $1`, values: [id] })
    : [];
  if (!cells) throw refuse(404, 'Not found.');
  return taskOf(cells, base);
}

const ORDERS: { name: string; order: BulkAction; from: string[]; summary: string; asked: string }[] = [
  {
    name: 'requeue',
    order: 'requeue',
    from: ['failed', 'cancelled', 'succeeded'],
    summary: 'Put a finished task back into the queue',
    asked: 'Only a finished task can be requeued.',
  },
  {
    name: 'enqueue',
    order: 'enqueue',
    from: ['pending'],
    summary: 'Run a task now that is scheduled for later',
    asked: 'Only a task that waits can be enqueued.',
  },
  {
    name: 'stop',
    order: 'cancel',
    from: ['running'],
    summary: 'Stop a task that is running',
    asked: 'Only a task that is running can be stopped.',
  },
];

/** What administrators do with tasks, under the reference's names. */
export const taskActions = (engine: Engine): Record<string, ActionHandler> => ({
  ...Object.fromEntries(
    ORDERS.map(({ name, order, from, summary, asked }): [string, ActionHandler] => [
      `core/background-tasks/*/${name}`,
      posting({
        summary,
        answer: TASK,
        refuses: [409],
        async handle(request, id) {
          administratorsOnly(request);
          await taskAt(engine, id, request.base);
          const { ids } = await bulkAction(
            engine.pool,
            order,
            { condition: 't.id = $1::bigint', values: [id], statuses: from, limit: 1 },
            request.who.username,
          );
          if (!ids.length) throw refuse(409, asked);
          return { status: 200, body: JSON.stringify(await taskAt(engine, id, request.base)) };
        },
      }),
    ]),
  ),
  'core/background-tasks/*/delete': posting({
    summary: 'Remove a task with all that is known of it; one that is running is stopped',
    answer: TASK,
    async handle(request, id) {
      administratorsOnly(request);
      const task = await taskAt(engine, id, request.base);
      await removeDelivery(engine.pool, id!);
      return { status: 200, body: JSON.stringify(task) };
    },
  }),
});
