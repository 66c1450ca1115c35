/** What a message is about, as far as consumers distinguish messages: the part of its key before the colon. */
export function kindOf(key: string): string {
  const end = key.indexOf(':');
  return end < 0 ? key : key.slice(0, end);
}

/** A message to publish. Messages with the same key keep their order. */
export interface Message {
  key: string;
  value: string;
  headers?: Readonly<Record<string, string>>;
  /** The names of the partial replicas that it does not concern, separated by spaces (`RelevanceFilter`). */
  irrelevantTo?: string | undefined;
}

/** How a group skips messages that are marked as not concerning it. */
export interface RelevanceFilter {
  /** The names by which such messages refer to it. */
  names: readonly string[];
  /** Which of them it wants all the same, by their keys; called when it is known that they lie ahead, like `wants`. */
  relevant(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A message as a consumer gets it. */
export interface ReceivedMessage {
  topic: string;
  partition: number;
  /** Its place in the partition; grows, and is not contiguous. A string of digits, as it may exceed 2^53. */
  position: string;
  time: Date;
  key: string;
  value: string;
  headers: Readonly<Record<string, string>>;
}

/** How a failing handler is retried. */
export interface Retry {
  /** How often a message is tried before it is parked; transient failures (`isTransient`) do not count. */
  attempts: number;
  /** The first pause in milliseconds; doubled each time up to `maxDelay`. */
  firstDelay: number;
  maxDelay: number;
}

/** What went wrong, and where. */
export interface FailureContext {
  group: string;
  /** Which part failed: the handler, or the connection to the log. */
  stage: 'handle' | 'log' | 'park';
  /** The message that was being handled, when it is known. */
  message?: ReceivedMessage;
  attempt?: number;
}

/** What a consumer wants from the log. */
export interface ConsumeOptions {
  topics: readonly string[];
  /** Members of one group share the messages by key; every group gets all of them. */
  group: string;
  /**
   * Where a group starts that has never consumed: at the oldest message kept, or with those published from now on.
   * Default: true.
   */
  fromBeginning?: boolean;
  /** The most messages that one call of the handler gets. Default: 200. */
  batchSize?: number;
  /**
   * How long to gather after a batch that was not full, in milliseconds: under load messages then come in groups
   * instead of one by one, while the first after a pause is handled at once. Up to twice as long when handling takes
   * long or batches hold many messages. Default: 0.
   */
  linger?: number;
  /**
   * Called for each batch once it is known which messages lie ahead, so that the answer can take into account
   * everything that was known before a message was published: which kinds of keys matter (`kindOf`). Other messages are
   * skipped without being loaded. Default: all matter.
   */
  wants?(): Promise<(kind: string) => boolean>;
  /** Which messages of the kinds that `wants` names do not matter after all. Default: all matter. */
  relevance?: RelevanceFilter | undefined;
  /**
   * Handles messages, in order; the next call comes when the promise has resolved. Offsets are stored then, or soon
   * after. When it rejects, the batch is tried again, then message by message, so it must be able to see a message
   * twice. A batch may hold messages of several topics.
   */
  handler(batch: readonly ReceivedMessage[]): Promise<void>;
  retry?: Partial<Retry>;
  /**
   * Takes a message that cannot be handled out of the way, for good. Without it such a message is retried for ever, and
   * its partition waits.
   */
  park?(message: ReceivedMessage, error: unknown): Promise<void>;
  /**
   * Called with topics of which the group may have missed messages: it wants them from the beginning and has never
   * consumed them, or the log no longer has the next message. Consuming goes on when the promise has resolved; when it
   * rejects, this is called again.
   */
  onMissed?(topics: readonly string[]): Promise<void>;
  /**
   * Whether an error is transient (default: connection and serialization errors): then the message is retried until it
   * succeeds.
   */
  isTransient?(error: unknown): boolean;
  /** Called with every failure; for logs and metrics. */
  onError?(error: unknown, context: FailureContext): void;
}

/** A running consumer. */
export interface Consumer {
  /** Lets the handler finish its batch, stores the offset, leaves the group. */
  stop(): Promise<void>;
}

/**
 * The log of messages between services: at least once, in order per key, kept for a while, read by any number of
 * groups. `postgres/` and `kafka/` implement it; `contract/suite.ts` says what both must do.
 */
export interface EventLog {
  /** Resolves when the log has stored all messages durably. When it rejects, some may have been stored. */
  publish(topic: string, messages: readonly Message[]): Promise<void>;
  /** Joins the group; resolves when the group's start in each topic is fixed. */
  consume(options: ConsumeOptions): Promise<Consumer>;
  /**
   * Notes where topics end at this moment. The function that it returns says whether a group has handled everything up
   * to there.
   */
  mark(group: string, topics: readonly string[]): Promise<() => Promise<boolean>>;
  /** Creates the topics that are missing. */
  ensureTopics(topics: readonly string[]): Promise<void>;
  /** Stops all consumers and disconnects. */
  close(): Promise<void>;
}

/** Receives log messages about conditions that are not failures of a call. */
export type OnLog = (level: 'error' | 'warn', message: string, detail: Record<string, unknown>) => void;

/**
 * Reports that a topic has another number of partitions than it would be created with. The number stays as it is:
 * changing it would move keys between partitions, and so lose their order.
 */
export function tellPartitions(onLog: OnLog | undefined, topic: string, partitions: number, wanted: number): void {
  if (partitions !== wanted)
    onLog?.(
      'warn',
      `the topic has ${partitions} partitions and keeps them, though ${wanted} are asked for: keys would change places`,
      { topic, partitions, wanted },
    );
}
