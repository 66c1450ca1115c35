import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { OneWriteClient } from './one-write.ts';

let database: TestDatabase;
let client: OneWriteClient;
let writes: number;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new OneWriteClient({ connectionString: database.url, pipeline: true } as object);
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  for (const how of ['_write', '_writev'] as const) {
    const write = stream[how] as (...given: unknown[]) => void;
    jest.spyOn(stream, how).mockImplementation((...given: unknown[]) => {
      writes++;
      write.apply(stream, given);
    });
  }
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const ask = async (text: string, values: unknown[] = []): Promise<unknown[]> =>
  ((await client.query(...([text, values] as never[]))) as pg.QueryResult).rows;

test('what is asked without waiting leaves in one write', async () => {
  writes = 0;
  const begun = ask('begin');
  // Like code that looks something up first and finds it in memory.
  await Promise.resolve();
  await Promise.resolve();
  const first = ask('select $1::int as one', [1]);
  expect(await Promise.all([begun, first])).toEqual([[], [{ one: 1 }]]);
  expect(writes).toBe(1);
  expect(await Promise.all([ask('select $1::int as two', [2]), ask('commit')])).toEqual([[{ two: 2 }], []]);
  expect(writes).toBe(2);
});

test('what follows from an answer leaves when it is asked', async () => {
  writes = 0;
  const [{ one }] = (await ask('select 1 as one')) as [{ one: number }];
  expect(await ask('select $1::int as same', [one])).toEqual([{ same: 1 }]);
  expect(writes).toBe(2);
});

test('a statement that fails does not hold up those that left with it', async () => {
  const [failed, next] = await Promise.allSettled([ask('select 1/$1::int', [0]), ask('select 3 as three')]);
  expect([failed.status, (next as PromiseFulfilledResult<unknown>).value]).toEqual(['rejected', [{ three: 3 }]]);
});
