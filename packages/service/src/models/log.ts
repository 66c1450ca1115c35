import type { EventLog } from '@cadastre/events';
import type { SASLOptions } from 'kafkajs';
import { createKafkaLog } from '@cadastre/events/kafka';
import { createPostgresLog } from '@cadastre/events/postgres';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../log.ts';

/** The event log that the settings name: Kafka where there are brokers, else PostgreSQL. */
export async function openEventLog(name: string, config: Config, log: Log): Promise<EventLog> {
  const onError = (error: unknown) => log.warn({ err: error }, 'the event log failed; trying again');
  if (config.kafkaBrokers.length) {
    return createKafkaLog({
      brokers: [...config.kafkaBrokers], clientId: `cadastre-${name}`,
      // kafkajs tries again after what it calls errors; what is final reaches whoever asked, who tells it.
      onLog: (_level, message, detail) => log.warn(detail, message),
      ...(config.kafkaTls ? { ssl: true } : {}),
      ...(config.kafkaSaslMechanism ? { sasl: { mechanism: config.kafkaSaslMechanism, username: config.kafkaSaslUsername!, password: config.kafkaSaslPassword!.reveal() } as SASLOptions } : {}),
    });
  }
  if (!config.eventsDatabaseUrl) throw new ConfigError(['EVENTS_DATABASE_URL or KAFKA_BROKERS is required']);
  return createPostgresLog({ connection: config.eventsDatabaseUrl.reveal(), onError });
}
