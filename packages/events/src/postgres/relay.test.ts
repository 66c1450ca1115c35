import { describe } from '@jest/globals';
import { describeRelay } from '../contract/relay.ts';

describe('outbox and relay, with the log on PostgreSQL', () => {
  describeRelay((url) => ({ CONTRACT_LOG: 'postgres', CONTRACT_ADDRESS: url }));
});
