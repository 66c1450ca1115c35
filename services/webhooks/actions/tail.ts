import {
  type ActionHandler,
  type ApiRequest,
  type Engine,
  list,
  parameter,
  parseQuery,
  refuse,
  selection,
  type Stream,
  userOf,
} from '@cadastre/rest';
import { webhookDelivery } from '../models/webhookDelivery.ts';
import { follow } from '../intake/tail/follow.ts';
import type { TailSlot, TailSlots } from '../intake/tail/slots.ts';

export interface TailOptions {
  engine: Engine;
  places: TailSlots;
  heartbeatMs: number;
  /** After this time the client has to reconnect, and so to authenticate again. */
  maxSeconds: number;
}

const HEADERS = {
  Allow: 'GET, HEAD, OPTIONS',
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};
const summary = 'Follow deliveries as they are queued, attempted and finished: an event `delivery` for each change';

/**
 * GET …/webhook-deliveries/tail/: server-sent events, with the filters of the list and its permissions. With
 * `Last-Event-ID`, a client continues where it left off.
 */
export function tail({ engine, places, heartbeatMs, maxSeconds }: TailOptions): ActionHandler {
  const stream = (request: ApiRequest, place: TailSlot): Stream => {
    const from = request.headers['last-event-id'];
    return follow(
      { pool: engine.pool, place, heartbeatMs, maxSeconds, shown: (ids) => shown(engine, request, ids) },
      typeof from === 'string' ? from : undefined,
    );
  };

  return {
    methods: ['GET', 'HEAD', 'OPTIONS'],
    operations: {
      GET: {
        summary,
        answer: { type: 'string' },
        as: 'text/event-stream',
        parameters: [
          {
            ...parameter('Last-Event-ID', { type: 'string' }, 'The id of the last event that was received.'),
            in: 'header',
          },
        ],
      },
    },
    async handle(request) {
      if (request.method === 'OPTIONS')
        return {
          status: 200,
          headers: { Allow: HEADERS.Allow },
          body: JSON.stringify({ name: summary, description: '', renders: ['text/event-stream'], parses: [] }),
        };
      // Refuses what the list would refuse, before anything is sent.
      await selection(engine, webhookDelivery, parseQuery(request.search, engine.settings), request.who, 'view');
      // HEAD gets the headers alone, and takes no place.
      if (request.method === 'HEAD') return { status: 200, headers: HEADERS, body: '' };
      const place = placeFor(places, request);
      return { status: 200, headers: HEADERS, body: '', stream: stream(request, place), ends: place.ended };
    },
  };
}

/** @throws Refusal 429 when the user has too many, 503 when there is none */
function placeFor(places: TailSlots, { who }: ApiRequest): TailSlot {
  const user = userOf(who);
  const place = places.take(user);
  const later = { 'Retry-After': '10' };
  if (place) return place;
  const {
    count,
    limits: { most, mostPerUser },
  } = places;
  throw mostPerUser < most && places.countOf(user) >= mostPerUser
    ? refuse(429, `You have ${mostPerUser} listeners already; no more are allowed.`, later)
    : refuse(503, `There are ${count} listeners already; no more are allowed.`, later);
}

/**
 * JSON texts of those deliveries that the requester may see and asked for, in the given order. The payload is only
 * included when the request names it.
 */
async function shown(engine: Engine, { search, who, base, path }: ApiRequest, ids: string[]): Promise<string[]> {
  const query = parseQuery(search, engine.settings);
  const { fields, omit } = query;
  const page = await list(
    engine,
    webhookDelivery,
    {
      ...query,
      fields: fields && [...fields, 'id'],
      omit: fields ? null : [...(omit ?? []).filter((name) => name !== 'id'), 'payload'],
      filters: [...query.filters, ['id', ids]],
      page: { mode: 'cursor', limit: 0, start: 0 },
      ordering: null,
    },
    who,
    { base, path },
  );
  const results = new Map(
    (JSON.parse(page) as { results: { id: number }[] }).results.map((one) => [String(one.id), one]),
  );
  return ids.flatMap((id) => {
    const one = results.get(id);
    return one ? [JSON.stringify(one)] : [];
  });
}
