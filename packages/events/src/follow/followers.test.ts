import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { until } from '../contract/tools.ts';
import { type ChangeEvent, topicOf } from '../event/event.ts';
import { createFollowers } from './followers.ts';
import type { EventLog, ReceivedMessage } from '../log/log.ts';
import { newEventId } from '../event/eventId.ts';
import { parkedColumns, parkedTables } from './park.ts';
import { countParked, discardParked, listParked, readParked, trimParked } from './parked.ts';
import { createPostgresLog } from '../postgres.ts';

const event = (objectId: number): ChangeEvent => ({
  id: newEventId(),
  time: '2026-01-02T03:04:05.123456Z',
  request: null,
  action: 'updated',
  objectType: 'dcim.site',
  objectId,
  version: 1,
  display: '',
  message: '',
  data: {},
  prechange: null,
  postchange: null,
  row: null,
  related: null,
});

describe('followers', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let log: EventLog;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
    for (const statement of [...parkedTables(), ...parkedColumns()]) await pool.query(statement);
    log = await createPostgresLog({ connection: database.url });
  });
  beforeEach(async () => void (await pool.query('truncate "parked_message"')));
  afterAll(async () => {
    await log.close();
    await pool.end();
    await database.drop();
  });

  /** A follower whose handler fails as long as the test wants, and two parked messages and one handled. */
  const parkTwo = async () => {
    const service = `s${randomUUID()}`;
    const group = `g-${randomUUID()}`;
    const state = { broken: true, entered: () => {}, gate: Promise.resolve() };
    const handled: number[] = [];
    const seen: ReceivedMessage[] = [];
    const followers = createFollowers(log, pool);
    const consumer = followers.follow({
      group,
      services: [service],
      retry: { attempts: 2, firstDelay: 1, maxDelay: 2 },
      handle: async (events, messages) => {
        state.entered();
        await state.gate;
        if (state.broken && events.some(({ objectId }) => objectId === 1)) throw new Error('poison\0 in line one');
        handled.push(...events.map(({ objectId }) => objectId));
        seen.push(...messages);
      },
    });
    const poison = event(1);
    await log.publish(topicOf(service), [
      { key: 'dcim.site:1', value: JSON.stringify(poison), headers: { 'event-id': poison.id } },
      { key: 'dcim.site:1', value: 'nonsense' },
      { key: 'dcim.site:2', value: JSON.stringify(event(2)) },
    ]);
    await until('the good one', () => handled.length === 1);
    while ((await listParked(pool, { offset: 0, limit: 0 })).count < 2)
      await new Promise((done) => setTimeout(done, 10));
    await consumer.stop();
    const { messages } = await listParked(pool, { offset: 0, limit: 10 });
    return {
      followers,
      group,
      state,
      handled,
      seen,
      poison: messages.find(({ error }) => error.includes('poison'))!,
      nonsense: messages.find(({ error }) => error.includes('JSON'))!,
    };
  };

  it('park what cannot be handled, and tell of it', async () => {
    const { group, poison, nonsense, handled } = await parkTwo();
    expect(handled).toEqual([2]);
    expect(poison).toMatchObject({
      group,
      key: 'dcim.site:1',
      error: 'Error: poison\uFFFD in line one',
      replays: 0,
      lastReplay: null,
    });
    expect(await countParked(pool)).toEqual(new Map([[group, 2]]));
    expect((await listParked(pool, { offset: 1, limit: 1 })).messages.map(({ id }) => id)).toEqual([
      Math.max(poison.id, nonsense.id),
    ]);
    expect(await readParked(pool, nonsense.id)).toMatchObject({
      value: 'nonsense',
      trace: expect.stringMatching(/not a change event[\s\S]*\n {4}at /),
    });
    expect(await readParked(pool, 0)).toBeNull();
  });

  it('handle it when it is replayed, by the handler of its group and as the log had it', async () => {
    const { followers, state, handled, seen, poison, nonsense } = await parkTwo();
    expect(await followers.replay(poison.id)).toEqual({ outcome: 'failed', error: 'Error: poison\uFFFD in line one' });
    expect(await readParked(pool, poison.id)).toMatchObject({
      replays: 1,
      lastReplay: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    state.broken = false;
    expect(await followers.replay(poison.id)).toEqual({ outcome: 'handled' });
    expect(handled).toEqual([2, 1]);
    const { key, position, topic, partition } = poison;
    expect(seen.at(-1)).toMatchObject({
      key,
      position,
      topic,
      partition,
      time: expect.any(Date),
      headers: { 'event-id': expect.any(String) },
    });
    expect(await followers.replay(poison.id)).toEqual({ outcome: 'absent' });
    expect((await followers.replay(nonsense.id)).outcome).toBe('failed');
    expect((await listParked(pool, { offset: 0, limit: 10 })).messages.map(({ id }) => id)).toEqual([nonsense.id]);
  });

  it('replay a message once, whoever asks', async () => {
    const { followers, state, handled, poison } = await parkTwo();
    state.broken = false;
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const entered = new Promise<void>((done) => {
      state.entered = done;
    });
    const first = followers.replay(poison.id);
    await entered;
    expect(await followers.replay(poison.id)).toEqual({ outcome: 'busy' });
    gate.resolve();
    expect([await first, handled]).toEqual([{ outcome: 'handled' }, [2, 1]]);
  });

  it('know nothing of groups that are not theirs', async () => {
    const { poison, group } = await parkTwo();
    expect(await createFollowers(log, pool).replay(poison.id)).toEqual({
      outcome: 'failed',
      error: `nothing here follows as ${group}`,
    });
  });

  it('forget what is discarded, and what is old', async () => {
    const { poison, nonsense } = await parkTwo();
    expect([await discardParked(pool, poison.id), await discardParked(pool, poison.id)]).toEqual([true, false]);
    await trimParked(pool, 60_000);
    expect((await listParked(pool, { offset: 0, limit: 0 })).count).toBe(1);
    await pool.query(`update "parked_message" set "parked_at" = now() - interval '2 minutes' where "id" = $1`, [
      nonsense.id,
    ]);
    await trimParked(pool, 60_000);
    expect((await listParked(pool, { offset: 0, limit: 0 })).count).toBe(0);
  });
});
