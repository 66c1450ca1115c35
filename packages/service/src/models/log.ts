import type { EventLog } from '@cadastre/events';
import { createKafkaLog } from '@cadastre/events/kafka';
import { createPostgresLog } from '@cadastre/events/postgres';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../log.ts';
import { kafkaOptions } from './kafkaOptions.ts';

/** The event log that the settings name: Kafka where there are brokers, else PostgreSQL. */
export async function openEventLog(name: string, config: Config, log: Log): Promise<EventLog> {
  // kafkajs tries again after what it calls errors; what is final reaches whoever asked, who tells it.
  const onLog = (_level: string, message: string, detail: Record<string, unknown>) => log.warn(detail, message);
  if (config.kafkaBrokers.length) return createKafkaLog({ ...kafkaOptions(name, config), onLog });
  if (!config.eventsDatabaseUrl) throw new ConfigError(['EVENTS_DATABASE_URL or KAFKA_BROKERS is required']);
  return createPostgresLog({
    connection: config.eventsDatabaseUrl.reveal(),
    partitions: config.eventPartitions,
    retention: config.eventRetentionHours * 3_600_000,
    timeout: config.eventLogTimeoutMs,
    onLog,
    onError: (error) => log.warn({ err: error }, 'the event log failed; trying again'),
  });
}
