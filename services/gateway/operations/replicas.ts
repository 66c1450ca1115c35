import { pageParameters } from '@cadastre/rest/openapi/operation';
import { arrayOf, orNull, record } from '@cadastre/rest/openapi/shapes';
import { HttpError, notFound } from '@cadastre/service/errors';
import type { WireReplica, WireReport } from '@cadastre/service/operations';
import { asked, askAll, type OperationsClients } from './clients.ts';
import { filter, filtersOf, listSchema, type Operation, pageOf, rangeOf } from './operation.ts';

const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };
const TRUTH = { type: 'boolean' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const REPLICA = record({
  url: { type: 'string', format: 'uri' },
  service: TEXT,
  type: TEXT,
  owner: TEXT,
  rows: NUMBER,
  in_part: TRUTH,
  lag: { type: ['number', 'null'] },
  state: TEXT,
  reason: TEXT,
  error: TEXT_OR_NULL,
  filled: TEXT_OR_NULL,
  last_fill: orNull(record({ written: NUMBER, removed: NUMBER, stuck: NUMBER, seconds: { type: 'number' } })),
});
const EXAMPLE = record({
  id: NUMBER,
  problem: TEXT,
  kept_in: TEXT,
  version: { type: ['integer', 'null'] },
  kept_version: { type: ['integer', 'null'] },
  columns: arrayOf(TEXT),
});
const REPORT = record({
  service: TEXT,
  type: TEXT,
  rows: NUMBER,
  kept: NUMBER,
  missing: NUMBER,
  extra: NUMBER,
  different: NUMBER,
  matches: TRUTH,
  partial: TRUTH,
  examples: arrayOf(EXAMPLE),
});
const path = 'core/replicas';
const PARTS = ['service', 'type'];
const STATES = ['current', 'filling', 'failing'];
/** A check reads everything that the owner has. */
const VERIFY_MS = 15 * 60_000;

/** Replicas: the list of them, the comparison with the owner, and filling one again. */
export function replicas({ services, client }: OperationsClients): Operation[] {
  const typeOf = (text: string | undefined): string => {
    if (!text || !/^[a-z0-9_]+\.[a-z0-9_]+$/.test(text)) throw notFound();
    return text;
  };
  return [
    {
      method: 'GET',
      path,
      summary: 'List what services keep of the objects of others',
      shown: listSchema(REPLICA),
      parameters: [
        filter('service', services),
        filter('owner', services),
        filter('type'),
        filter('state', STATES),
        ...pageParameters,
      ],
      async answer(request) {
        const filters = filtersOf(request.query, ['service', 'owner', 'type', 'state']);
        for (const [name, known] of [
          ['service', services],
          ['owner', services],
          ['state', STATES],
        ] as const) {
          const unknown = (filters.get(name) ?? []).filter((value) => !known.includes(value));
          if (unknown.length)
            throw new HttpError(400, {
              [name]: unknown.map((value) => `Select a valid choice. ${value} is not one of the available choices.`),
            });
        }
        const fits = (name: string, value: string) => filters.get(name)?.includes(value) ?? true;
        const { answers, unavailable } = await askAll(
          services.filter((name) => fits('service', name)),
          (name) => client(name).Replicas({}, { failFast: true }),
        );
        const found = [...answers]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([service, { replicas: all }]) => all.map((one) => ({ service, one })))
          .filter(({ one }) => fits('owner', one.owner) && fits('type', one.type) && fits('state', one.state));
        const { offset, limit } = rangeOf(request.query.page);
        return {
          status: 200,
          body: {
            ...pageOf(
              request,
              found.length,
              found.slice(offset, offset + limit).map(({ service, one }) => shown(service, one, request.base)),
            ),
            unavailable,
          },
        };
      },
    },
    {
      method: 'POST',
      path: `${path}/*/*/verify`,
      parts: PARTS,
      summary: 'Compare what a service keeps with what the owner has',
      shown: REPORT,
      async answer({ parts: [service, type] }) {
        const report = await asked(
          service!,
          client(service!).VerifyReplica({ type: typeOf(type) }, { failFast: true, timeoutMs: VERIFY_MS }),
        );
        return { status: 200, body: reported(service!, report) };
      },
    },
    {
      method: 'POST',
      path: `${path}/*/*/rebuild`,
      parts: PARTS,
      summary: 'Fill what a service keeps from the owner again',
      status: 202,
      shown: record({ service: TEXT, type: TEXT, state: TEXT }),
      async answer({ parts: [service, type] }) {
        await asked(service!, client(service!).RebuildReplica({ type: typeOf(type) }, { failFast: true }));
        return { status: 202, body: { service, type, state: 'filling' } };
      },
    },
  ];
}

const shown = (
  service: string,
  { type, owner, rows, lag, state, reason, error, filled, written, removed, stuck, seconds, in_part }: WireReplica,
  base: string,
): object => ({
  url: `${base}/api/${path}/${service}/${type}/`,
  service,
  type,
  owner,
  rows,
  in_part,
  lag: lag < 0 ? null : lag,
  state,
  reason,
  error: error || null,
  filled: filled || null,
  last_fill: filled ? { written, removed, stuck, seconds } : null,
});

const reported = (service: string, { partial, examples, ...report }: WireReport): object => ({
  service,
  ...report,
  matches: !partial && !report.missing && !report.extra && !report.different,
  partial,
  examples: examples.map(({ version, kept_version, ...example }) => ({
    ...example,
    version: version || null,
    kept_version: kept_version || null,
  })),
});
