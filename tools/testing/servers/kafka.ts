// Where the tests that need Kafka find it: KAFKA_BROKERS, else a container where Docker runs. Without either they are
// skipped, and say how to get it.
import { existsSync } from 'node:fs';
import type { StartedTestContainer } from 'testcontainers';
import { freePort } from '../../local/processes/free-ports.ts';

const image = 'apache/kafka:4.1.0';

/** Whether tests are to be run that need Kafka: all, or some whose paths say so. */
export const concernsKafka = (patterns: readonly string[]): boolean =>
  patterns.length === 0 || patterns.some((pattern) => /kafka|events/.test(pattern));

/** Whether there seems to be a Docker to ask; asking it costs a second. */
const mayHaveDocker = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.DOCKER_HOST) || existsSync('/var/run/docker.sock');

let container: StartedTestContainer | undefined;

/**
 * Starts Kafka in a container, if it is needed, not given, and can be had; KAFKA_BROKERS then names it to all tests of
 * the run.
 */
export async function beginKafka(patterns: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (env.KAFKA_BROKERS || !concernsKafka(patterns) || !mayHaveDocker(env)) return;
  try {
    const { GenericContainer } = await import('testcontainers');
    const port = await freePort();
    container = await new GenericContainer(image)
      .withExposedPorts({ container: 9092, host: port })
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_HEAP_OPTS: '-Xmx300m',
      })
      .start();
    env.KAFKA_BROKERS = `127.0.0.1:${port}`;
  } catch (error) {
    process.stderr.write(
      `Docker gives no ${image} (${error instanceof Error ? error.message.split('\n')[0] : String(error)}).\n`,
    );
  }
}

export async function endKafka(): Promise<void> {
  await container?.stop();
  container = undefined;
}
