import type { Consumer, EventLog } from '../log/log.ts';
import { createClient, type KafkaLogOptions, stallOf } from './client/client.ts';
import { startConsumer } from './consumer/consumer.ts';
import { createMarker } from './mark.ts';
import { createSender } from './producer.ts';
import { ensureTopics } from './client/topics.ts';

/** The event log on Apache Kafka, for deployments. */
export function createKafkaLog(options: KafkaLogOptions): EventLog {
  const sender = createSender(() => createClient(options), stallOf(options));
  const marker = createMarker(options);
  const consumers = new Set<Consumer>();
  const known = new Set<string>();

  const ensure = async (topics: readonly string[]): Promise<void> => {
    const unknown = topics.filter((topic) => !known.has(topic));
    if (unknown.length === 0) return;
    await ensureTopics(options, unknown);
    for (const topic of unknown) known.add(topic);
  };

  return {
    async publish(topic, messages) {
      if (messages.length === 0) return;
      await ensure([topic]);
      await sender.send(topic, messages);
    },
    ensureTopics: ensure,
    mark: marker.mark,
    async consume(wanted) {
      await ensure(wanted.topics);
      const consumer = await startConsumer(options, wanted);
      consumers.add(consumer);
      return {
        async stop() {
          consumers.delete(consumer);
          await consumer.stop();
        },
      };
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      consumers.clear();
      await marker.close();
      await sender.close();
    },
  };
}
