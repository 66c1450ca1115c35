import { createHash } from 'node:crypto';
import type { Executor } from '@cadastre/service/executor';

/**
 * Consumes something that may be used once across all processes: the state of a login, the id of a token. False if it
 * was used before. It is remembered for this many seconds; the caller must reject anything older.
 */
export async function useOnce(db: Executor, what: readonly string[], seconds: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'auth-used-once',
    text: `with over as (delete from used_once where until < now() and key <> $1)
      insert into used_once (key, until) values ($1, now() + make_interval(secs => $2))
      on conflict (key) do nothing`,
    values: [createHash('sha256').update(JSON.stringify(what)).digest('base64url'), seconds],
  });
  return rowCount === 1;
}
