import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { type LogEnvironment, open } from './open.ts';
import { until } from './tools.ts';
import { type ChangeEvent, topicOf } from '../event/event.ts';
import { plain } from '../event/eventText.ts';
import { follow } from '../follow/follow.ts';
import type { Consumer, EventLog } from '../log/log.ts';
import { newEventId } from '../event/eventId.ts';
import { appendChanges, outboxLag, outboxQueue, outboxTables, relayWaker } from '../outbox/outbox.ts';
import { untilPublished } from '../outbox/published.ts';
import { type Relay, type RelayOptions, startRelay } from '../outbox/relay.ts';

const change = (objectId: number, version = 1): ChangeEvent => ({
  id: newEventId(),
  time: new Date().toISOString(),
  request: null,
  action: 'updated',
  objectType: 'dcim.site',
  objectId,
  version,
  display: `Site ${objectId} \0 \ud800`,
  message: 'a\nb',
  data: { id: objectId, text: 'x\0' },
  prechange: null,
  postchange: null,
  row: null,
  related: null,
});

/** What outbox and relay must do on every event log. `environment` is called once the service's database exists. */
export function describeRelay(environment: (databaseUrl: string) => LogEnvironment): void {
  let database: TestDatabase;
  let pool: pg.Pool;
  let log: EventLog;
  let service: string;
  const started: { stop(): Promise<void> }[] = [];
  const relay = (more: Partial<RelayOptions> = {}): Relay => {
    const one = startRelay({ service, connection: database.url, log, poll: 200, ...more });
    started.push(one);
    return one;
  };
  const received = async (): Promise<ChangeEvent[]> => {
    const events: ChangeEvent[] = [];
    const consumer: Consumer = await follow({
      log,
      group: randomUUID(),
      services: [service],
      handle: async (some) => void events.push(...some.map(plain)),
    });
    started.push(consumer);
    return events;
  };
  const count = async (table: string): Promise<number> =>
    Number((await pool.query(`select count(*) from "${table}"`)).rows[0].count);
  const waiting = (): Promise<number> => count('change_queue');
  const published = async (): Promise<void> => {
    while ((await waiting()) > 0) await sleep(20);
  };
  /** Ends the session of the current leader. */
  const dethrone = async (): Promise<number | null> =>
    (
      await pool.query(
        `select pg_terminate_backend("pid") from "pg_locks" where "locktype" = 'advisory' and "database" = (select "oid" from "pg_database" where "datname" = current_database())`,
      )
    ).rowCount;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 5 });
    for (const statement of [...outboxTables(), ...outboxQueue()]) await pool.query(statement);
    log = await open(environment(database.url));
  });
  beforeEach(async () => {
    service = `s${randomUUID()}`;
    await pool.query('truncate "change", "change_queue"');
    // A topic that is new takes a while on some logs; that is not what is tested here.
    await log.ensureTopics([topicOf(service)]);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((each) => each.stop()));
  });
  afterAll(async () => {
    await log?.close();
    await pool?.end();
    await database?.drop();
  });

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
      expect(events.filter(({ objectId }) => objectId === object).map(({ version }) => version)).toEqual([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
      ]);
    }
    await published();
  });

  it('writes any number of events by one statement', async () => {
    let statements = 0;
    const counting = {
      query: (statement: { text: string; values: unknown[] }) => {
        statements += 1;
        return pool.query(statement);
      },
    };
    await appendChanges(
      counting,
      Array.from({ length: 500 }, (_, index) => change(index)),
    );
    expect([statements, await waiting()]).toEqual([1, 500]);
  });

  it('can be woken after the commit instead of by it', async () => {
    const events = await received();
    const leader = Promise.withResolvers<void>();
    relay({ poll: 60_000, onLeader: () => leader.resolve() });
    await leader.promise;
    // Events that the leader finds at its first look need no waking, and on a busy machine that look may come late.
    let written = 0;
    do {
      await until('those before', () => events.length === written);
      await appendChanges(pool, [change(++written)], { notify: false });
      await sleep(200);
    } while (events.length === written && written < 10);
    expect(events.length).toBe(written - 1);
    const wake = relayWaker(pool);
    for (let times = 0; times < 100; times += 1) wake();
    await until('the event', () => events.length === written);
  });

  it('says nothing of what is rolled back', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await appendChanges(client, [change(1)]);
    await client.query('rollback');
    client.release();
    expect(await waiting()).toBe(0);
  });

  it('does not skip what commits late, however much was published and forgotten meanwhile', async () => {
    const events = await received();
    relay({ retention: 0, upkeep: 50 });
    const late = await pool.connect();
    await late.query('begin');
    await appendChanges(late, [change(1)]);
    await appendChanges(
      pool,
      Array.from({ length: 1200 }, (_, index) => change(index + 2)),
    );
    await until('the later ones', () => events.length === 1200);
    while ((await count('change')) > 0) await sleep(20);
    await late.query('commit');
    late.release();
    await until('all', () => events.length === 1201);
    expect(events.at(-1)?.objectId).toBe(1);
  });

  it('has one leader, and another within seconds when it dies', async () => {
    const events = await received();
    const leading = [0, 0];
    const leaders = leading.map((_, index) => relay({ onLeader: (now) => void (leading[index] = now ? 1 : 0) }));
    await until('a leader', () => leading.includes(1));
    await sleep(500);
    expect(leading.reduce((sum, one) => sum + one)).toBe(1);
    const first = leading.indexOf(1);
    // As when the leader's machine vanishes and PostgreSQL notices. There the relay would have died with its process;
    // here it has to be stopped.
    expect(await dethrone()).toBe(1);
    await leaders[first]?.stop();
    await until('the other leads', () => leading[1 - first] === 1);
    await appendChanges(pool, [change(1)]);
    await until('it publishes', () => events.length === 1);
  });

  it('may repeat, and never overtakes, when a leader that has lost its place still publishes', async () => {
    const events = await received();
    const gate = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<void>();
    const late: string[][] = [];
    const slow: EventLog = {
      ...log,
      publish: async (topic, messages) => {
        stuck.resolve();
        await gate.promise;
        late.push(messages.map(({ value }) => String((JSON.parse(value) as ChangeEvent).version)));
        await log.publish(topic, messages);
      },
    };
    await appendChanges(pool, [change(7, 1), change(7, 2)]);
    const old = relay({ log: slow });
    await stuck.promise;
    expect(await dethrone()).toBe(1);
    relay();
    await until('the new leader publishes what the old one has not', () => events.length === 2);
    await appendChanges(pool, [change(7, 3)]);
    await until('and what came since', () => events.length === 3);
    const stopped = old.stop();
    gate.resolve();
    await until('the repeated', () => events.length === 5);
    await stopped;
    await appendChanges(pool, [change(7, 4)]);
    await until('the last', () => events.length === 6);
    // Every event arrived in order before it was repeated, and the old leader sent nothing beyond the batch it was
    // already publishing.
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 1, 2, 4]);
    expect(late).toEqual([['1', '2']]);
  });

  it('sends nothing more once its session is over', async () => {
    let sent = 0;
    const gate = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<void>();
    const slow: EventLog = {
      ...log,
      publish: async () => {
        sent += 1;
        stuck.resolve();
        await gate.promise;
      },
    };
    relay({ log: slow, batchSize: 1, poll: 60_000 });
    await appendChanges(pool, [change(1), change(2), change(3)]);
    await stuck.promise;
    await dethrone();
    const events = await received();
    const other = relay();
    await until('the other publishes all', () => events.length === 3);
    gate.resolve();
    await sleep(500);
    expect(sent).toBe(1);
    await other.stop();
  });

  it('publishes again after a failure, in order, and nothing is lost', async () => {
    const events = await received();
    let failures = 0;
    const flaky: EventLog = {
      ...log,
      publish: async (topic, messages) => {
        if (failures < 3) {
          failures += 1;
          await log.publish(topic, messages.slice(0, 2));
          throw new Error('the broker went away');
        }
        await log.publish(topic, messages);
      },
    };
    await appendChanges(
      pool,
      [1, 2, 3, 4].map((version) => change(7, version)),
    );
    const errors: unknown[] = [];
    relay({ log: flaky, onError: (error) => errors.push(error) });
    await until('all of them', () => events.some(({ version }) => version === 4));
    expect([...new Set(events.map(({ version }) => version))]).toEqual([1, 2, 3, 4]);
    expect(errors.length).toBe(3);
  });

  it('publishes what a process without a queue has written', async () => {
    const events = await received();
    const event = change(5);
    await pool.query(`insert into "change" ("event_id", "time", "key", "body") values ($1, $2, 'dcim.site:5', $3)`, [
      event.id,
      event.time,
      JSON.stringify(event),
    ]);
    relay({ upkeep: 100 });
    await until('the event', () => events.length === 1);
    await published();
    await sleep(300);
    expect(events).toEqual([event]);
  });

  it('tells its lag, and when all is published that was there', async () => {
    await appendChanges(
      pool,
      Array.from({ length: 30 }, (_, index) => change(index)),
    );
    const behind = await outboxLag(pool);
    expect(behind.unpublished).toBe(30);
    expect(behind.seconds).toBeGreaterThan(0);
    relay();
    await untilPublished(pool, AbortSignal.timeout(120_000));
    expect(await outboxLag(pool)).toEqual({ unpublished: 0, seconds: 0 });
  });

  describe('forgets', () => {
    const age = (): Promise<unknown> => pool.query(`update "change" set "time" = now() - interval '1 hour'`);

    it('what is old and published', async () => {
      await appendChanges(
        pool,
        Array.from({ length: 3000 }, (_, index) => change(index)),
      );
      await age();
      await appendChanges(
        pool,
        Array.from({ length: 10 }, (_, index) => change(index)),
      );
      const gate = Promise.withResolvers<void>();
      relay({ retention: 60_000, upkeep: 100, log: { ...log, publish: () => gate.promise } });
      await sleep(500);
      expect(await count('change')).toBe(3010);
      gate.resolve();
      while ((await count('change')) > 10) await sleep(20);
      await published();
      await sleep(300);
      expect([await count('change'), await waiting()]).toEqual([10, 0]);
    });

    it('nothing of which that cannot be said yet', async () => {
      await appendChanges(pool, [change(1)]);
      await age();
      const asked: string[][] = [];
      const answers: (ReadonlySet<string> | null | Error)[] = [null, new Error('away'), new Set()];
      relay({
        retention: 60_000,
        upkeep: 50,
        log: { ...log, publish: async () => {} },
        confirm: async ({ ids }) => {
          asked.push([...ids]);
          expect(await count('change')).toBe(1);
          const answer = answers[asked.length - 1];
          if (answer instanceof Error) throw answer;
          return answer ?? null;
        },
      });
      while ((await count('change')) > 0) await sleep(20);
      expect(asked.length).toBe(3);
    });

    it('nothing that was lost on its way: that is published again', async () => {
      const sent = [change(1), change(2), change(3)];
      const lost = sent[1]!;
      await appendChanges(pool, sent);
      await age();
      const events = await received();
      let rounds = 0;
      relay({
        retention: 60_000,
        upkeep: 50,
        confirm: async ({ ids, read }) => {
          rounds += 1;
          if (rounds === 1) expect((await read([lost.id])).map(plain)).toEqual([lost]);
          return new Set(rounds === 1 ? ids.filter((id) => id === lost.id) : []);
        },
      });
      await until('the lost one again', () => events.length === 4);
      expect(events.map(({ objectId }) => objectId).slice(-1)).toEqual([2]);
      while ((await count('change')) > 0) await sleep(20);
    });
  });
}
