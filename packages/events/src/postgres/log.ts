import pg from 'pg';
import type { Consumer, EventLog, OnLog } from '../log/log.ts';
import { type ListenerOptions, listen } from '../waiting/listener.ts';
import { answerWithinMs } from '../failures/unanswered.ts';
import { startConsumer, type WakeableConsumer } from './consumer/consumer.ts';
import { ensureTopics, publish } from './publish.ts';
import { createHeartbeat } from './consumer/heartbeat.ts';
import { mark } from './mark.ts';
import { createSchema, groupChannel, messageChannel } from './tables/schema.ts';
import { Tail } from './consumer/tail.ts';
import { startTrimming } from './trim.ts';

export interface PostgresLogOptions {
  /** The database of the log; the schema `log` is created in it. */
  connection: string | pg.PoolConfig;
  /** Connections to it, which are ended with the log. Default: four of its own. */
  pool?: pg.Pool;
  /** Partitions of a new topic: this many members of a group can share it. Default: 6. */
  partitions?: number;
  /** How long a member of a group that sends no heartbeat keeps its partitions, in milliseconds. Default: 5000. */
  lease?: number;
  /** How often consumers look without having been woken, in milliseconds. Default: 10,000. */
  poll?: number;
  /** How long messages are kept, in milliseconds. Default: 7 days. */
  retention?: number;
  /**
   * How long the database may take to accept a connection, and to run a statement, in milliseconds. Default: 30,000.
   */
  timeout?: number;
  /** The most bytes of messages in a batch; a larger message is a batch of its own. Default: 8 MiB. */
  maxBatchBytes?: number;
  /** Called when the background connection or the trimming fails; both try again. */
  onError?(error: unknown): void;
  /** Receives all other log messages. */
  onLog?: OnLog;
}

/** The event log on one PostgreSQL database, for a machine with nothing else installed. */
export async function createPostgresLog(options: PostgresLogOptions): Promise<EventLog> {
  const timeout = options.timeout ?? 30_000;
  const config: pg.PoolConfig = {
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    idle_in_transaction_session_timeout: timeout,
    keepAlive: true,
    // The server ends statements that take too long; if it does not even answer that, it is gone.
    query_timeout: timeout + answerWithinMs,
    ...(typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection),
  };
  const onError = (error: unknown): void => options.onError?.(error);
  const pool = options.pool ?? new pg.Pool({ max: 4, ...config });
  pool.on('error', onError);
  const consumers = new Set<WakeableConsumer>();
  const partitions = options.partitions ?? 6;
  const ensure = (topics: readonly string[]): Promise<void> => ensureTopics(pool, topics, partitions, options.onLog);
  const lease = options.lease ?? 5000;
  const heart = createHeartbeat(pool, lease);
  const settings = {
    lease,
    poll: options.poll ?? 10_000,
    maxBatchBytes: options.maxBatchBytes ?? 8 * 1024 * 1024,
  };

  try {
    await createSchema(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const stopTrimming = startTrimming(pool, options.retention ?? 7 * 24 * 3600 * 1000, onError);

  const tail = new Tail(pool);
  const startAnew = (): void => {
    tail.forget();
    for (const consumer of consumers) {
      heart.wake(consumer.group);
      consumer.startAnew();
    }
  };
  const onNotify: ListenerOptions['onNotify'] = (channel, payload) => {
    if (channel === messageChannel) tail.wake();
    if (channel === groupChannel) heart.wake(payload);
    for (const consumer of consumers) {
      if (channel === messageChannel && consumer.topics.some((topic) => String(topic.id) === payload))
        consumer.wakeForMessages();
    }
  };
  // A process that only publishes needs no second connection.
  let stopListening: (() => Promise<void>) | null = null;
  const startListening = (): void => {
    stopListening ??= listen({
      connection: config,
      channels: [messageChannel, groupChannel],
      onNotify,
      onConnect: startAnew,
      onError,
    });
  };

  return {
    async publish(topic, messages) {
      if (await publish(pool, topic, messages)) return;
      await ensure([topic]);
      if (!(await publish(pool, topic, messages))) throw new Error(`the topic ${topic} vanished`);
    },
    ensureTopics: ensure,
    mark: (group, topics) => mark(pool, group, topics),
    async consume(wanted): Promise<Consumer> {
      await ensure(wanted.topics);
      startListening();
      const consumer = await startConsumer(pool, heart, tail, wanted, settings);
      consumers.add(consumer);
      await pool.query(`select pg_notify('${groupChannel}', $1)`, [wanted.group]);
      return {
        async stop() {
          await consumer.stop();
          consumers.delete(consumer);
        },
      };
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      consumers.clear();
      await stopListening?.();
      await stopTrimming();
      await pool.end();
    },
  };
}
