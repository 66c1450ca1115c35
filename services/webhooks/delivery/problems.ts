import { Refusal } from '@cadastre/rest';
import type { Finished } from '../queue/finish.ts';

/** What delivery needs of a logger. */
export interface DeliveryLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

/** What did not work, by what was being done. Deliveries that fail are no problem of this service: they are on record. */
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

/** Says what did not work; what was refused on purpose is no error. */
export const problemsTo =
  (log: DeliveryLog) =>
  (error: unknown, doing: string): void => {
    if (error instanceof Refusal) log.warn({ doing, status: error.status, reason: error.body }, 'this was refused');
    else log.error({ err: error, doing }, MESSAGES[doing] ?? `${doing} failed`);
  };

const QUIET_MS = 60_000;
const MOST_QUIET = 1_000;

/** Says that the policy keeps a webhook from an address: the administrators' own rule at work, once in a while for each. */
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
