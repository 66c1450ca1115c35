import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/postgres.ts';
import { until } from './contract.tools.ts';
import type { ChangeEvent } from './event.ts';
import { follow } from './follow.ts';
import type { EventLog } from './log.ts';
import { appendChanges, newEventId, outboxLag, outboxTables, relayWaker } from './outbox.ts';
import { parkedColumns, parkedTables, parkIn } from './park.ts';
import { createPostgresLog } from './postgres.ts';
import { type Relay, type RelayOptions, startRelay } from './relay.ts';

const change = (objectId: number, version = 1): ChangeEvent => ({
  id: newEventId(), time: new Date().toISOString(), request: null, action: 'updated', objectType: 'dcim.site', objectId, version,
  display: `Site ${objectId} \0 \ud800`, message: 'a\nb', data: { id: objectId, text: 'x\0' }, prechange: null, postchange: null, row: null, related: null,
});

describe('outbox and relay', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let log: EventLog;
  let service: string;
  const relays: Relay[] = [];
  const relay = (more: Partial<RelayOptions> = {}): Relay => {
    const started = startRelay({ service, connection: database.url, log, poll: 200, ...more });
    relays.push(started);
    return started;
  };
  const received = async (): Promise<ChangeEvent[]> => {
    const events: ChangeEvent[] = [];
    await follow({ log, group: randomUUID(), services: [service], handle: async (some) => void events.push(...some) });
    return events;
  };
  const waiting = async (): Promise<number> => Number((await pool.query('select count(*) from "change" where "published_at" is null')).rows[0].count);

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 5 });
    for (const statement of [...outboxTables(), ...parkedTables(), ...parkedColumns()]) await pool.query(statement);
    log = await createPostgresLog({ connection: database.url });
  }, 30_000);
  beforeEach(async () => {
    service = `s${randomUUID()}`;
    await pool.query('truncate "change"');
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((each) => each.stop()));
  });
  afterAll(async () => {
    await log.close();
    await pool.end();
    await database.drop();
  }, 30_000);

  it('brings events from a transaction to a follower, whole and in order', async () => {
    const events = await received();
    relay({ poll: 60_000, batchSize: 40 });
    const sent = Array.from({ length: 100 }, (_, index) => change(index % 10, Math.floor(index / 10)));
    const client = await pool.connect();
    await client.query('begin');
    await appendChanges(client, sent.slice(0, 60));
    await appendChanges(client, []);
    await appendChanges(client, sent.slice(60));
    await sleep(300);
    expect(events).toEqual([]);
    await client.query('commit');
    client.release();
    await until('100 events', () => events.length === 100);
    const byId = new Map(events.map((event) => [event.id, event]));
    expect(sent.map(({ id }) => byId.get(id))).toEqual(sent);
    for (let object = 0; object < 10; object += 1) {
      expect(events.filter(({ objectId }) => objectId === object).map(({ version }) => version)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    expect(await waiting()).toBe(0);
  });

  it('writes any number of events by one statement', async () => {
    let statements = 0;
    const counting = {
      query: (statement: { text: string; values: unknown[] }) => {
        statements += 1;
        return pool.query(statement);
      },
    };
    await appendChanges(counting, Array.from({ length: 500 }, (_, index) => change(index)));
    expect([statements, await waiting()]).toEqual([1, 500]);
  });

  it('can be woken after the commit instead of by it', async () => {
    const events = await received();
    const leader = Promise.withResolvers<void>();
    relay({ poll: 60_000, onLeader: () => leader.resolve() });
    await leader.promise;
    await sleep(200);
    await appendChanges(pool, [change(1)], { notify: false });
    await sleep(200);
    expect(events).toEqual([]);
    const wake = relayWaker(pool);
    for (let times = 0; times < 100; times += 1) wake();
    await until('the event', () => events.length === 1, 1000);
  });

  it('says nothing of what is rolled back', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await appendChanges(client, [change(1)]);
    await client.query('rollback');
    client.release();
    expect(await waiting()).toBe(0);
  });

  it('does not skip what commits late', async () => {
    const events = await received();
    relay();
    const late = await pool.connect();
    await late.query('begin');
    await appendChanges(late, [change(1)]);
    await appendChanges(pool, [change(2)]);
    await until('the later one', () => events.length === 1);
    await late.query('commit');
    late.release();
    await until('both', () => events.length === 2);
    expect(events.map(({ objectId }) => objectId)).toEqual([2, 1]);
  });

  it('has one leader, and another within seconds when it dies', async () => {
    const events = await received();
    const leading = [0, 0];
    const leaders = leading.map((_, index) => relay({ onLeader: (now) => void (leading[index] = now ? 1 : 0) }));
    await until('a leader', () => leading.includes(1));
    await sleep(500);
    expect(leading.reduce((sum, one) => sum + one)).toBe(1);
    const first = leading.indexOf(1);
    // As when its machine vanishes and PostgreSQL notices; the relay itself is gone with its process, here it is told to stop.
    const { rowCount } = await pool.query(`select pg_terminate_backend("pid") from "pg_locks" where "locktype" = 'advisory' and "database" = (select "oid" from "pg_database" where "datname" = current_database())`);
    expect(rowCount).toBe(1);
    await leaders[first]?.stop();
    await until('the other leads', () => leading[1 - first] === 1, 3000);
    await appendChanges(pool, [change(1)]);
    await until('it publishes', () => events.length === 1);
  });

  it('publishes again after a failure, in order, and nothing is lost', async () => {
    const events = await received();
    let failures = 0;
    const flaky: EventLog = { ...log, publish: async (topic, messages) => {
      if (failures < 3) {
        failures += 1;
        await log.publish(topic, messages.slice(0, 2));
        throw new Error('the broker went away');
      }
      await log.publish(topic, messages);
    } };
    await appendChanges(pool, [1, 2, 3, 4].map((version) => change(7, version)));
    const errors: unknown[] = [];
    relay({ log: flaky, onError: (error) => errors.push(error) });
    await until('all of them', () => events.some(({ version }) => version === 4));
    expect([...new Set(events.map(({ version }) => version))]).toEqual([1, 2, 3, 4]);
    expect(errors.length).toBe(3);
  });

  it('measures its lag and trims what is old', async () => {
    await appendChanges(pool, Array.from({ length: 3000 }, (_, index) => change(index)));
    await pool.query(`update "change" set "published_at" = now() - interval '1 hour' where "id" < (select max("id") from "change") - 9`);
    const behind = await outboxLag(pool);
    expect(behind.unpublished).toBe(10);
    expect(behind.seconds).toBeGreaterThan(0);
    relay({ retention: 60_000, upkeep: 100 });
    const rows = async (): Promise<number> => Number((await pool.query('select count(*) from "change"')).rows[0].count);
    while ((await rows()) > 10) await sleep(20);
    while ((await waiting()) > 0) await sleep(20);
    expect(await outboxLag(pool)).toEqual({ unpublished: 0, seconds: 0 });
    expect(await rows()).toBe(10);
  });

  it('parks what is no event, in the follower\'s database', async () => {
    const group = randomUUID();
    const events: ChangeEvent[] = [];
    await log.publish(`cadastre.changes.${service}`, [{ key: 'a', value: 'nonsense' }, { key: 'a', value: JSON.stringify(change(5)) }]);
    await follow({ log, group, services: [service], park: parkIn(pool, group), handle: async (some) => void events.push(...some) });
    await until('the event after it', () => events.length === 1);
    const { rows } = await pool.query('select "group", "value", "error" from "parked_message"');
    expect(rows).toEqual([{ group, value: 'nonsense', error: expect.stringContaining('not a change event') }]);
  });
});
