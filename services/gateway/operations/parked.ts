import { pageParameters } from '@cadastre/rest/openapi/operation';
import { record } from '@cadastre/rest/openapi/shapes';
import { HttpError, notFound } from '@cadastre/service/errors';
import type { WireParked } from '@cadastre/service/operations';
import { asked, askAll, type OperationsClients } from './clients.ts';
import { filter, filtersOf, listSchema, type Operation, pageOf, rangeOf } from './operation.ts';

const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };
const EVENT = record({
  url: { type: 'string', format: 'uri' },
  service: TEXT,
  id: NUMBER,
  group: TEXT,
  topic: TEXT,
  partition: NUMBER,
  position: TEXT,
  key: TEXT,
  error: TEXT,
  parked: TEXT,
  replays: NUMBER,
  last_replay: { type: ['string', 'null'] },
  size: NUMBER,
});
const path = 'core/parked-events';
/** A replay handles the event as the follower would, which may involve other services. */
const REPLAY_MS = 30_000;

/** Events that services could not handle: the list, one of them, its replay, and its removal. */
export function parkedEvents({ services, client }: OperationsClients): Operation[] {
  const idOf = (text: string | undefined): number => {
    if (!text || !/^\d{1,15}$/.test(text)) throw notFound();
    return Number(text);
  };
  return [
    {
      method: 'GET',
      path,
      summary: 'List events that could not be handled',
      shown: listSchema(EVENT),
      parameters: [filter('service', services), ...pageParameters],
      async answer(request) {
        const wanted = filtersOf(request.query, ['service']).get('service') ?? services;
        const unknown = wanted.filter((name) => !services.includes(name));
        if (unknown.length)
          throw new HttpError(400, {
            service: unknown.map((name) => `Select a valid choice. ${name} is not one of the available choices.`),
          });
        const chosen = services.filter((name) => wanted.includes(name));
        // First how many each service has, then from each its part of the page.
        const { answers, unavailable } = await askAll(chosen, (name) =>
          client(name).ParkedEvents({ offset: 0, limit: 0 }, { failFast: true }),
        );
        const { offset, limit } = rangeOf(request.query.page);
        const results: object[] = [];
        let before = 0;
        for (const name of chosen) {
          const count = answers.get(name)?.count ?? 0;
          const from = Math.max(offset - before, 0);
          const left = limit - results.length;
          before += count;
          if (from >= count || left <= 0) continue;
          const { events } = await asked(
            name,
            client(name).ParkedEvents({ offset: from, limit: Math.min(left, count - from) }, { failFast: true }),
          );
          results.push(...events.map((event) => shown(name, event, request.base)));
        }
        return { status: 200, body: { ...pageOf(request, before, results), unavailable } };
      },
    },
    {
      method: 'GET',
      path: `${path}/*/*`,
      summary: 'Get an event that could not be handled',
      shown: { allOf: [EVENT, record({ trace: TEXT, value: TEXT })] },
      async answer({ parts: [service, id], base }) {
        const { event, value, trace } = await asked(
          service!,
          client(service!).ParkedEvent({ id: idOf(id) }, { failFast: true }),
        );
        return { status: 200, body: { ...shown(service!, event, base), trace, value } };
      },
    },
    {
      method: 'DELETE',
      path: `${path}/*/*`,
      summary: 'Discard an event that could not be handled',
      async answer({ parts: [service, id] }) {
        await asked(service!, client(service!).DiscardParked({ id: idOf(id) }, { failFast: true }));
        return { status: 204 };
      },
    },
    {
      method: 'POST',
      path: `${path}/*/*/replay`,
      summary: 'Handle an event that could not be handled once more',
      shown: record({ replayed: { type: 'boolean' } }),
      async answer({ parts: [service, id] }) {
        const { error } = await asked(
          service!,
          client(service!).ReplayParked({ id: idOf(id) }, { failFast: true, timeoutMs: REPLAY_MS }),
        );
        if (error) throw new HttpError(409, { detail: `It could not be handled again: ${error}` });
        return { status: 200, body: { replayed: true } };
      },
    },
  ];
}

const shown = (service: string, { last_replay, ...event }: WireParked, base: string): object => ({
  url: `${base}/api/${path}/${service}/${event.id}/`,
  service,
  ...event,
  last_replay: last_replay || null,
});
