import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a transaction has put into the outbox: the numbers of its first and last event, the types of objects, and
 * whether some were deleted.
 */
export interface OutboxSpan {
  first: number;
  last: number;
  types: ReadonlySet<number>;
  gone: boolean;
}

const inTransaction = new WeakMap<object, OutboxSpan>();
const answers = new AsyncLocalStorage<OutboxSpan[]>();

const both = (a: OutboxSpan, b: OutboxSpan): OutboxSpan => ({
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  types: new Set([...a.types, ...b.types]),
  gone: a.gone || b.gone,
});

/** Notes what is written by a transaction, which `transaction` names: the connection that it runs on. */
export function noteOutboxSpan(transaction: object, written: OutboxSpan): void {
  const known = inTransaction.get(transaction);
  inTransaction.set(transaction, known ? both(known, written) : written);
}

/** What the transaction on a connection has written so far; from now on another may run there. */
export function takeOutboxSpan(transaction: object): OutboxSpan | undefined {
  const written = inTransaction.get(transaction);
  inTransaction.delete(transaction);
  return written;
}

/** Reports what a transaction wrote, after its commit. */
export function reportOutboxSpan(written: OutboxSpan | undefined): void {
  if (written) answers.getStore()?.push(written);
}

/** Runs the work of a request, and says what has been written by it. The second is undefined where nothing was. */
export async function collectOutboxSpan<T>(work: () => Promise<T>): Promise<[T, OutboxSpan | undefined]> {
  const all: OutboxSpan[] = [];
  const result = await answers.run(all, work);
  return [result, all.length ? all.reduce(both) : undefined];
}
