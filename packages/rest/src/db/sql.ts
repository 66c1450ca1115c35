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
 * An array as PostgreSQL reads it, of values that need no quotes there, such as numbers, ids and times: the driver
 * looks for what it has to escape in each, which costs more than all the rest where there are thousands.
 */
export const plainArray = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/**
 * The ids in a parameter, to look objects up by them: planned once. PostgreSQL makes a plan each time where it expects
 * fewer rows of the values that it is given than of unknown ones, which is so with less than ten ids and takes many
 * times as long as to look them up. What comes from a subselect is unknown to it always. For conditions of which it
 * matters how many rows they leave, it is the wrong word.
 */
export const idsIn = (parameter: string): string => `any((select ${parameter}::bigint[])::bigint[])`;

/** A pattern for LIKE that stands for the text itself. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * With so many ids an index of lists is no help, and comparing each list with all of them costs more than taking all
 * lists apart.
 */
const MANY_IDS = 500;

/**
 * That a list holds one of the ids in `$1`. `otherwise` says the same of many ids, in a way that looks at each list
 * once; which of the two it is has been decided when the statement is planned.
 */
export const holdsOne = (column: string, otherwise: string): string =>
  `(cardinality($1::bigint[]) <= ${MANY_IDS} and ${column} && $1::bigint[] or cardinality($1::bigint[]) > ${MANY_IDS} and ${otherwise})`;
