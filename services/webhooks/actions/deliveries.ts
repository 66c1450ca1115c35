import { isDict, type Json } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  allowed,
  guarded,
  detail,
  type Engine,
  freeForm,
  invalid,
  notFound,
  notPermitted,
  parameter,
  parseQuery,
  recordOf,
  refuse,
  selection,
  whole,
} from '@cadastre/rest';
import { webhookDelivery } from '../models/webhookDelivery.ts';
import { type BulkAction, bulkAction } from '../queue/bulkAction.ts';
import { posting } from './posting.ts';

/**
 * An action on deliveries: its texts, the states in which a single delivery allows it, and the states that a filter
 * without one selects.
 */
interface Steering {
  order: BulkAction;
  summary: string;
  several: string;
  from: readonly string[];
  byDefault: readonly string[];
  done: string;
  asked: string;
}

const requeue: Steering = {
  order: 'requeue',
  summary: 'Put a delivery back into the queue',
  several: 'Put the deliveries that filters select back into the queue, failed ones unless they name another status',
  from: ['failed', 'cancelled', 'succeeded'],
  byDefault: ['failed'],
  done: 'requeued',
  asked: 'Only what is failed, cancelled or succeeded can be requeued.',
};
const cancel: Steering = {
  order: 'cancel',
  summary: 'Cancel a delivery; one that is under way is stopped, which the receiver may not notice',
  several: 'Cancel the deliveries that filters select, pending ones unless they name another status',
  from: ['pending', 'running'],
  byDefault: ['pending'],
  done: 'cancelled',
  asked: 'Only what is pending or running can be cancelled.',
};

/** Requeueing and cancelling, one delivery or many. Both need the permission to change deliveries. */
export const steering = (engine: Engine, bulkLimit: number): Record<string, ActionHandler> =>
  Object.fromEntries(
    [requeue, cancel].flatMap((what): [string, ActionHandler][] => [
      [`extras/webhook-deliveries/*/${what.order}`, one(engine, what)],
      [`extras/webhook-deliveries/${what.order}`, many(engine, what, bulkLimit)],
    ]),
  );

const one = (engine: Engine, { order, summary, from, asked }: Steering): ActionHandler =>
  posting({
    summary,
    answer: whole(webhookDelivery),
    refuses: [409],
    async handle(request, id) {
      const shown = () =>
        detail(
          engine,
          webhookDelivery,
          numberOf(id),
          parseQuery(request.search, engine.settings),
          request.who,
          request.base,
          'change',
        );
      await shown();
      const { ids } = await bulkAction(
        engine.pool,
        order,
        { condition: 't.id = $1::bigint', values: [id], statuses: from, limit: 1 },
        request.who.username,
      );
      const { text } = await shown();
      if (!ids.length)
        throw refuse(
          409,
          `The delivery is ${(JSON.parse(text) as { status?: { value: string } }).status?.value ?? 'in another state'}. ${asked}`,
        );
      return { status: 200, body: text };
    },
  });

const many = (engine: Engine, { order, several, from, byDefault, done }: Steering, bulkLimit: number): ActionHandler =>
  posting({
    summary: several,
    bulk: true,
    request: freeForm,
    answer: recordOf({
      [done]: { type: 'integer' },
      more: { type: 'boolean', description: 'Whether there are more of them: the request can be repeated.' },
    }),
    parameters: [
      parameter(
        'status',
        { type: 'array', items: { type: 'string', enum: [...from] } },
        'And every other filter of the list; also as members of the body.',
      ),
      parameter('limit', { type: 'integer', maximum: bulkLimit }, 'How many at most, the oldest first.'),
    ],
    async handle(request) {
      if (allowed(request.who.grants, 'change', webhookDelivery.name) === false) throw notPermitted(request.who);
      const query = parseQuery(request.search, engine.settings);
      const filters = [...query.filters, ...(await filtersIn(request))];
      if (!filters.length && !query.saved) throw refuse(400, 'Name at least one filter, such as status.');
      const named = filters.some(([name]) => /^status(__|$)/.test(name));
      const { condition, values, regexes } = await selection(
        engine,
        webhookDelivery,
        { ...query, filters: filters.filter(([name]) => name !== 'limit') },
        request.who,
        'change',
      );
      const limit = limitOf(
        query.all.get('limit') ?? filters.find(([name]) => name === 'limit')?.[1][0] ?? null,
        bulkLimit,
      );
      const { ids, more } = await guarded(engine, { regexes }, request.who, request, (executor) =>
        bulkAction(
          executor,
          order,
          { condition, values, statuses: named ? from : byDefault, limit },
          request.who.username,
        ),
      );
      return { status: 200, body: JSON.stringify({ [done]: ids.length, more }) };
    },
  });

function numberOf(id: string | null): string {
  if (!id || !/^\d{1,15}$/.test(id)) throw notFound(webhookDelivery.className);
  return id;
}

function limitOf(given: string | null, most: number): number {
  if (given === null) return most;
  if (!/^\d{1,9}$/.test(given) || Number(given) < 1)
    throw invalid({ limit: ['A valid integer, at least 1, is required.'] });
  return Math.min(Number(given), most);
}

/** Filters as members of a body: a value, or a list of values. */
async function filtersIn({ body }: ApiRequest): Promise<[string, string[]][]> {
  const given = (await body?.json()) ?? {};
  if (!isDict(given)) throw invalid({ non_field_errors: ['Invalid data. Expected a dictionary of filters.'] });
  return Object.entries(given).map(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]).map((item: Json) => {
      if (item === null || typeof item === 'object')
        throw invalid({ [name]: ['Expected a value or a list of values.'] });
      const text = String(item);
      if (text.includes('\0')) throw invalid({ [name.replaceAll('\0', '')]: ['Null characters are not allowed.'] });
      return text;
    });
    return [name, values];
  });
}
