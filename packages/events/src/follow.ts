import { type ChangeEvent, parseEvent, topicOf } from './event.ts';
import type { ConsumeOptions, Consumer, EventLog, ReceivedMessage } from './log.ts';

/** What to follow: the changes of some services, as one consumer group. */
export interface FollowOptions extends Omit<ConsumeOptions, 'topics' | 'handler'> {
  log: EventLog;
  /** The services whose changes are wanted. */
  services: readonly string[];
  /** Handles events in order per object; `messages[i]` is the log message of `events[i]`. It may see an event twice. */
  handle(events: ChangeEvent[], messages: readonly ReceivedMessage[]): Promise<void>;
}

/** Consumes change events. A message that is none is parked at once, if there is a `park`. */
export function follow({ log, services, handle, ...options }: FollowOptions): Promise<Consumer> {
  return log.consume({
    ...options,
    topics: services.map(topicOf),
    handler: (batch) => handle(batch.map((message) => parseEvent(message.value)), batch),
  });
}
