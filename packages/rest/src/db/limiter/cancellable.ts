import { clientLeft } from '@cadastre/body';
import type { Pool, PoolClient } from 'pg';
import { transaction } from '../transaction.ts';

export interface CancellableOptions {
  /** The statement timeout, where it is shorter than usual. */
  ms?: number;
  /** Aborts when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
}

/** Runs statements in a transaction; the one under way is cancelled when nobody waits for the answer any more. */
export function cancellable<T>(
  pool: Pool,
  { ms, gone }: CancellableOptions,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return transaction(pool, async (client) => {
    if (gone?.aborted) throw clientLeft();
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => {
      cancelled = pool
        .query('select pg_cancel_backend($1)', [(client as { processID?: number }).processID])
        .catch(() => undefined);
    };
    gone?.addEventListener('abort', cancel, { once: true });
    try {
      if (ms !== undefined) await client.query(`set local statement_timeout = ${ms}`);
      return await work(client);
    } catch (error) {
      throw gone?.aborted ? clientLeft() : error;
    } finally {
      gone?.removeEventListener('abort', cancel);
      // The cancellation must not arrive when the connection already serves somebody else.
      await cancelled;
    }
  });
}
