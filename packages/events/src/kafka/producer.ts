import kafkajs, { type Producer } from 'kafkajs';
import { chunks } from '../log/chunks.ts';
import { irrelevantToHeader } from '../log/relevance.ts';
import type { Message } from '../log/log.ts';
import type { Client } from './client/client.ts';
import { within } from './client/within.ts';

const maxBytes = 1024 * 1024;
const maxCount = 5000;

/** Sends messages, and resolves when all copies in sync have them. */
export interface Sender {
  send(topic: string, messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

interface Sending {
  producer: Promise<Producer>;
  end(): void;
}

/** An idempotent producer that is replaced after a failure, and when the brokers do not answer within `stall`. */
export function createSender(open: () => Client, stall: number): Sender {
  let current: Sending | null = null;

  const connect = (): Sending => {
    const { kafka, destroy } = open();
    // With one request in flight and sequence numbers, the retries of kafkajs neither repeat nor reorder messages.
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      retry: { retries: 5, initialRetryTime: 100 },
    });
    return { producer: producer.connect().then(() => producer), end: destroy };
  };

  return {
    async send(topic, messages) {
      const mine = (current ??= connect());
      try {
        const producer = await within(stall, 'connecting to send', mine.producer);
        for (const run of chunks(messages, maxBytes, maxCount)) {
          await within(
            stall,
            `sending to ${topic}`,
            producer.send({
              topic,
              acks: -1,
              compression: kafkajs.CompressionTypes.GZIP,
              messages: run.map(({ key, value, headers, irrelevantTo }) => ({
                key,
                value,
                ...(headers || irrelevantTo
                  ? { headers: { ...headers, ...(irrelevantTo ? { [irrelevantToHeader]: irrelevantTo } : {}) } }
                  : {}),
              })),
            }),
          );
        }
      } catch (error) {
        // After a failure the broker may have counted a sequence number that the producer has not: it would take the
        // next messages for repeated ones and drop them. A new producer starts a new sequence; the old one must not go
        // on sending what the new one sends again.
        if (current === mine) current = null;
        mine.end();
        throw error;
      }
    },
    async close() {
      const mine = current;
      current = null;
      await mine?.producer.then((producer) => within(stall, 'taking leave', producer.disconnect())).catch(() => {});
      mine?.end();
    },
  };
}
