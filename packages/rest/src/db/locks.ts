import { typeId } from '@cadastre/model';
import { type Executor, rowsOf } from './sql.ts';

/** PostgreSQL has room for some ten thousand locks in all, so the objects of a type share this many. */
const LOCKS_PER_TYPE = 256;

/** Keys of the advisory locks of objects, in the order in which everybody takes them. */
export const lockKeys = (type: string, ids: number[]): string[] =>
  [...new Set(ids.map((id) => Math.abs(id) % LOCKS_PER_TYPE))]
    .sort((a, b) => a - b)
    .map((slot) => String((BigInt(typeId(type)) << 32n) | BigInt(slot)));

/** Keeps the owner of objects from deleting them, until the transaction ends. */
export async function lockShared(executor: Executor, type: string, ids: number[]): Promise<void> {
  if (ids.length)
    await rowsOf(executor, {
      text: 'select pg_advisory_xact_lock_shared(k) from unnest($1::bigint[]) k',
      values: [lockKeys(type, ids)],
    });
}
