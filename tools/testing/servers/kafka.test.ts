import { expect, test } from '@jest/globals';
import { beginKafka, concernsKafka } from './kafka.ts';

test('Kafka is needed by all tests together, and by those that say so', () => {
  expect(
    [[], ['kafka'], ['packages/events'], ['services/dcim'], ['services/dcim', 'tests/consistency/kafka.test.ts']].map(
      concernsKafka,
    ),
  ).toEqual([true, true, true, false, true]);
});

test('what is given is used, and where Docker cannot be reached nothing is', async () => {
  const given = { KAFKA_BROKERS: 'here:9092', DOCKER_HOST: 'tcp://127.0.0.1:1' };
  const none = { DOCKER_HOST: 'tcp://127.0.0.1:1' };
  await beginKafka([], given);
  expect(given.KAFKA_BROKERS).toBe('here:9092');
  await beginKafka(['services/dcim'], none);
  expect(none).not.toHaveProperty('KAFKA_BROKERS');
});
