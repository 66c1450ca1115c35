import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import {
  beginSession,
  endSessionsOf,
  everyMs,
  inSession,
  type NewSession,
  sessionsOf,
  sessionsSeen,
} from './sessions.ts';
import { db, defaults, sql } from '../testing/database.ts';
import { authenticate } from '../passwords/users.ts';

const IDLE = 3600;
let stamp: string;
beforeEach(async () => {
  stamp ??= (await authenticate(db, 'alice', 'Correct-Horse-9', defaults))!.stamp;
  await sql('delete from user_session');
});

async function begun(more: Partial<NewSession> = {}, most = 10): Promise<string> {
  const key = randomUUID();
  const until = '2999-01-01T00:00:00Z';
  await beginSession(
    db,
    { key, userId: 2, until, address: '192.0.2.1', browser: 'Firefox', method: 'password', ...more },
    most,
  );
  return key;
}
const open = (key: string, idleSeconds = IDLE, more = {}) =>
  inSession(db, { key, userId: 2, stamp, ...more }, { defaults, idleSeconds });
const count = async (): Promise<number> => (await sql('select 1 from user_session')).length;
const longAgo = (key: string, seconds: number) =>
  sql('update user_session set last_seen = now() - make_interval(secs => $2) where key = $1', [key, seconds]);

test('only a session that was begun here counts, for its user and with the password of then', async () => {
  const key = await begun();
  expect(await open(key)).toMatchObject({ id: 2, username: 'alice', session: expect.any(Number) });
  for (const wrong of [{ key: randomUUID() }, { userId: 1 }, { stamp: 'x' }])
    expect(await open(key, IDLE, wrong)).toBeNull();
});

test('it says which version of what its user has chosen there is', async () => {
  const key = await begun();
  const version = async () => (await open(key))!.config;
  const choose = (data: object) =>
    sql('insert into user_config values (2, $1) on conflict (user_id) do update set data = excluded.data', [data]);
  const versions = [await version()];
  for (const columns of [['name'], ['slug']]) {
    await choose({ columns });
    versions.push(await version());
  }
  expect(versions[0]).toBe('');
  expect(new Set(versions).size).toBe(3);
  await choose({ columns: ['name'] });
  expect(await version()).toBe(versions[1]);
  await sql('delete from user_config');
});

test('a login is noted, and whoever remembers the user hears of it', async () => {
  await sql('update users_user set last_login = null where id = 2');
  await begun();
  expect(await sql('select last_login from users_user where id = 2')).toEqual([{ last_login: expect.any(Date) }]);
  expect(await sql('select type, id::int from cache_invalidation')).toContainEqual({
    type: typeId('users.user'),
    id: 2,
  });
});

test('it ends at its time, and when it was not used for long, unless that does not matter', async () => {
  const key = await begun();
  await longAgo(key, IDLE - 10);
  expect(await open(key)).not.toBeNull();
  await longAgo(key, IDLE + 10);
  expect([await open(key), (await sessionsOf(db, 2, IDLE)).length]).toEqual([null, 0]);
  expect([await open(key, 0), (await sessionsOf(db, 2, 0)).length]).toEqual([expect.anything(), 1]);
  await sql('update user_session set until = now()');
  expect(await open(key, 0)).toBeNull();
});

test('one too many ends the one that was used least recently, of the same user', async () => {
  const others = await begun({ userId: 1 });
  const [first, second, third] = [await begun(), await begun(), await begun()];
  await longAgo(first, 10);
  await longAgo(second, 30);
  await longAgo(third, 20);
  const fourth = await begun({}, 3);
  const left = (await sql('select key from user_session order by id')).map(({ key }) => key);
  expect(left).toEqual([others, first, third, fourth]);
});

test('what is over is forgotten with the next login', async () => {
  await begun({ until: '2020-01-01T00:00:00Z', userId: 1 });
  await begun();
  expect(await count()).toBe(1);
});

test('when a session is used is noted, but not often', async () => {
  const key = await begun({ address: '192.0.2.1' });
  await longAgo(key, 600);
  const { session, lastSeen } = (await open(key))!;
  const seen = sessionsSeen(db, { enabled: true, idleSeconds: IDLE, failed: () => undefined });
  seen.mark(session, '192.0.2.9', lastSeen);
  await seen.close();
  const [one] = await sessionsOf(db, 2, IDLE);
  expect([one!.address, one!.created]).toEqual([
    '192.0.2.9',
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  ]);
  expect(Date.now() - Date.parse(one!.lastSeen)).toBeLessThan(60_000);
  seen.mark(session, '192.0.2.10', Date.parse(one!.lastSeen));
  await seen.close();
  const off = sessionsSeen(db, { enabled: false, idleSeconds: IDLE, failed: () => undefined });
  off.mark(session, '192.0.2.10', 0);
  await off.close();
  expect((await sessionsOf(db, 2, IDLE))[0]).toEqual(one);
});

test('it is noted more often where sessions end soon', () =>
  expect([everyMs(0), everyMs(3600), everyMs(60)]).toEqual([60_000, 60_000, 15_000]));

test('somebody ends one of their own, or all others, and nobody else’s', async () => {
  const others = await begun({ userId: 1 });
  const keys = [await begun(), await begun(), await begun()];
  const ids = (await sessionsOf(db, 2, IDLE)).map(({ id }) => id);
  const [foreign] = await sessionsOf(db, 1, IDLE);
  expect(await endSessionsOf(db, 2, { id: foreign!.id })).toBe(0);
  expect(await endSessionsOf(db, 2, { id: ids[0]! })).toBe(1);
  expect(await endSessionsOf(db, 2, { except: ids[1]! })).toBe(1);
  expect((await sql('select key from user_session order by id')).map(({ key }) => key)).toEqual([others, keys[1]]);
});

test('what a browser says of itself is kept up to a length, whatever it is', async () => {
  await begun({ browser: `a\0${'b'.repeat(1000)}`, address: 'x'.repeat(100) });
  const [one] = await sessionsOf(db, 2, IDLE);
  expect([one!.browser.slice(0, 3), one!.browser.length, one!.address.length]).toEqual(['abb', 300, 45]);
});

test('they go with their user', async () => {
  await sql(`insert into users_user (id, username, password) values (50, 'short', '')`);
  await begun({ userId: 50 });
  await sql('delete from users_user where id = 50');
  expect(await count()).toBe(0);
});
