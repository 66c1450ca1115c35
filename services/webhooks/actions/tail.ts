import { type ActionHandler, type ApiRequest, type Engine, list, parameter, parseQuery, refuse, selection, type Stream } from '@cadastre/rest';
import { webhookDelivery } from '../models/webhookDelivery.ts';
import { follow, type Listeners } from '../tail/follow.ts';

export interface TailOptions {
  engine: Engine;
  listeners: Listeners;
  heartbeatMs: number;
  /** After so long the client has to come again, and to prove itself again. */
  maxSeconds: number;
}

const HEADERS = { Allow: 'GET, HEAD, OPTIONS', 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
const summary = 'Follow deliveries as they are queued, attempted and finished: an event `delivery` for each change';

/** GET …/webhook-deliveries/tail/: server-sent events, with the filters of the list and its permissions. `Last-Event-ID` goes on where a client was. */
export function tail({ engine, listeners, heartbeatMs, maxSeconds }: TailOptions): ActionHandler {
  const stream = (request: ApiRequest, place: string | undefined): Stream =>
    follow({ pool: engine.pool, listeners, heartbeatMs, maxSeconds, shown: (ids) => shown(engine, request, ids) }, place);

  return {
    methods: ['GET', 'HEAD', 'OPTIONS'],
    operations: { GET: { summary, answer: { type: 'string' }, as: 'text/event-stream', parameters: [{ ...parameter('Last-Event-ID', { type: 'string' }, 'The id of the last event that was received.'), in: 'header' }] } },
    async handle(request) {
      if (request.method === 'OPTIONS') return { status: 200, headers: { Allow: HEADERS.Allow }, body: JSON.stringify({ name: summary, description: '', renders: ['text/event-stream'], parses: [] }) };
      // Refuses what the list would refuse, before anything is sent.
      await selection(engine, webhookDelivery, parseQuery(request.search, engine.settings), request.who, 'view');
      if (listeners.count >= listeners.most) throw refuse(503, `There are ${listeners.count} listeners already; no more are allowed.`, { 'Retry-After': '10' });
      const place = request.headers['last-event-id'];
      return { status: 200, headers: HEADERS, body: '', stream: stream(request, typeof place === 'string' ? place : undefined) };
    },
  };
}

/** JSON texts of those deliveries that the requester may see and asked for, in the given order. The payload comes only to who names it. */
async function shown(engine: Engine, { search, who, base, path }: ApiRequest, ids: string[]): Promise<string[]> {
  const query = parseQuery(search, engine.settings), { fields, omit } = query;
  const page = await list(engine, webhookDelivery, {
    ...query, fields: fields && [...fields, 'id'], omit: fields ? null : [...(omit ?? []).filter((name) => name !== 'id'), 'payload'],
    filters: [...query.filters, ['id', ids]], page: { mode: 'cursor', limit: 0, start: 0 }, ordering: null,
  }, who, { base, path });
  const results = new Map((JSON.parse(page) as { results: { id: number }[] }).results.map((one) => [String(one.id), one]));
  return ids.flatMap((id) => { const one = results.get(id); return one ? [JSON.stringify(one)] : []; });
}
