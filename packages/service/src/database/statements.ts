import type { Pool, PoolClient } from 'pg';

const frame = /^\s*(begin|commit|rollback|savepoint|release|start transaction|set )/i;

/** The statements that ran on a pool since `reset()`. */
export type StatementCounter = {
  /** All texts in order, transaction frames included. */
  readonly texts: readonly string[];
  /** How many of them were not transaction statements (begin, commit, savepoint and the like). */
  readonly count: number;
  reset(): void;
  stop(): void;
};

/**
 * Counts the statements that run on a pool, also those of the ORM; for tests that assert how few statements a request
 * costs.
 */
export function countStatements(pool: Pool): StatementCounter {
  let texts: string[] = [];
  const restore = new Map<PoolClient, () => void>();
  const watch = (client: PoolClient): void => {
    if (restore.has(client)) return;
    const original = client.query;
    client.query = function query(this: PoolClient, ...parameters: unknown[]): unknown {
      texts.push(textOf(parameters[0]));
      return (original as (...all: unknown[]) => unknown).apply(this, parameters);
    } as typeof client.query;
    restore.set(client, () => {
      client.query = original;
    });
  };
  pool.on('acquire', watch);
  return {
    get texts() {
      return texts;
    },
    get count() {
      return texts.filter((text) => !frame.test(text)).length;
    },
    reset() {
      texts = [];
    },
    stop() {
      pool.off('acquire', watch);
      for (const undo of restore.values()) undo();
    },
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : String(statement);
}
