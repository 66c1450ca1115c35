import type { Admin, Kafka } from 'kafkajs';

export interface Marker {
  mark(group: string, topics: readonly string[]): Promise<() => Promise<boolean>>;
  close(): Promise<void>;
}

/** Asks where topics end and where groups are, over one connection that is made when it is needed. */
export function createMarker(kafka: Kafka): Marker {
  let connected: Promise<Admin> | undefined;
  const close = async (): Promise<void> => {
    const admin = connected;
    connected = undefined;
    await (await admin?.catch(() => undefined))?.disconnect();
  };
  const asking = async <T>(ask: (admin: Admin) => Promise<T>): Promise<T> => {
    connected ??= (async () => {
      const admin = kafka.admin();
      await admin.connect();
      return admin;
    })();
    try {
      return await ask(await connected);
    } catch (error) {
      // The next question gets a new connection.
      await close().catch(() => {});
      throw error;
    }
  };
  return {
    async mark(group, topics) {
      const ends = await asking((admin) => Promise.all(topics.map(async (topic) => ({ topic, partitions: await admin.fetchTopicOffsets(topic) }))));
      // A partition without messages has no end to come to.
      const wanted = new Map(ends.flatMap(({ topic, partitions }) => partitions.filter(({ low, high }) => high !== low).map(({ partition, high }) => [`${topic} ${partition}`, BigInt(high)] as const)));
      return async () => {
        const stored = await asking((admin) => admin.fetchOffsets({ groupId: group, topics: [...topics] }));
        return stored.every(({ topic, partitions }) => partitions.every(({ partition, offset }) => BigInt(offset) >= (wanted.get(`${topic} ${partition}`) ?? -1n)));
      };
    },
    close,
  };
}
