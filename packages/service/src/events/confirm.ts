import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeEvent, type Confirm, type EventLog, topicOf } from '@cadastre/events';
import type { Catalogue } from '@cadastre/model';
import type { Unrecorded } from '../peers/models.ts';

export interface ConfirmOptions {
  /** The service whose events are to be deleted. */
  name: string;
  /** The group by which the change log follows. */
  group: string;
  events: Pick<EventLog, 'mark'>;
  /** Asks the change log. */
  unrecorded(ids: readonly string[]): Promise<Unrecorded>;
  /** Whether the change log should have a record of an event. */
  isRecorded(event: ChangeEvent): boolean;
  /**
   * How long the change log may take to handle what is in the log; if it takes longer, the caller tries again later.
   * Default: 5,000.
   */
  withinMs?: number;
}

const EVERY_MS = 100;
const DAY_MS = 86_400_000;

/** The service that keeps the change records, if there is one. */
export const changeLogOwner = (catalogue: Catalogue): string | undefined => {
  const model = [...catalogue.models.values()].find(({ fromEvents }) => fromEvents);
  return model && catalogue.serviceOf(model.name);
};

/**
 * Lets events be deleted once their change records exist. It first waits until the change log has handled all events of
 * this service that are in the log. An event without a record was then lost on the way, for example because the change
 * log was down for longer than the log keeps messages.
 */
export const confirmBy =
  ({ name, group, events, unrecorded, isRecorded, withinMs = 5_000 }: ConfirmOptions): Confirm =>
  async ({ ids, read }) => {
    const handled = await events.mark(group, [topicOf(name)]);
    const until = Date.now() + withinMs;
    while (!(await handled())) {
      if (Date.now() > until) return null;
      await sleep(EVERY_MS);
    }
    const { event_ids: missing, kept_days: days } = await unrecorded(ids);
    if (missing.length === 0) return new Set();
    const kept = days ? Date.now() - days * DAY_MS : 0;
    return new Set(
      (await read(missing)).filter((event) => Date.parse(event.time) > kept && isRecorded(event)).map(({ id }) => id),
    );
  };
