import { type ChangeEvent, topicOf } from '../event/event.ts';
import { parseEvent } from '../event/eventText.ts';
import type { ConsumeOptions, Consumer, EventLog, ReceivedMessage } from '../log/log.ts';

/** What to follow: the changes of some services, as one consumer group. */
export interface FollowOptions extends Omit<ConsumeOptions, 'topics' | 'handler' | 'wants'> {
  log: EventLog;
  /** The services whose changes are wanted. */
  services: readonly string[];
  /**
   * Called for each batch: which types of objects matter. Messages about other types are skipped without being read. By
   * default all types matter.
   */
  wants?(): Promise<(objectType: string) => boolean>;
  /** Handles events in order per object; `messages[i]` is the log message of `events[i]`. It may see an event twice. */
  handle(events: ChangeEvent[], messages: readonly ReceivedMessage[]): Promise<void>;
}

/** The options for the log: reads the messages that matter as events, and handles those. */
export function consumption({
  wants,
  handle,
}: Pick<FollowOptions, 'wants' | 'handle'>): Pick<ConsumeOptions, 'wants' | 'handler'> {
  return {
    // The key of an event begins with the type of its object.
    ...(wants ? { wants } : {}),
    handler: (batch) =>
      handle(
        batch.map((message) => parseEvent(message.value)),
        batch,
      ),
  };
}

/** Consumes change events. A message that is not an event is parked at once, if there is a `park`. */
export function follow({ log, services, handle, wants, ...options }: FollowOptions): Promise<Consumer> {
  return log.consume({
    ...options,
    topics: services.map(topicOf),
    ...consumption({ handle, ...(wants ? { wants } : {}) }),
  });
}
