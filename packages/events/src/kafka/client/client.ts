import type { ConnectionOptions } from 'node:tls';
import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs';
import type { OnLog } from '../../log/log.ts';
import { calmRequestQueue } from './request-queue.ts';
import { createSockets } from './sockets.ts';
import { boundReading } from './unreadable.ts';

export interface KafkaLogOptions {
  brokers: readonly string[];
  clientId?: string;
  /** TLS: true, or certificates. */
  ssl?: boolean | ConnectionOptions;
  sasl?: SASLOptions;
  /** Partitions of a topic that has to be created. Default: 6. */
  partitions?: number;
  /** Copies of a topic that has to be created. Default: the cluster's own default. */
  replicationFactor?: number;
  /** How long messages of a topic that has to be created are kept, in milliseconds. Default: 7 days. */
  retention?: number;
  /** The largest message that a topic that has to be created takes, compressed, in bytes. Default: 16 MiB. */
  maxMessageBytes?: number;
  /** How long a group member that sends no heartbeat keeps its partitions, in milliseconds. Default: 10,000. */
  sessionTimeout?: number;
  /**
   * How long a client may wait for the brokers without an answer before it is replaced, in milliseconds. Default:
   * 30,000.
   */
  stall?: number;
  /** Receives the log messages of kafkajs. */
  onLog?: OnLog;
}

// We limit the retries on purpose: a producer that gives up is replaced, and the relay sends again.
const expected = 'Limiting retries for the idempotent producer';

/** How long a client may wait for the brokers without an answer. */
export const stallOf = ({ stall = 30_000 }: Pick<KafkaLogOptions, 'stall'>): number => stall;

/** A client with connections of its own. */
export interface Client {
  kafka: Kafka;
  /** How many connections it has. */
  connections(): number;
  /**
   * Ends its connections, so that it neither waits on them nor sends anything more. To be called when a client is no
   * longer used.
   */
  destroy(): void;
}

/** A client; it connects when it is used. */
export function createClient(options: KafkaLogOptions): Client {
  calmRequestQueue();
  boundReading(options.onLog);
  const { Kafka, logLevel } = kafkajs;
  // kafkajs warns of its new partitioner, which is the one that we want (as in Java), unless this is set when the
  // client is made.
  process.env.KAFKAJS_NO_PARTITIONER_WARNING ??= '1';
  const sockets = createSockets();
  let over = false;
  const kafka = new Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId ?? 'cadastre',
    ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    ...(options.sasl === undefined ? {} : { sasl: options.sasl }),
    connectionTimeout: 5000,
    requestTimeout: stallOf(options),
    socketFactory: sockets.factory,
    // Enough for a group coordinator that is not there yet, as in a cluster that has just started.
    retry: { initialRetryTime: 200, maxRetryTime: 5000, retries: 10 },
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ level, log: { message, timestamp: _timestamp, logger: _logger, ...detail } }) => {
        if (!over && !message.startsWith(expected))
          options.onLog?.(level === logLevel.ERROR ? 'error' : 'warn', message, detail);
      },
  });
  return {
    kafka,
    connections: sockets.open,
    destroy() {
      over = true;
      sockets.destroy();
    },
  };
}
