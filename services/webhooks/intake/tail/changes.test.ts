import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { type QueueDatabase, queueDatabase } from '../../testing/queue.ts';
import { Changes } from './changes.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());

const deliver = async (by: Pool | PoolClient): Promise<string> =>
  (
    await by.query<{
      id: string;
    }>(`insert into webhook_delivery (event_id, webhook_id, destination, event_type, object_type, object_id, payload)
  values (gen_random_uuid(), 1, 'd', 'object_created', 'dcim.site', 1, '{}') returning id::text`)
  ).rows[0]!.id;

async function toldBy(changes: Changes): Promise<string[]> {
  const told: string[] = [];
  for await (const portion of changes.look()) told.push(...portion.map(({ id }) => id));
  return told;
}

test('who begins now is told nothing of before, whatever transactions are still open, and everything of them afterwards', async () => {
  const { pool } = database;
  const open = await pool.connect();
  try {
    await open.query('begin');
    const slow = await deliver(open);
    const before = await deliver(pool);
    const fresh = await Changes.from(pool);
    expect(await toldBy(fresh)).toEqual([]);
    const { place } = fresh;
    const after = await deliver(pool);
    expect(await toldBy(fresh)).toEqual([after]);
    await open.query('commit');
    expect(await toldBy(fresh)).toEqual([slow]);
    expect(await toldBy(fresh)).toEqual([]);
    // A client that reconnects may get changes twice, but misses none.
    expect(new Set(await toldBy(await Changes.from(pool, place)))).toEqual(new Set([slow, before, after]));
  } finally {
    open.release();
  }
});
