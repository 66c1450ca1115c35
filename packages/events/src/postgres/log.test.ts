import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { open } from '../contract/open.ts';
import { describeEventLog } from '../contract/suite.ts';
import { describeTrouble } from '../contract/trouble.ts';
import { faults, numbered, type Seen, until } from '../contract/tools.ts';
import { describeWanted } from '../contract/wants.ts';
import { createPostgresLog } from './log.ts';
import { forgetGroups, trimMessages } from './trim.ts';

describe('the event log on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  const environment = () => ({ CONTRACT_LOG: 'postgres' as const, CONTRACT_ADDRESS: database.url });
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  describeEventLog(environment);
  describeTrouble(environment);
  describeWanted(environment);

  it('goes on when all its connections are cut', async () => {
    const log = await open(environment());
    const seen: Seen[] = [];
    const failures: unknown[] = [];
    try {
      await log.consume({
        topics: ['cut'],
        group: 'cut',
        handler: async (batch) => void seen.push(...batch),
        onError: (error) => failures.push(error),
      });
      for (let round = 0; round < 3; round += 1) {
        // As a relay does: until it is stored, though it may be stored twice.
        for (let stored = false; !stored; ) {
          stored = await log.publish('cut', numbered(80, 8, round * 80)).then(
            () => true,
            () => false,
          );
        }
        await pool.query(
          'select pg_terminate_backend("pid") from "pg_stat_activity" where "datname" = current_database() and "pid" <> pg_backend_pid()',
        );
        await until('the log answers again', () => faults(seen, (round + 1) * 80, 8).length === 0);
      }
    } finally {
      await log.close();
    }
  });

  it('takes again what another member took and let go of meanwhile', async () => {
    const logs = [await open(environment()), await open(environment())] as const;
    const seen: Seen[] = [];
    const owners = async (): Promise<(string | null)[]> =>
      (
        await pool.query<{ owner: string | null }>(
          `select distinct "owner" from "log"."progress" where "group" = 'taken'`,
        )
      ).rows.map(({ owner }) => owner);
    const settled = async (): Promise<void> => {
      for (let found = await owners(); found.length !== 2 || found.includes(null); found = await owners())
        await new Promise((resolve) => setTimeout(resolve, 50));
    };
    try {
      await logs[0].ensureTopics(['taken']);
      for (const log of logs)
        await log.consume({ topics: ['taken'], group: 'taken', handler: async (batch) => void seen.push(...batch) });
      await settled();
      // As after a crash of the server: who is alive is no longer known, and one member sends a heartbeat first, takes
      // everything, then sees the other and releases its half.
      await pool.query(`update "log"."progress" set "owner" = null where "group" = 'taken'`);
      await settled();
      await logs[0].publish('taken', numbered(80, 8));
      await until('all messages', () => faults(seen, 80, 8).length === 0);
    } finally {
      await Promise.all(logs.map((log) => log.close()));
    }
  });

  it('trims what is older than the retention, and a group that is behind goes on with what is left', async () => {
    const log = await open(environment());
    const seen: Seen[] = [];
    try {
      await log.publish('trimmed', [{ key: 'k', value: 'to trim' }]);
      await pool.query(`update "log"."message" set "time" = now() - interval '2 days' where "value" = 'to trim'`);
      await log.publish('trimmed', [{ key: 'k', value: 'new' }]);
      expect(await trimMessages(pool, 24 * 3600 * 1000)).toBe(1);
      await log.consume({ topics: ['trimmed'], group: 'trimmed', handler: async (batch) => void seen.push(...batch) });
      await until('the new one', () => seen.length > 0);
      expect(seen.map(({ value }) => value)).toEqual(['new']);
    } finally {
      await log.close();
    }
  });

  it('tells a group that was away of what was trimmed before it had read it, until that was heard, whether or not there is more', async () => {
    const log = await open(environment());
    const topics = ['missed-more', 'missed-all', 'read'];
    const seen: Seen[] = [];
    const missed: string[][] = [];
    let refusals = 1;
    const consume = () =>
      log.consume({
        topics,
        group: 'away',
        handler: async (batch) => void seen.push(...batch),
        onMissed: async (names) => {
          missed.push([...names].sort());
          if (refusals-- > 0) throw new Error('not now');
        },
      });
    try {
      for (const topic of topics) await log.publish(topic, [{ key: 'k', value: 'read' }]);
      refusals = 0;
      const first = await consume();
      await until('what there is', () => seen.length === 3);
      await first.stop();
      // It had never consumed them before.
      expect(missed.splice(0)).toEqual([[...topics].sort()]);
      for (const topic of topics.slice(0, 2)) await log.publish(topic, [{ key: 'k', value: 'to miss' }]);
      await pool.query(`update "log"."message" set "time" = now() - interval '2 days'`);
      expect(await trimMessages(pool, 24 * 3600 * 1000)).toBeGreaterThanOrEqual(5);
      await log.publish('missed-more', [{ key: 'k', value: 'new' }]);
      refusals = 1;
      const second = await consume();
      await until('the new one', () => seen.length === 4);
      expect(seen.at(-1)?.value).toBe('new');
      expect(missed.splice(0)).toEqual([
        ['missed-all', 'missed-more'],
        ['missed-all', 'missed-more'],
      ]);
      await second.stop();
      await (await consume()).stop();
      expect(missed).toEqual([]);
    } finally {
      await log.close();
    }
  });

  it('tells a group of what was trimmed while it looked over what matters to it', async () => {
    const log = await open(environment());
    const seen: Seen[] = [];
    const missed: string[] = [];
    let trimmed = false;
    try {
      await log.publish('outlined', [{ key: 'k', value: 'to miss' }]);
      await log.consume({
        topics: ['outlined'],
        group: 'outlined',
        handler: async (batch) => void seen.push(...batch),
        onMissed: async (names) => {
          if (trimmed) missed.push(...names);
        },
        wants: async () => {
          if (!trimmed)
            await pool
              .query(`update "log"."message" set "time" = now() - interval '2 days' where "value" = 'to miss'`)
              .then(() => trimMessages(pool, 24 * 3600 * 1000));
          trimmed = true;
          return () => true;
        },
      });
      await until('it is told', () => missed.length > 0);
      await log.publish('outlined', [{ key: 'k', value: 'new' }]);
      await until('the new one', () => seen.length > 0);
      expect([seen.map(({ value }) => value), missed]).toEqual([['new'], ['outlined']]);
    } finally {
      await log.close();
    }
  });

  it.each([true, false])(
    'ends a batch that would be too large, whether some are passed over or none: %s',
    async (some) => {
      const log = await createPostgresLog({ connection: database.url, maxBatchBytes: 500 });
      const batches: Seen[][] = [];
      const topic = `large-${some}`;
      try {
        await log.publish(
          topic,
          Array.from({ length: 40 }, (_, i) => ({
            key: some && i % 4 ? 'bad:1' : `good:${i % 3}`,
            value: String(i).padStart(200, '.'),
          })),
        );
        await log.publish(topic, [{ key: 'good:9', value: 'x'.repeat(2_000) }]);
        await log.consume({
          topics: [topic],
          group: topic,
          handler: async (batch) => void batches.push([...batch]),
          ...(some ? { wants: async () => (kind: string) => kind === 'good' } : {}),
        });
        await until('all of them', () => batches.flat().length >= (some ? 11 : 41));
        // Two hundred bytes each, so a third still begins below the limit; one that is larger than that comes by
        // itself, or last.
        expect(
          Math.max(...batches.map((batch) => batch.slice(0, -1).reduce((sum, { value }) => sum + value.length, 0))),
        ).toBeLessThan(500);
        expect(new Set(batches.flat().map(({ value }) => value)).size).toBe(batches.flat().length);
      } finally {
        await log.close();
      }
    },
  );

  it('tells a group that is slower than the trimming', async () => {
    const log = await open(environment());
    const gate = Promise.withResolvers<void>();
    const seen: Seen[] = [];
    const missed: string[] = [];
    try {
      await log.publish(
        'slow',
        Array.from({ length: 5 }, (_, i) => ({ key: 'k', value: String(i) })),
      );
      await log.consume({
        topics: ['slow'],
        group: 'slow',
        batchSize: 2,
        handler: async (batch) => {
          seen.push(...batch);
          await gate.promise;
        },
        onMissed: async (names) => {
          if (seen.length) missed.push(...names);
        },
      });
      await until('the first', () => seen.length === 2);
      await pool.query(
        `update "log"."message" set "time" = now() - interval '2 days' where "topic_id" = (select "id" from "log"."topic" where "name" = 'slow') and "value" < '4'`,
      );
      await trimMessages(pool, 24 * 3600 * 1000);
      gate.resolve();
      await until('the last', () => seen.length === 3);
      expect([seen.map(({ value }) => value), missed]).toEqual([['0', '1', '4'], ['slow']]);
    } finally {
      await log.close();
    }
  });

  it('forgets groups to which nobody has belonged for as long as messages are kept, and no others', async () => {
    const log = await open(environment());
    const day = 24 * 3600 * 1000;
    const seen: Seen[] = [];
    const told: string[] = [];
    const consume = (group: string) =>
      log.consume({
        topics: ['groups'],
        group,
        handler: async (batch) => void seen.push(...batch),
        onMissed: async () => void told.push(group),
      });
    const groups = async (): Promise<string[]> =>
      (
        await pool.query<{ group: string }>(
          `select distinct "group" from "log"."progress" where "group" like 'group-%' order by 1`,
        )
      ).rows.map(({ group }) => group);
    try {
      await log.publish('groups', [{ key: 'k', value: 'one' }]);
      await (await consume('group-left')).stop();
      await (await consume('group-recent')).stop();
      await consume('group-alive');
      expect(await groups()).toEqual(['group-alive', 'group-left', 'group-recent']);
      await pool.query(
        `update "log"."progress" set "used_at" = now() - interval '2 days' where "group" in ('group-alive', 'group-left')`,
      );
      // Its last member died without a word.
      await pool.query(
        `insert into "log"."member" ("id", "group", "topics", "seen_at") values (gen_random_uuid(), 'group-left', '{}', now() - interval '2 days')`,
      );
      expect(await forgetGroups(pool, day)).toBeGreaterThan(0);
      expect((await pool.query(`select from "log"."member" where "group" = 'group-left'`)).rowCount).toBe(0);
      expect(await groups()).toEqual(['group-alive', 'group-recent']);
      // A group that joins again in time keeps its position.
      await pool.query(
        `update "log"."progress" set "used_at" = now() - interval '2 days' where "group" = 'group-recent'`,
      );
      await (await consume('group-recent')).stop();
      await forgetGroups(pool, day);
      expect(await groups()).toEqual(['group-alive', 'group-recent']);
      told.length = 0;
      await consume('group-left');
      expect(told).toEqual(['group-left']);
    } finally {
      await log.close();
    }
  });

  it('waits for the database no longer than it is told to', async () => {
    const log = await createPostgresLog({ connection: database.url, timeout: 500 });
    const client = await pool.connect();
    try {
      await log.ensureTopics(['locked']);
      await client.query('begin');
      await client.query(`select from "log"."topic" where "name" = 'locked' for update`);
      await expect(log.publish('locked', [{ key: 'k', value: 'v' }])).rejects.toThrow('statement timeout');
      await client.query('rollback');
      await log.publish('locked', [{ key: 'k', value: 'v' }]);
    } finally {
      client.release();
      await log.close();
    }
  });

  it('gives up a server that does not answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      await expect(
        createPostgresLog({
          connection: { host: '127.0.0.1', port: (silent.address() as AddressInfo).port, user: 'x', password: 'x' },
          timeout: 500,
        }),
      ).rejects.toThrow('timeout');
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });
});
