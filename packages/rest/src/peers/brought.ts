import type { Executor } from '../db/sql.ts';

const brought = new WeakSet<Executor>();

/** Notes that a transaction has stored what it has heard of other services' objects, before everybody can see it. */
export function noteBrought(transaction: Executor): void {
  brought.add(transaction);
}

/** Whether it has: then what it reads of them may be more than everybody's truth. */
export const hasBrought = (transaction: Executor): boolean => brought.has(transaction);

/** From now on another transaction may run on the connection. */
export function forgetBrought(transaction: Executor): void {
  brought.delete(transaction);
}
