import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** Of an answer that is being made: whose it is. */
type Answering = Pick<ServerResponse, 'req'> & { locals?: { route?: unknown } };

/** A request, or the kind of thing that work is for. */
export type WorkOf = Answering | string;

/** The request for which code runs. */
interface RequestContext {
  readonly id: string;
  /** What the watchdog names it by, once a step of it has begun (`current-work.ts`). */
  work?: WorkOf;
  /** What was written elsewhere before it came (`written.ts`), for those who are asked on its way. */
  readonly pendingWrites?: string;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** The request for which this code runs, if any. */
export const currentRequest = (): RequestContext | undefined => requests.getStore();

/** The id of the request that this code runs for, if any. */
export const currentRequestId = (): string | undefined => requests.getStore()?.id;

/** What whoever is asked for the request has to know of, if anything. */
export const currentPendingWrites = (): string | undefined => requests.getStore()?.pendingWrites;

/**
 * Runs `work` for a request: its log lines and its calls to other services carry the id, and what they have to know of
 * first.
 */
export const withRequestId = <T>(id: string, work: () => T, pendingWrites?: string): T =>
  requests.run(pendingWrites === undefined ? { id } : { id, pendingWrites }, work);

/** Runs `work` of a request so that those whom it asks answer with what they know, whatever had been written. */
export const withoutPendingWrites = <T>(work: () => T): T => requests.run(sameRequest(), work);

/** Runs `work` of a request so that those whom it asks know first of what had been written. */
export const withPendingWrites = <T>(pendingWrites: string, work: () => T): T =>
  requests.run({ ...sameRequest(), pendingWrites }, work);

/** The present request, without pending writes. */
function sameRequest(): RequestContext {
  const { id = '', work } = requests.getStore() ?? {};
  return work === undefined ? { id } : { id, work };
}
