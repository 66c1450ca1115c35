import { describe } from '@jest/globals';
import { describeEventLog } from '../contract.suite.ts';
import { withBrokers } from './testing.ts';

describe('the event log on Kafka', () => {
  withBrokers('the Kafka adapter', (brokers) => describeEventLog({ environment: () => ({ CONTRACT_LOG: 'kafka', CONTRACT_ADDRESS: brokers }), latency: 50 }));
});
