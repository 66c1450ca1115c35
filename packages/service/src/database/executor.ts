import type { CustomTypesConfig, Pool, PoolClient } from 'pg';

/** A statement with bound parameters. A `name` makes it a prepared statement, per connection. */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Rows as arrays in the order of the columns instead of objects. */
  readonly rowMode?: 'array';
  readonly types?: CustomTypesConfig;
};

/** What runs statements: a pool, or one of its connections (inside a transaction). */
export interface Executor {
  query<R = Record<string, unknown>>(statement: Statement): Promise<{ rows: R[]; rowCount: number | null }>;
}

/** A pool or a connection of it under the narrower type. */
export const executor = (connection: Pool | PoolClient): Executor => connection as unknown as Executor;

/** Returns every column as the text that PostgreSQL sent. */
export const rawText: CustomTypesConfig = { getTypeParser: () => (value: unknown) => value };
