import { Refusal } from '@cadastre/rest';
import type { Finished } from '../queue/finish.ts';

/** What delivery needs of a logger. */
export interface DeliveryLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

/** Log messages by the operation that failed. Failed deliveries are not among them: they are on record. */
const MESSAGES: Readonly<Record<string, string>> = {
  claim: 'deliveries could not be taken from the queue; trying again',
  record: 'outcomes of deliveries could not be written; trying again',
  lease: 'what is under way could not be kept; trying again',
  listen: 'the connection that wakes workers failed; it is made again',
  'give back': 'deliveries could not be put back; they are when their leases end',
  leave: 'the worker could not be taken off the list',
  upkeep: 'upkeep of deliveries failed; trying again',
  replay: 'a replay failed',
};

/** Logs what failed; a deliberate refusal is only a warning. */
export const problemsTo =
  (log: DeliveryLog) =>
  (error: unknown, doing: string): void => {
    if (error instanceof Refusal) log.warn({ doing, status: error.status, reason: error.body }, 'this was refused');
    else log.error({ err: error, doing }, MESSAGES[doing] ?? `${doing} failed`);
  };

const QUIET_MS = 60_000;
const MOST_QUIET = 1_000;

/**
 * Logs that the policy forbids a webhook's address, once in a while for each webhook; the policy is the administrators'
 * own rule.
 */
export function refusalsTo(log: DeliveryLog, now: () => number = Date.now): (finished: Finished) => void {
  const told = new Map<number, number>();
  return ({ delivery: { id, webhookId }, outcome: { error } }) => {
    if (error?.kind !== 'policy') return;
    const moment = now();
    if ((told.get(webhookId) ?? Number.NEGATIVE_INFINITY) > moment - QUIET_MS) return;
    if (told.size >= MOST_QUIET) told.clear();
    told.set(webhookId, moment);
    log.warn(
      { delivery: id, webhook: webhookId, reason: error.text },
      'a delivery was refused by the rules for addresses',
    );
  };
}
