import type { EachBatchPayload } from 'kafkajs';
import { createClient, type KafkaLogOptions, stallOf } from '../client/client.ts';
import type { End } from '../client/topics.ts';
import { watch } from './watch.ts';
import { unlessAborted, within } from '../client/within.ts';

/**
 * How long members may take to finish what they have in hand when the group shares its partitions anew, in
 * milliseconds.
 */
const rebalanceTimeout = 60_000;
/** Of so many partitions what one fetch brought is handed over at once; the handler gets it in one piece. */
const PARTITIONS = 100;
/**
 * How long taking leave of the group may take, and storing for the last time before, in milliseconds. Whoever does not
 * is missed after the session's timeout.
 */
export const leaveWithin = 5_000;

/**
 * Those who are taking leave, also when nobody waits for them any more: kafkajs tries for a while to reach brokers that
 * are gone.
 */
const leaving = new Set<Promise<void>>();

/** Resolves when all that were members in this process are through with it. */
export const allLeft = async (): Promise<void> => {
  await Promise.allSettled(leaving);
};

export interface MemberOptions {
  log: KafkaLogOptions;
  group: string;
  topics: readonly string[];
  /**
   * Where to start in partitions of which the group has stored no offset that is of use. Else it starts at what it has
   * stored, or at the beginning.
   */
  starts: readonly End[];
  /** Partitions were given out; what is known of those before does not hold any more. */
  onJoin(): void;
  /**
   * The member gives its partitions back, of its own will or because the group shares them anew: the last moment to
   * store how far it has come. Never fails, and ends soon.
   */
  onLeave(): Promise<void>;
  /** All that was fetched before has been handled, or given up. */
  onFetch(): void;
  /**
   * Handles messages of one partition until the signal says that the member is over. Called for several partitions at
   * once.
   */
  handle(payload: EachBatchPayload, over: AbortSignal): Promise<void>;
  /** Resolves when nothing is in the handler's hands. */
  idle(): Promise<unknown>;
  /** Ends the member, also while it still joins. */
  stopping: AbortSignal;
}

/**
 * One member of a group, by one client of kafkajs. It reads until it is over, and is never mended: another is made
 * then.
 */
export interface Member {
  /** Aborted when the member is over, with the reason. */
  over: AbortSignal;
  /** Lets the handler finish, and leaves the group. */
  end(): Promise<void>;
}

/**
 * Joins a group. kafkajs has several ways to fall silent without an error: a request on a connection that is gone may
 * wait for ever, a connection of which the other end knows nothing any more is asked again and again, and ending a
 * client may wait for the same. So it is believed only as long as it gives signs of life, and what it leaves behind is
 * cut off.
 */
export async function joinGroup(options: MemberOptions): Promise<Member> {
  const { log, group, topics } = options;
  const client = createClient(log);
  const stall = stallOf(log);
  const sessionTimeout = log.sessionTimeout ?? 10_000;
  const heartbeatInterval = Math.floor(sessionTimeout / 4);
  const consumer = client.kafka.consumer({
    groupId: group,
    sessionTimeout,
    heartbeatInterval,
    rebalanceTimeout,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 500,
    maxBytes: 8 * 1024 * 1024,
    maxBytesPerPartition: 1024 * 1024,
    retry: { retries: 10, initialRetryTime: 200, maxRetryTime: 5000, restartOnFailure: async () => false },
  });
  const failing = new AbortController();
  const over = AbortSignal.any([failing.signal, options.stopping]);
  const joined = Promise.withResolvers<void>();

  let joining = true;
  const signs = watch({
    // Whoever joins may have to wait for the others, if there still is a connection to wait on.
    limit: () => (joining && client.connections() > 0 ? stall + rebalanceTimeout : stall),
    onSilence: (seconds) =>
      failing.abort(
        new Error(
          `no sign of life from the brokers for ${seconds} s while ${joining ? 'joining' : 'reading'}; another client takes over`,
        ),
      ),
  });
  const { events } = consumer;
  for (const sign of [
    events.FETCH,
    events.HEARTBEAT,
    events.COMMIT_OFFSETS,
    events.START_BATCH_PROCESS,
    events.END_BATCH_PROCESS,
    events.CONNECT,
  ] as const)
    consumer.on(sign, signs.alive);
  consumer.on(events.REBALANCING, () => {
    joining = true;
    signs.alive();
    void options.onLeave();
  });
  consumer.on(events.FETCH_START, options.onFetch);
  consumer.on(events.CRASH, ({ payload }) => failing.abort(payload.error));
  let starts: readonly End[] | undefined;
  consumer.on(events.GROUP_JOIN, ({ payload }) => {
    joining = false;
    signs.alive();
    options.onJoin();
    // Before the first fetch, and for our own partitions only: each member does this for those that it gets.
    starts ??= options.starts.filter(({ topic, partition }) => {
      const mine = payload.memberAssignment[topic]?.includes(partition) === true;
      if (mine) consumer.seek(options.starts.find((start) => start.topic === topic && start.partition === partition)!);
      return mine;
    });
    joined.resolve();
  });

  const end = async (): Promise<void> => {
    // Who has been given up for silent would only wait in vain.
    if (!failing.signal.aborted) await options.onLeave();
    failing.abort(new Error('ended'));
    const left = consumer.disconnect().finally(() => leaving.delete(left));
    leaving.add(left);
    left.catch(() => {});
    // However long it takes: nobody else may begin before.
    await options.idle();
    await within(leaveWithin, `leaving ${group}`, left).catch(() => {});
    signs.stop();
    client.destroy();
  };

  const join = async (): Promise<void> => {
    await consumer.connect();
    // Matters for partitions without a stored offset only.
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS,
      eachBatch: (payload) => options.handle(payload, over),
    });
    await joined.promise;
    if (starts && starts.length > 0) await consumer.commitOffsets([...starts]);
  };
  try {
    over.throwIfAborted();
    await unlessAborted(over, join());
  } catch (error) {
    await end();
    throw error;
  }
  return { over, end };
}
