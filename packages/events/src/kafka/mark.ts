import type { Admin } from 'kafkajs';
import { createClient, type KafkaLogOptions, stallOf } from './client/client.ts';
import { within } from './client/within.ts';

export interface Marker {
  mark(group: string, topics: readonly string[]): Promise<() => Promise<boolean>>;
  close(): Promise<void>;
}

/** Asks where topics end and where groups are, over one connection that is made when it is needed. */
export function createMarker(options: KafkaLogOptions): Marker {
  let current: { admin: Promise<Admin>; end(): void } | undefined;
  const connect = (): NonNullable<typeof current> => {
    // Our time limit is the shorter one: otherwise kafkajs would report that it has not found the group's coordinator.
    const client = createClient({ ...options, stall: 2 * stallOf(options) });
    const admin = client.kafka.admin();
    return { admin: admin.connect().then(() => admin), end: client.destroy };
  };
  const asking = async <T>(ask: (admin: Admin) => Promise<T>): Promise<T> => {
    const mine = (current ??= connect());
    try {
      return await within(stallOf(options), 'how far a group is', mine.admin.then(ask));
    } catch (error) {
      // The next question gets a new connection.
      if (current === mine) current = undefined;
      mine.end();
      throw error;
    }
  };
  return {
    async mark(group, topics) {
      const ends = await asking((admin) =>
        Promise.all(topics.map(async (topic) => ({ topic, partitions: await admin.fetchTopicOffsets(topic) }))),
      );
      // A partition without messages has no end that the group could have yet to reach.
      const wanted = new Map(
        ends.flatMap(({ topic, partitions }) =>
          partitions
            .filter(({ low, high }) => high !== low)
            .map(({ partition, high }) => [`${topic} ${partition}`, BigInt(high)] as const),
        ),
      );
      return async () => {
        const stored = await asking((admin) => admin.fetchOffsets({ groupId: group, topics: [...topics] }));
        return stored.every(({ topic, partitions }) =>
          partitions.every(({ partition, offset }) => {
            const end = wanted.get(`${topic} ${partition}`);
            return end === undefined || BigInt(offset) >= end;
          }),
        );
      };
    },
    async close() {
      current?.end();
      current = undefined;
    },
  };
}
