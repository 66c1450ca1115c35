import type { KafkaLogOptions } from '@cadastre/events/kafka';
import type { SASLOptions } from 'kafkajs';
import type { Config } from '../settings/config.ts';
import { readPem } from '../settings/pem.ts';

const HOUR_MS = 3_600_000;

/**
 * How to reach Kafka and create topics there, according to the settings.
 * @throws ConfigError that names the variable of an unusable file
 */
export function kafkaOptions(name: string, config: Config): Omit<KafkaLogOptions, 'onLog'> {
  const {
    kafkaSaslMechanism: mechanism,
    kafkaSaslUsername: username,
    kafkaSaslPassword: password,
    kafkaReplicationFactor: replicationFactor,
  } = config;
  return {
    brokers: [...config.kafkaBrokers],
    clientId: `cadastre-${name}`,
    partitions: config.eventPartitions,
    retention: config.eventRetentionHours * HOUR_MS,
    stall: config.eventLogTimeoutMs,
    ...(replicationFactor === undefined ? {} : { replicationFactor }),
    ...(config.kafkaTls ? { ssl: tls(config) } : {}),
    ...(mechanism && username && password
      ? { sasl: { mechanism, username, password: password.reveal() } as SASLOptions }
      : {}),
  };
}

/** The host name is verified with any of these options, which is Node's default. */
function tls({
  kafkaTlsCaFile,
  kafkaTlsCertFile,
  kafkaTlsKeyFile,
}: Config): true | { ca?: string; cert?: string; key?: string } {
  if (!kafkaTlsCaFile && !kafkaTlsCertFile) return true;
  const {
    KAFKA_TLS_CA_FILE: ca,
    KAFKA_TLS_CERT_FILE: cert,
    KAFKA_TLS_KEY_FILE: key,
  } = readPem({
    KAFKA_TLS_CA_FILE: kafkaTlsCaFile,
    KAFKA_TLS_CERT_FILE: kafkaTlsCertFile,
    KAFKA_TLS_KEY_FILE: kafkaTlsKeyFile,
  });
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
