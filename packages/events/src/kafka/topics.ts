import type { Kafka } from 'kafkajs';
import type { KafkaLogOptions } from './client.ts';

/** Creates the topics that are missing; nothing is asked of the cluster beyond that, so they may as well be made by an administrator. */
export async function ensureTopics(kafka: Kafka, topics: readonly string[], options: KafkaLogOptions): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = [...new Set(topics)].filter((topic) => !existing.has(topic));
    if (missing.length === 0) return;
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map((topic) => ({
        topic,
        numPartitions: options.partitions ?? 6,
        replicationFactor: options.replicationFactor ?? -1,
        configEntries: [
          { name: 'retention.ms', value: String(options.retention ?? 7 * 24 * 3600 * 1000) },
          { name: 'max.message.bytes', value: String(options.maxMessageBytes ?? 16 * 1024 * 1024) },
        ],
      })),
    });
  } finally {
    await admin.disconnect();
  }
}

/**
 * Lets a group that has never consumed a topic start at its end. Set beforehand and for good: a reset to «latest» while consuming would skip
 * what is published before the first read.
 */
export async function startAtEnd(kafka: Kafka, group: string, topics: readonly string[]): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] });
    for (const { topic, partitions } of committed) {
      const fresh = new Set(partitions.filter(({ offset }) => offset === '-1').map(({ partition }) => partition));
      if (fresh.size === 0) continue;
      const ends = (await admin.fetchTopicOffsets(topic)).filter(({ partition }) => fresh.has(partition));
      await admin.setOffsets({ groupId: group, topic, partitions: ends.map(({ partition, high }) => ({ partition, offset: high })) });
    }
  } finally {
    await admin.disconnect();
  }
}
