import { describe } from '@jest/globals';
import { describeRelay } from '../contract/relay.ts';
import { withBrokers } from './testing.ts';

describe('outbox and relay, with the log on Kafka', () => {
  withBrokers('outbox and relay on Kafka', (brokers) =>
    describeRelay(() => ({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers })),
  );
});
