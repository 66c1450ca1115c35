import { it } from '@jest/globals';

const brokers = process.env.KAFKA_BROKERS;

/** Describes tests that need brokers, or says once what is skipped and how to get it. */
export function withBrokers(what: string, tests: (brokers: string) => void): void {
  if (brokers) {
    tests(brokers);
    return;
  }
  process.stderr.write(
    `Skipped: ${what}. To test it: node tools/local/kafka/main.ts start --data /tmp/kafka --port 19092 --detach; KAFKA_BROKERS=127.0.0.1:19092 npm test -- kafka\n`,
  );
  it.skip('needs KAFKA_BROKERS', () => {});
}
