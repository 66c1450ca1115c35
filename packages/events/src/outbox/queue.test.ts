import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { outboxQueue, outboxTables } from './outbox.ts';
import { dequeue, lastQueued, leftQueued, nextQueued, queueLag } from './queue.ts';

let database: TestDatabase;
let client: pg.Client;

const statements = { nextQueued: nextQueued(500), lastQueued, leftQueued, queueLag, dequeue };
/** Values that each statement can be planned with. */
const given: Record<string, string> = { leftQueued: '(1)', dequeue: `('{1,2,3}')` };

// As in the minutes after a start, while somebody enters a network: plans were made and cached when the tables were
// empty, the tables have not been analyzed since, and most of the queue consists of dead rows.
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  for (const statement of [...outboxTables(), ...outboxQueue()]) await client.query(statement);
  for (const table of ['change', 'change_queue'])
    await client.query(`alter table "${table}" set (autovacuum_enabled = false)`);
  for (const [name, text] of Object.entries(statements)) {
    await client.query(`prepare "${name}" as ${text}`);
    for (let i = 0; i < 6; i += 1) await client.query(`execute "${name}" ${given[name] ?? ''}`);
  }
  await client.query(`insert into "change" ("event_id", "time", "key", "body", "queued_at")
    select gen_random_uuid(), now() - interval '1 minute', 'dcim.site:' || i, repeat('x', 1500), now() from generate_series(1, 20000) as i`);
  await client.query('insert into "change_queue" select "id" from "change"');
  await client.query('delete from "change_queue" where "id" <= 19000');
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test.each(Object.keys(statements))('%s reads no table as a whole', async (name) => {
  const plan = (await client.query<{ 'QUERY PLAN': string }>(`explain execute "${name}" ${given[name] ?? ''}`)).rows
    .map((row) => row['QUERY PLAN'])
    .join('\n');
  expect(plan).toContain('Index');
  expect(plan).not.toMatch(/Seq Scan|Hash|Merge/);
});

test('the oldest events come first, whole', async () => {
  const { rows } = await client.query<{ id: string; event_id: string; key: string; body: string }>(nextQueued(3));
  expect(rows.map(({ id, key, body }) => [id, key, body.length])).toEqual([
    ['19001', 'dcim.site:19001', 1500],
    ['19002', 'dcim.site:19002', 1500],
    ['19003', 'dcim.site:19003', 1500],
  ]);
  expect(rows.every(({ event_id }) => /^[0-9a-f-]{36}$/.test(event_id))).toBe(true);
});

test('what is left, and for how long it has waited', async () => {
  const answer = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0];
  expect([await answer(lastQueued), await answer(leftQueued, [19000]), await answer(leftQueued, [19001])]).toEqual([
    { last: '20000' },
    { left: false },
    { left: true },
  ]);
  const { unpublished, seconds } = await answer(queueLag);
  expect(unpublished).toBe(1000);
  expect(seconds).toBeGreaterThanOrEqual(60);
});
