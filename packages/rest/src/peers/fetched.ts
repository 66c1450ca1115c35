import type { Executor } from '../db/sql.ts';

const fetched = new WeakSet<Executor>();

/** Notes that a transaction has stored objects that it fetched from other services, which nobody else can see yet. */
export function noteFetched(transaction: Executor): void {
  fetched.add(transaction);
}

/** Whether a transaction has stored such objects: then it may read objects that are not committed. */
export const hasFetched = (transaction: Executor): boolean => fetched.has(transaction);

/** To be called where another transaction begins on the connection. */
export function clearFetched(transaction: Executor): void {
  fetched.delete(transaction);
}
