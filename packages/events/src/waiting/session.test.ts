import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { until } from '../contract/tools.ts';
import { listen } from './listener.ts';
import { createSession, type Part, type Session } from './session.ts';

let database: TestDatabase;
let pool: pg.Pool;
const left: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterEach(async () => {
  await Promise.all(left.splice(0).map((leave) => leave()));
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

let sessions = 0;
function newSession(): { session: Session; name: string } {
  const name = `session ${++sessions}`;
  return { session: createSession({ connectionString: database.url, application_name: name }), name };
}
const backends = async (name: string): Promise<number[]> =>
  (await pool.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [name])).rows.map(
    ({ pid }) => pid,
  );

/** Listens on a channel of a session; records what it hears, and how often it began. */
function listening(session: Session, channel: string) {
  const noted = { began: 0, heard: [] as string[], errors: [] as unknown[] };
  const leave = listen({
    connection: session,
    channels: [channel],
    onNotify: (from, payload) => noted.heard.push(`${from} ${payload}`),
    onConnect: () => {
      noted.began += 1;
    },
    onError: (error) => noted.errors.push(error),
  });
  left.push(leave);
  return { noted, leave };
}
const notify = (channel: string, payload: string) => pool.query('select pg_notify($1, $2)', [channel, payload]);

test('several listen on one connection, each hears its own channels, and begins again when it is lost', async () => {
  const { session, name } = newSession();
  const [one, other] = [listening(session, 'one'), listening(session, 'other')];
  await until('both listen', () => one.noted.began === 1 && other.noted.began === 1);
  const [pid, ...more] = await backends(name);
  expect(more).toEqual([]);
  await notify('one', 'a');
  await notify('other', 'b');
  await until('both have heard', () => one.noted.heard.length > 0 && other.noted.heard.length > 0);
  expect([one.noted.heard, other.noted.heard]).toEqual([['one a'], ['other b']]);
  await pool.query('select pg_terminate_backend($1)', [pid]);
  await until('both listen again', () => one.noted.began === 2 && other.noted.began === 2);
  expect(one.noted.errors.length).toBeGreaterThan(0);
  await notify('one', 'c');
  await until('it hears again', () => one.noted.heard.length === 2);
  expect(await backends(name)).toHaveLength(1);
});

test('what somebody has of the connection ends when he leaves, and the others go on', async () => {
  const { session, name } = newSession();
  const { noted } = listening(session, 'stays');
  let works = 0;
  const part: Part = {
    async begin(client, over) {
      await client.query('select pg_advisory_lock(4711)');
      works += 1;
      await new Promise<void>((done) => over.addEventListener('abort', () => done()));
    },
    onError: () => undefined,
  };
  const leave = session.join(part);
  await until('it works', () => works === 1);
  const held = async () =>
    (await pool.query<{ got: boolean }>('select pg_try_advisory_xact_lock(4711) as got')).rows[0]!.got;
  expect(await held()).toBe(false);
  await leave();
  const began = noted.began;
  await until('the lock is free', () => noted.began > began || began > 1);
  expect(await held()).toBe(true);
  await notify('stays', 'x');
  await until('it hears', () => noted.heard.includes('stays x'));
  expect(works).toBe(1);
  expect(await backends(name)).toHaveLength(1);
});

test('there is no connection when nobody has a part in it, and one again for whoever comes', async () => {
  const { session, name } = newSession();
  const { noted, leave } = listening(session, 'comes');
  await until('it listens', () => noted.began === 1);
  await leave();
  left.pop();
  while ((await backends(name)).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const next = listening(session, 'comes');
  await until('it listens', () => next.noted.began === 1);
});

test('who fails gets another connection, after a pause, and does not begin before he is done with the one before', async () => {
  const { session } = newSession();
  let tries = 0;
  let running = 0;
  let most = 0;
  const errors: unknown[] = [];
  left.push(
    session.join({
      async begin() {
        tries += 1;
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running -= 1;
        if (tries < 3) throw new Error(`try ${tries}`);
      },
      onError: (error) => errors.push(error),
    }),
  );
  await until('it succeeds', () => tries === 3);
  expect([most, errors.map((error) => (error as Error).message)]).toEqual([1, ['try 1', 'try 2']]);
});

test('who leaves while there is no server does not wait for one', async () => {
  const nowhere = createSession('postgres://x:x@127.0.0.1:1/x');
  const errors: unknown[] = [];
  const leave = nowhere.join({ begin: async () => undefined, onError: (error) => errors.push(error) });
  await until('it has failed', () => errors.length > 1);
  const began = performance.now();
  await leave();
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('who leaves while the server does not answer does not wait for that', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const session = createSession(`postgres://x:x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`);
    const leave = session.join({ begin: async () => undefined, onError: () => undefined });
    await until('it connects', () => sockets.length > 0);
    await leave();
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
