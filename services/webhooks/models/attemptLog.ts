import { batched, type Cell, isoSql } from '@cadastre/model';

/** A member that stands in the answer as PostgreSQL gives it, as JSON. */
const raw = (cell: Cell | undefined): string => cell ?? 'null';
const string = (cell: Cell | undefined): string =>
  cell === null || cell === undefined ? 'null' : JSON.stringify(cell);

const MEMBERS: readonly (readonly [name: string, sql: string, print: (cell: Cell | undefined) => string])[] = [
  ['number', 'a.number', raw],
  ['started', isoSql('a.started'), string],
  ['duration_ms', 'a.duration_ms', raw],
  ['worker', 'a.worker', string],
  ['method', 'a.method', string],
  ['url', 'a.url', string],
  ['request_headers', 'a.request_headers', raw],
  // The default body is the payload; it is kept once.
  ['request_body', 'case when a.method is null then null else coalesce(a.request_body, d.payload::text) end', string],
  ['response_status', 'a.response_status', raw],
  ['response_headers', 'a.response_headers', raw],
  ['response_body', 'a.response_body', string],
  ['error_kind', 'a.error_kind', string],
  ['error', 'a.error', string],
];

const nullable = (type: string) => ({ type: [type, 'null'] });
const headers = { type: ['object', 'null'], additionalProperties: { type: 'string' } };

/**
 * Every attempt of a delivery: when, what was sent, what was answered, what went wrong. Secrets are masked before any
 * of it is stored.
 */
export const attemptLog = batched({
  from: [],
  fresh: true,
  empty: '[]',
  type: 'list',
  sql: () =>
    `select a.delivery_id, ${MEMBERS.map(([, sql]) => sql).join(', ')} from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id where a.delivery_id = any($1::bigint[]) order by a.delivery_id, a.number`,
  print: (rows) =>
    `[${rows.map((cells) => `{${MEMBERS.map(([name, , print], i) => `${JSON.stringify(name)}:${print(cells[i])}`).join(',')}}`).join(',')}]`,
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        number: { type: 'integer' },
        started: { type: 'string', format: 'date-time' },
        duration_ms: { type: 'integer' },
        worker: nullable('string'),
        method: nullable('string'),
        url: nullable('string'),
        request_headers: headers,
        request_body: nullable('string'),
        response_status: nullable('integer'),
        response_headers: headers,
        response_body: nullable('string'),
        error_kind: nullable('string'),
        error: nullable('string'),
      },
    },
  },
});
