import type { EachBatchPayload } from 'kafkajs';
import { createClient, type KafkaLogOptions, stallOf } from '../client/client.ts';
import type { End } from '../client/topics.ts';
import { watch } from './watch.ts';
import { unlessAborted, within } from '../client/within.ts';

/** How long members may take to finish what they are handling when the group rebalances, in milliseconds. */
const rebalanceTimeout = 60_000;
/**
 * The messages of up to this many partitions of one fetch are handed over at once; the handler gets them in one batch.
 */
const PARTITIONS = 100;
/**
 * How long leaving the group may take, and storing offsets for the last time before that, in milliseconds. A member
 * that does not leave in time is removed by the group after the session's timeout.
 */
export const leaveWithin = 5_000;

/**
 * Members that are leaving, including those that nobody waits for any more: kafkajs keeps trying for a while to reach
 * brokers that are gone.
 */
const leaving = new Set<Promise<void>>();

/** Resolves when all members of this process have finished leaving. */
export const allLeft = async (): Promise<void> => {
  await Promise.allSettled(leaving);
};

export interface MemberOptions {
  log: KafkaLogOptions;
  group: string;
  topics: readonly string[];
  /**
   * Where to start in partitions for which the group has no usable stored offset. In others it starts at the stored
   * offset, or at the beginning.
   */
  starts: readonly End[];
  /** Partitions were assigned; what was known of earlier ones is no longer valid. */
  onJoin(): void;
  /**
   * The member gives its partitions back, because it leaves or because the group rebalances: the last moment to store
   * how far it has come. Never fails, and ends soon.
   */
  onLeave(): Promise<void>;
  /** All that was fetched before has been handled, or given up. */
  onFetch(): void;
  /**
   * Handles messages of one partition until the signal says that the member is over. Called for several partitions at
   * once.
   */
  handle(payload: EachBatchPayload, over: AbortSignal): Promise<void>;
  /** Resolves when no message is being handled. */
  idle(): Promise<unknown>;
  /** Ends the member, even while it is still joining. */
  stopping: AbortSignal;
}

/**
 * One member of a group, by one client of kafkajs. It reads until it ends, and is never repaired: a new one is made
 * instead.
 */
export interface Member {
  /** Aborted when the member is over, with the reason. */
  over: AbortSignal;
  /** Lets the handler finish, and leaves the group. */
  end(): Promise<void>;
}

/**
 * Joins a group. kafkajs has several ways to hang without an error: a request on a lost connection may wait for ever, a
 * connection that the other end no longer knows may be used again and again, and ending a client may wait for the same.
 * So a member counts as working only as long as it shows activity, and the connections that it leaves behind are
 * closed.
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
    // Joining may mean waiting for the other members, as long as there still is a connection to wait on.
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
    // Before the first fetch, and for our own partitions only: every member does this for the partitions that it gets.
    starts ??= options.starts.filter(({ topic, partition }) => {
      const mine = payload.memberAssignment[topic]?.includes(partition) === true;
      if (mine) consumer.seek(options.starts.find((start) => start.topic === topic && start.partition === partition)!);
      return mine;
    });
    joined.resolve();
  });

  const end = async (): Promise<void> => {
    // A member that was given up because it hangs would only wait in vain.
    if (!failing.signal.aborted) await options.onLeave();
    failing.abort(new Error('ended'));
    const left = consumer.disconnect().finally(() => leaving.delete(left));
    leaving.add(left);
    left.catch(() => {});
    // However long it takes: no other member may begin before the handler has finished.
    await options.idle();
    await within(leaveWithin, `leaving ${group}`, left).catch(() => {});
    signs.stop();
    client.destroy();
  };

  const join = async (): Promise<void> => {
    await consumer.connect();
    // Only matters for partitions without a stored offset.
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
