import kafkajs, { type Kafka, type Producer } from 'kafkajs';
import { chunks } from '../chunks.ts';
import type { Message } from '../log.ts';

const maxBytes = 1024 * 1024;
const maxCount = 5000;

/** Sends messages, and resolves when all copies in sync have them. */
export interface Sender {
  send(topic: string, messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

/** An idempotent producer that is replaced after a failure. */
export function createSender(kafka: Kafka): Sender {
  let current: Promise<Producer> | null = null;

  const connect = async (): Promise<Producer> => {
    // One request in flight and sequence numbers: kafkajs's own retries neither repeat nor reorder.
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false, retry: { retries: 5, initialRetryTime: 100 } });
    await producer.connect();
    return producer;
  };

  return {
    async send(topic, messages) {
      current ??= connect();
      const mine = current;
      try {
        const producer = await mine;
        for (const run of chunks(messages, maxBytes, maxCount)) {
          await producer.send({
            topic,
            acks: -1,
            compression: kafkajs.CompressionTypes.GZIP,
            messages: run.map(({ key, value, headers }) => ({ key, value, ...(headers ? { headers: { ...headers } } : {}) })),
          });
        }
      } catch (error) {
        // After a failure the broker may have counted a sequence number that the producer has not: it would take the next messages for
        // repeated ones and drop them. A new producer starts a new sequence.
        if (current === mine) current = null;
        mine.then((producer) => producer.disconnect()).catch(() => {});
        throw error;
      }
    },
    async close() {
      const producer = await current?.catch(() => null);
      current = null;
      await producer?.disconnect();
    },
  };
}
