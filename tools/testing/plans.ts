import type { PoolClient } from 'pg';
import type { Requester } from '@cadastre/rest';
import { planList } from '@cadastre/rest/read/plan/plan';
import { Cache } from '@cadastre/rest/cache/cache';
import { NO_DEFINITIONS } from '@cadastre/rest/cache/customFieldDefinitions';
import { selectList } from '@cadastre/rest/db/select';
import { parseQuery } from '@cadastre/rest/read/query/query';
import type { Filled } from './filled.ts';

const superuser: Requester = {
  userId: 1,
  username: 'admin',
  grants: { superuser: true, userId: 1, byAction: new Map() },
};

/** One node of a plan as EXPLAIN tells it. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Node[];
}

/**
 * Tables that the statements of a list request read from one end to the other, as PostgreSQL plans them. `found` stands
 * for the ids that filter values mean.
 */
export async function scannedBy(
  { tables, catalogue, pool }: Filled,
  type: string,
  query: string,
  found: readonly number[],
): Promise<string[]> {
  const planner = {
    tables,
    cache: new Cache(catalogue),
    definitions: NO_DEFINITIONS,
    maxRegexLength: 200,
    find: ({ values }: { values: string[] }) =>
      Promise.resolve(new Map(values.map((value) => [value, found.map(String)]))),
  };
  const { page, writer } = await planList(
    planner,
    catalogue.get(type),
    parseQuery(query, { paginateCount: 50, maxPageSize: 1000 }),
    superuser,
    true,
  ).catch((error: { body?: unknown }) => {
    throw new Error(`${type}?${query} is refused: ${JSON.stringify(error.body)}`, { cause: error });
  });
  const { text, values } = page(selectList(tables, catalogue.get(type), writer.columns));
  const { rows } = await pool.query({ text: `explain (format json) ${text}`, values });
  const [{ Plan: root }] = (rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'];
  return scans(root);
}

/**
 * Tables of which some work read more than a thousand rows from one end to the other, and how many. What it wrote is
 * taken back.
 */
export async function readThrough(client: PoolClient, work: () => Promise<unknown>): Promise<Record<string, number>> {
  // What was read before and has not been told to the server yet would be counted too.
  await client.query('select pg_stat_force_next_flush()');
  await client.query('begin');
  try {
    await work();
    const { rows } = await client.query<{ name: string; read: number }>(
      'select relname as name, seq_tup_read::int as read from pg_stat_xact_user_tables where seq_tup_read > 1000',
    );
    return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
  } finally {
    await client.query('rollback');
  }
}

const scans = (node: Node): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name']!] : []),
  ...(node.Plans ?? []).flatMap(scans),
];
