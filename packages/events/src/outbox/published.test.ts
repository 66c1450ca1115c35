import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { outboxQueue, outboxTables } from './outbox.ts';
import { untilPublished } from './published.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 3 });
  pool.on('error', () => undefined);
  for (const statement of [...outboxTables(), ...outboxQueue()]) await pool.query(statement);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(async () => {
  await pool.query('truncate change_queue');
});

const queue = (...ids: number[]) => pool.query('insert into change_queue select unnest($1::bigint[])', [ids]);
const publish = (...ids: number[]) => pool.query('delete from change_queue where id = any($1::bigint[])', [ids]);
const never = new AbortController().signal;

/** Whether a promise is still pending after a while. */
const waits = (waiting: Promise<void>) =>
  Promise.race([
    waiting.then(() => false),
    new Promise<boolean>((done) => {
      setTimeout(() => done(true), 200);
    }),
  ]);

test('where nothing waits to be published, nobody does', async () => {
  await untilPublished(pool, never);
});

test('waits for what was committed when it was asked, and for nothing that comes later', async () => {
  await queue(5, 6);
  const waiting = untilPublished(pool, never);
  expect(await waits(waiting)).toBe(true);
  await queue(7);
  await publish(6);
  expect(await waits(waiting)).toBe(true);
  await publish(5);
  await waiting;
});

test('gives up when it is told to', async () => {
  await queue(5);
  await untilPublished(pool, AbortSignal.timeout(50));
});
