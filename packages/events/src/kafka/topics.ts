import type { Admin, ITopicMetadata, Kafka } from 'kafkajs';
import { pause } from '../backoff.ts';
import { tellPartitions } from '../log.ts';
import type { KafkaLogOptions } from './client.ts';

const defaultPartitions = 6;

/** Creates the topics that are missing; nothing is asked of the cluster beyond that, so they may as well be made by an administrator. */
export async function ensureTopics(kafka: Kafka, topics: readonly string[], options: KafkaLogOptions): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = [...new Set(topics)].filter((topic) => !existing.has(topic));
    if (missing.length > 0) await admin.createTopics({
      waitForLeaders: true,
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
    for (const { name, partitions } of await leaders(admin, topics)) tellPartitions(options.onLog, name, partitions.length, options.partitions ?? defaultPartitions);
  } finally {
    await admin.disconnect();
  }
}

/** How long a topic may be without leaders, in milliseconds. */
const leadersWithin = 30_000;

/** Waits until every partition has a leader: a topic that another process is creating is listed before it can be used. */
async function leaders(admin: Admin, topics: readonly string[]): Promise<ITopicMetadata[]> {
  for (const until = Date.now() + leadersWithin; ; await pause(100, new AbortController().signal)) {
    const known = await admin.fetchTopicMetadata({ topics: [...new Set(topics)] }).catch((error: unknown) => {
      if (Date.now() > until) throw error;
      return undefined;
    });
    if (known?.topics.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0))) return known.topics;
    if (Date.now() > until) throw new Error(`partitions of ${topics.join(', ')} have no leader`);
  }
}

/** A partition and where it ends. */
export interface End {
  topic: string;
  partition: number;
  offset: string;
}

/** Topics of which a group has never stored an offset, and those where the log does not have any more (or, being another log, never had) what comes next. */
export async function missedTopics(kafka: Kafka, group: string, topics: readonly string[]): Promise<{ fresh: string[]; gone: string[] }> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const stored = await storedOffsets(admin, group, topics);
    const outside = await Promise.all(stored.map(async ({ topic, partitions }) => {
      const ends = new Map((await admin.fetchTopicOffsets(topic)).map((end) => [end.partition, end]));
      return partitions.some(({ partition, offset }) => { const end = ends.get(partition); return offset !== '-1' && end !== undefined && (BigInt(offset) < BigInt(end.low) || BigInt(offset) > BigInt(end.high)); });
    }));
    const fresh = stored.filter(({ partitions }) => partitions.every(({ offset }) => offset === '-1')).map(({ topic }) => topic);
    return { fresh, gone: stored.filter((_, i) => outside[i]).map(({ topic }) => topic) };
  } finally {
    await admin.disconnect();
  }
}

/** How long a group may be without a coordinator, as it is when it is first asked about, in milliseconds. */
const coordinatorWithin = 30_000;

async function storedOffsets(admin: Admin, group: string, topics: readonly string[]): ReturnType<Admin['fetchOffsets']> {
  for (const until = Date.now() + coordinatorWithin; ; await pause(200, new AbortController().signal)) {
    try {
      return await admin.fetchOffsets({ groupId: group, topics: [...topics] });
    } catch (error) {
      if ((error as { retriable?: boolean }).retriable !== true || Date.now() > until) throw error;
    }
  }
}

/** Where the partitions end in which a group has stored no offset yet. */
export async function freshEnds(kafka: Kafka, group: string, topics: readonly string[]): Promise<End[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const committed = await storedOffsets(admin, group, topics);
    const found = committed.map(async ({ topic, partitions }) => {
      const fresh = new Set(partitions.filter(({ offset }) => offset === '-1').map(({ partition }) => partition));
      const ends = fresh.size === 0 ? [] : await admin.fetchTopicOffsets(topic);
      return ends.filter(({ partition }) => fresh.has(partition)).map(({ partition, high }) => ({ topic, partition, offset: high }));
    });
    return (await Promise.all(found)).flat();
  } finally {
    await admin.disconnect();
  }
}
