import type { Pool, PoolClient, QueryArrayResult } from 'pg';
import type { Cell } from '@cadastre/model';

/** Where statements run: the pool, or the client of a transaction. */
export type Executor = Pool | PoolClient;

export interface Statement {
  text: string;
  values: unknown[];
}

/** Collects the values of a statement while its text is put together. */
export class Binder {
  readonly values: unknown[] = [];
  /** Binds a value; returns its placeholder. */
  bind = (value: unknown): string => `$${this.values.push(value)}`;
}

/** Rows as PostgreSQL sent them: no parsing of types, no objects. */
const RAW = { getTypeParser: () => (value: string) => value };

/**
 * How many different statements of a process are kept prepared, by all its services together; a statement beyond that
 * is sent unprepared. A connection has those that its own service has run on it.
 */
const MAX_PREPARED = 3_000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MAX_PREPARED) return known;
  const name = `c${names.size}`;
  names.set(text, name);
  return name;
}

/** Runs a statement that returns columns as text. Prepared on first use, so the text must not hold values. */
export async function rowsOf(executor: Executor, statement: Statement): Promise<Cell[][]> {
  const name = nameOf(statement.text);
  const config = {
    text: statement.text,
    values: statement.values,
    rowMode: 'array' as const,
    types: RAW as never,
    ...(name ? { name } : {}),
  };
  const result = (await (executor as Pool).query(config)) as unknown as QueryArrayResult<Cell[]>;
  return result.rows;
}

/**
 * An array literal for PostgreSQL, of values that need no quotes there, such as numbers, ids and times: the driver
 * would search each value for characters to escape, which costs more than all the rest where there are thousands.
 */
export const plainArray = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/**
 * The ids in a parameter, to look objects up by them; planned once. With fewer than ten ids PostgreSQL would make a new
 * plan each time, as it expects fewer rows for the given values than for unknown ones, and planning takes many times as
 * long as the lookup. The result of a subselect is always unknown to the planner. Not to be used where the plan should
 * depend on how many rows a condition leaves.
 */
export const idsIn = (parameter: string): string => `any((select ${parameter}::bigint[])::bigint[])`;

/** A pattern for LIKE that stands for the text itself. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * Above this number of ids an index of lists is no help, and comparing each list with all of them costs more than
 * unnesting all lists.
 */
const MANY_IDS = 500;

/**
 * That a list holds one of the ids in `$1`. `otherwise` is an equivalent condition for many ids that looks at each list
 * once; which of the two is used has been decided when the statement is planned.
 */
export const holdsOne = (column: string, otherwise: string): string =>
  `(cardinality($1::bigint[]) <= ${MANY_IDS} and ${column} && $1::bigint[] or cardinality($1::bigint[]) > ${MANY_IDS} and ${otherwise})`;
