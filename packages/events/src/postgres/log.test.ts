import { afterAll, beforeAll, describe } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/postgres.ts';
import { describeEventLog } from '../contract.suite.ts';

describe('the event log on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  }, 30_000);
  afterAll(() => database.drop());

  describeEventLog({ environment: () => ({ CONTRACT_LOG: 'postgres', CONTRACT_ADDRESS: database.url }), latency: 20 });
});
