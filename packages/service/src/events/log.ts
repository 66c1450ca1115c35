import type { EventLog } from '@cadastre/events';
import { createPostgresLog } from '@cadastre/events/postgres';
import { answerWithinMs } from '@cadastre/events/unanswered';
import { type Config, ConfigError } from '../settings/config.ts';
import { type Connections, createConnections } from '../database/connections.ts';
import type { Log } from '../observe/log.ts';
import { kafkaOptions } from './kafkaOptions.ts';

/**
 * The event log that the settings select: Kafka if there are brokers, otherwise PostgreSQL, of which a process has one
 * for all its services.
 */
export async function openEventLog(
  name: string,
  config: Config,
  log: Log,
  connections: Connections = createConnections(),
): Promise<EventLog> {
  // kafkajs logs errors that it will retry; final ones reject the caller's promise, and the caller reports them.
  const onLog = (_level: string, message: string, detail: Record<string, unknown>) => log.warn(detail, message);
  if (config.kafkaBrokers.length) {
    // Imported only here: loading it takes a thirtieth of a service's start, and small installations do not use it.
    const { createKafkaLog } = await import('@cadastre/events/kafka');
    return createKafkaLog({ ...kafkaOptions(name, config), onLog });
  }
  if (!config.eventsDatabaseUrl) throw new ConfigError(['EVENTS_DATABASE_URL or KAFKA_BROKERS is required']);
  const url = config.eventsDatabaseUrl.reveal();
  const timeout = config.eventLogTimeoutMs;
  return connections.log(url, () =>
    createPostgresLog({
      connection: { connectionString: url, application_name: 'event log (listening)' },
      pool: connections.pool({
        url,
        name: 'event log',
        statementTimeoutMs: timeout,
        answerTimeoutMs: timeout + answerWithinMs,
        idleMs: config.databaseIdleMs,
        places: config.databasePool,
      }),
      partitions: config.eventPartitions,
      retention: config.eventRetentionHours * 3_600_000,
      timeout,
      onLog,
      onError: (error) => log.warn({ err: error }, 'the event log failed; trying again'),
    }),
  );
}
