import type { Executor } from '../db/sql.ts';

const fetched = new WeakSet<Executor>();

/** Notes that a transaction has stored what it has heard of other services' objects, before everybody can see it. */
export function noteFetched(transaction: Executor): void {
  fetched.add(transaction);
}

/** Whether it has: then what it reads of them may be more than is committed. */
export const hasFetched = (transaction: Executor): boolean => fetched.has(transaction);

/** From now on another transaction may run on the connection. */
export function clearFetched(transaction: Executor): void {
  fetched.delete(transaction);
}
