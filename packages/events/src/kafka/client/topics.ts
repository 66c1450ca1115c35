import type { Admin, ITopicMetadata } from 'kafkajs';
import { pause } from '../../waiting/backoff.ts';
import { tellPartitions } from '../../log/log.ts';
import type { KafkaLogOptions } from './client.ts';
import { asking, patience, whenReady } from './within.ts';

const defaultPartitions = 6;

/**
 * Creates the topics that are missing. It asks the cluster for nothing else, so an administrator may just as well
 * create them beforehand.
 */
export const ensureTopics = (options: KafkaLogOptions, topics: readonly string[]): Promise<void> =>
  asking(options, 'looking for topics', async (admin) => {
    const existing = new Set(await admin.listTopics());
    const missing = [...new Set(topics)].filter((topic) => !existing.has(topic));
    if (missing.length > 0)
      await admin.createTopics({
        // We wait ourselves, also for brokers that have not heard of the topic yet.
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: options.partitions ?? defaultPartitions,
          replicationFactor: options.replicationFactor ?? -1,
          configEntries: [
            { name: 'retention.ms', value: String(options.retention ?? 7 * 24 * 3600 * 1000) },
            { name: 'max.message.bytes', value: String(options.maxMessageBytes ?? 16 * 1024 * 1024) },
          ],
        })),
      });
    for (const { name, partitions } of await leaders(admin, topics))
      tellPartitions(options.onLog, name, partitions.length, options.partitions ?? defaultPartitions);
  });

/**
 * Waits until every partition has a leader: a topic that another process is creating is listed before it can be used.
 */
async function leaders(admin: Admin, topics: readonly string[]): Promise<ITopicMetadata[]> {
  for (const until = Date.now() + patience; ; await pause(100)) {
    const known = await admin.fetchTopicMetadata({ topics: [...new Set(topics)] }).catch((error: unknown) => {
      if (Date.now() > until) throw error;
      return undefined;
    });
    if (known?.topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)))
      return known.topics;
    if (Date.now() > until) throw new Error(`partitions of ${topics.join(', ')} have no leader`);
  }
}

/** A partition and where it ends. */
export interface End {
  topic: string;
  partition: number;
  offset: string;
}

/** Messages that a group has missed. */
export interface Missed {
  /** Topics of which it has never stored an offset. */
  fresh: string[];
  /**
   * The first offsets of those topics. They have to be stored: otherwise the topics would still be fresh next time if
   * nothing is published until then.
   */
  beginnings: End[];
  /** Topics in which the log no longer has the group's next message (or never had it, if this is another log). */
  gone: string[];
  /**
   * Where the group continues in those topics. kafkajs would store its marker for «the beginning» instead, which is not
   * an offset that a group can have reached.
   */
  left: End[];
}

export const missedTopics = (options: KafkaLogOptions, group: string, topics: readonly string[]): Promise<Missed> =>
  asking(options, 'where the group is', async (admin) => {
    const stored = await storedOffsets(admin, group, topics);
    const ranges = new Map(
      await Promise.all(stored.map(async ({ topic }) => [topic, await endsOf(admin, topic)] as const)),
    );
    const left = stored.flatMap(({ topic, partitions }) => {
      const ends = new Map(ranges.get(topic)!.map((end) => [end.partition, end]));
      return partitions.flatMap(({ partition, offset }): End[] => {
        const end = ends.get(partition);
        return offset !== '-1' &&
          end !== undefined &&
          (BigInt(offset) < BigInt(end.low) || BigInt(offset) > BigInt(end.high))
          ? [{ topic, partition, offset: end.low }]
          : [];
      });
    });
    const fresh = stored
      .filter(({ partitions }) => partitions.every(({ offset }) => offset === '-1'))
      .map(({ topic }) => topic);
    const beginnings = fresh.flatMap((topic) =>
      ranges.get(topic)!.map(({ partition, low }) => ({ topic, partition, offset: low })),
    );
    return { fresh, beginnings, gone: [...new Set(left.map(({ topic }) => topic))], left };
  });

/** A group may have no coordinator for a while, for example when it is asked about for the first time. */
const storedOffsets = (admin: Admin, group: string, topics: readonly string[]): ReturnType<Admin['fetchOffsets']> =>
  whenReady(() => admin.fetchOffsets({ groupId: group, topics: [...topics] }));

/** A broker may be named as the leader of a new partition before it knows this itself. */
const endsOf = (admin: Admin, topic: string): ReturnType<Admin['fetchTopicOffsets']> =>
  whenReady(() => admin.fetchTopicOffsets(topic));

/** The ends of the partitions for which a group has not stored an offset yet. */
export const freshEnds = (options: KafkaLogOptions, group: string, topics: readonly string[]): Promise<End[]> =>
  asking(options, 'where topics end', async (admin) => {
    const committed = await storedOffsets(admin, group, topics);
    const found = committed.map(async ({ topic, partitions }) => {
      const fresh = new Set(partitions.filter(({ offset }) => offset === '-1').map(({ partition }) => partition));
      const ends = fresh.size === 0 ? [] : await endsOf(admin, topic);
      return ends
        .filter(({ partition }) => fresh.has(partition))
        .map(({ partition, high }) => ({ topic, partition, offset: high }));
    });
    return (await Promise.all(found)).flat();
  });
