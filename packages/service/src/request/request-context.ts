import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** The response that identifies a request to the watchdog. */
type Answering = Pick<ServerResponse, 'req'> & { locals?: { route?: unknown } };

/** A request, or the kind of work. */
export type WorkOf = Answering | string;

/** The request on whose behalf code runs. */
interface RequestContext {
  readonly id: string;
  /** What the watchdog reports, once a step of the request has begun (`current-work.ts`). */
  work?: WorkOf;
  /**
   * Writes that were made elsewhere before the request (`write-positions.ts`), for the services that are called for it.
   */
  readonly pendingWrites?: string;
}

const requests = new AsyncLocalStorage<RequestContext>();

/** The request for which this code runs, if any. */
export const currentRequest = (): RequestContext | undefined => requests.getStore();

/** The id of the request that this code runs for, if any. */
export const currentRequestId = (): string | undefined => requests.getStore()?.id;

/** The writes that services called for this request must have seen, if any. */
export const currentPendingWrites = (): string | undefined => requests.getStore()?.pendingWrites;

/**
 * Runs `work` for a request: its log lines and its calls to other services carry the id, and the calls also name the
 * writes that the called service must have seen first.
 */
export const withRequestId = <T>(id: string, work: () => T, pendingWrites?: string): T =>
  requests.run(pendingWrites === undefined ? { id } : { id, pendingWrites }, work);

/**
 * Runs `work` of a request so that the services that it calls answer with what they know now, without waiting for
 * earlier writes.
 */
export const withoutPendingWrites = <T>(work: () => T): T => requests.run(sameRequest(), work);

/** Runs `work` of a request so that the services that it calls wait for these writes first. */
export const withPendingWrites = <T>(pendingWrites: string, work: () => T): T =>
  requests.run({ ...sameRequest(), pendingWrites }, work);

/** The current request, without pending writes. */
function sameRequest(): RequestContext {
  const { id = '', work } = requests.getStore() ?? {};
  return work === undefined ? { id } : { id, work };
}
