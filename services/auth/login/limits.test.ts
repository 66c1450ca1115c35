import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { executor } from '@cadastre/service/executor';
import argon2 from 'argon2';
import pg from 'pg';
import { origin } from '../passwords/attempts.ts';
import { logIn } from './login.ts';
import { hashPassword, isOutdated } from '../passwords/password.ts';
import { hashingLimiter } from '../passwords/hashingLimiter.ts';
import { defaults, limits, hashing, database, db, security, sql } from '../testing/database.ts';

describe('the limits of logins', () => {
  const attempt = (username: string, password: string, address: string, more: Partial<typeof limits> = {}) =>
    logIn({ username, password, address }, { db, limits: { ...limits, ...more }, defaults, hashing, security });
  const right = 'Correct-Horse-9';
  const refused = { account: null, wait: 0, busy: false, unavailable: false, directory: false, failures: null };
  const fail = async (times: number, username: string, address: string) => {
    for (let i = 0; i < times; i += 1) expect(await attempt(username, 'wrong', address)).toEqual(refused);
  };

  /** Gives a user a hash of the usual cost, so that concurrent guesses overlap. */
  const makeDear = async (username: string) =>
    sql('update users_user set password = $2 where username = $1', [username, await hashPassword(right)]);

  test('hold for a name from an address, and leave the user alone elsewhere', async () => {
    await fail(3, 'alice', '192.0.2.1');
    for (const [name, password] of [
      ['alice', right],
      ['ALICE', 'x'],
      ['alice', 'wrong'],
    ] as const) {
      const { account, wait } = await attempt(name, password, '192.0.2.1');
      expect([account, wait > 50 && wait <= 60]).toEqual([null, true]);
    }
    expect(await attempt('alice', right, '192.0.2.2')).toMatchObject({ account: { username: 'alice' }, wait: 0 });
    expect(await attempt('admin', right, '192.0.2.1')).toMatchObject({ account: { username: 'admin' }, wait: 0 });
  });

  test('hold for an address, whatever the names', async () => {
    for (let i = 0; i < 6; i += 1) await fail(1, `guess${i}`, '2001:db8:1:2::7');
    // A client has all addresses of its IPv6 network.
    for (const address of ['2001:db8:1:2::7', '2001:db8:1:2:ffff:ffff:ffff:ffff'])
      expect((await attempt('alice', right, address)).wait).toBeGreaterThan(50);
    expect(await attempt('alice', right, '2001:db8:1:3::7')).toMatchObject({ account: { username: 'alice' } });
  });

  test('end when they were to end, however often it is tried meanwhile', async () => {
    await fail(3, 'alice', '192.0.2.1');
    await sql("update failed_login set until = now() + interval '30 seconds'");
    expect((await attempt('alice', 'wrong', '192.0.2.1')).wait).toBeLessThanOrEqual(30);
    await sql("update failed_login set until = now() - interval '1 second'");
    expect(await attempt('alice', right, '192.0.2.1')).toMatchObject({ account: { username: 'alice' }, wait: 0 });
    await fail(3, 'alice', '192.0.2.1');
    expect((await attempt('alice', right, '192.0.2.1')).wait).toBeGreaterThan(0);
    await sql("update failed_login set until = now() - interval '1 second'");
    await fail(1, 'bob', '192.0.2.9');
    expect(await sql('select until from failed_login where until < now()')).toEqual([]);
  });

  test('count only what fails, and begin anew after a right password', async () => {
    expect(
      (await Promise.all(Array.from({ length: 5 }, () => attempt('alice', right, '192.0.2.1')))).map(
        ({ account }) => account?.username,
      ),
    ).toEqual(Array.from({ length: 5 }, () => 'alice'));
    for (let round = 0; round < 2; round += 1) {
      await fail(2, 'alice', '192.0.2.1');
      expect(await attempt('alice', right, '192.0.2.1')).toMatchObject({ account: { username: 'alice' } });
    }
    // The counter of the address is kept: a user must not be able to reset it with their own password, to go on
    // guessing others'.
    await fail(2, 'admin', '192.0.2.1');
    expect((await attempt('alice', right, '192.0.2.1')).wait).toBeGreaterThan(0);
  });

  test('hold for guesses made at once, to the last one', async () => {
    const others = new pg.Pool({ connectionString: database.url, max: 4 });
    const wide = hashingLimiter({ atOnce: 20, waiting: 0, waitingEach: 0, waitMs: 60_000 });
    await makeDear('alice');
    try {
      // The first three begin the counting at the same time.
      const guess = (i: number) =>
        logIn(
          { username: 'alice', password: 'wrong', address: '192.0.2.1' },
          { db: i % 2 ? db : executor(others), limits, defaults, hashing: { ...hashing, ...wide }, security },
        );
      const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => guess(i)));
      expect(answers.filter(({ wait }) => wait === 0).length).toBe(3);
      expect((await attempt('alice', right, '192.0.2.1')).wait).toBeGreaterThan(0);
    } finally {
      await others.end();
    }
  });

  test('hold for an account from everywhere else, and leave its user the ways in that they use', async () => {
    const slow = { loginAttemptsPerAccount: 4 };
    const home = '192.0.2.1';
    const wrong = (address: string) => attempt('alice', 'wrong', address, slow);
    expect(await attempt('alice', right, home, slow)).toMatchObject({ account: { username: 'alice' }, failures: null });
    for (let i = 10; i < 14; i += 1) expect((await wrong(`192.0.2.${i}`)).wait).toBe(0);
    for (const password of ['wrong', right]) {
      const { account, wait } = await attempt('alice', password, '192.0.2.20', slow);
      expect([account, wait > 3000 && wait <= 3600]).toEqual([null, true]);
    }
    expect(await attempt('alice', right, home, slow)).toMatchObject({
      account: { username: 'alice' },
      failures: { count: 4, last: expect.stringMatching(/Z$/), address: '192.0.2.13' },
    });
    expect(await attempt('alice', right, home, slow)).toMatchObject({ failures: null });
    // The counter for other addresses is kept.
    expect((await attempt('alice', right, '192.0.2.20', slow)).wait).toBeGreaterThan(3000);
    // The known address has a counter of its own, which fills up as well.
    for (let i = 0; i < 4; i += 1) {
      expect((await wrong(home)).wait).toBe(0);
      await sql("delete from failed_login where until < now() + interval '10 minutes'");
    }
    expect((await attempt('alice', right, home, slow)).wait).toBeGreaterThan(3000);
    expect(await attempt('admin', right, '192.0.2.20', slow)).toMatchObject({ account: { username: 'admin' } });
    await sql('delete from failed_login');
    await sql("update known_origin set until = now() - interval '1 second'");
    expect((await wrong('192.0.2.30')).wait).toBe(0);
    expect(await sql('select key from known_origin where until < now()')).toEqual([]);
  });

  test('are where a hash of another cost is replaced', async () => {
    const before = await argon2.hash(right, { type: argon2.argon2id, parallelism: 4 });
    await sql('update users_user set password = $1 where id = 3', [before]);
    await sql('update users_user set is_active = true where id = 3');
    const stored = async () => String((await sql('select password from users_user where id = 3'))[0]?.password);
    expect(await attempt('gone', 'wrong', '192.0.2.1')).toMatchObject({ account: null });
    expect(await stored()).toBe(before);
    // Sessions that began before go on: it is the same password.
    const stamp = createHash('sha256').update(before).digest('base64url');
    const { account } = await attempt('gone', right, '192.0.2.1');
    const outdated = isOutdated(await stored(), hashing.cost);
    expect([(await stored()) === before, outdated, account?.stamp]).toEqual([false, false, stamp]);
    expect((await attempt('gone', right, '192.0.2.1')).account?.stamp).toBe(stamp);
    // And once more, at yet another cost.
    const dearer = { ...hashing, cost: { ...hashing.cost, timeCost: 4 } };
    const again = await logIn(
      { username: 'gone', password: right, address: '192.0.2.1' },
      { db, limits, defaults, hashing: dearer, security },
    );
    expect([again.account?.stamp, isOutdated(await stored(), dearer.cost)]).toEqual([stamp, false]);
    // Another password has another stamp, even one that is hashed as it was.
    await sql('update users_user set password = $1 where id = 3', [await hashPassword(right)]);
    expect((await attempt('gone', right, '192.0.2.1')).account?.stamp).not.toBe(stamp);
    await sql('update users_user set is_active = false where id = 3');
  });

  test('know no address where none is to be known', async () => {
    expect(await attempt('alice', right, '192.0.2.1', { loginKnownDays: 0 })).toMatchObject({
      account: { username: 'alice' },
    });
    expect(await sql('select key from known_origin')).toEqual([]);
  });

  test('tell a user at once when very much has failed, and nobody of whom nobody knows', async () => {
    const slow = { loginAttemptsPerAccount: 2 };
    for (let i = 1; i < 6; i += 1)
      for (const name of ['alice', 'nobody'])
        await attempt(name, 'wrong', `192.0.2.${i}`, {
          ...slow,
          loginAttemptsPerAccount: name === 'alice' && i > 2 ? 100 : 2,
        });
    const told = (await sql('select body::jsonb as body from change order by id')).map(
      ({ body }) => body as { objectType: string; display: string; data: object },
    );
    expect(told).toEqual([
      expect.objectContaining({
        objectType: 'extras.notice',
        display: 'alice: 2 attempts to log in have failed',
        data: {
          user: 2,
          objectType: 'users.user',
          objectId: 2,
          eventType: 'object_updated',
          display: 'alice: 2 attempts to log in have failed',
        },
      }),
    ]);
  });

  test('leave no attempt counted that found no place', async () => {
    const full = hashingLimiter({ atOnce: 1, waiting: 0, waitingEach: 0, waitMs: 60_000 });
    let leave = () => {};
    const taken = full.use(
      'somebody',
      () =>
        new Promise<void>((done) => {
          leave = done;
        }),
    );
    for (let i = 0; i < 5; i += 1)
      expect(
        await logIn(
          { username: 'alice', password: right, address: '192.0.2.1' },
          { db, limits, defaults, hashing: { ...hashing, ...full }, security },
        ),
      ).toEqual({ ...refused, busy: true });
    leave();
    await taken;
    expect(await sql('select * from failed_login')).toEqual([]);
  });

  test('hold for processes together, and for guesses made at once', async () => {
    const others = new pg.Pool({ connectionString: database.url, max: 4 });
    await makeDear('alice');
    try {
      const guess = (i: number) =>
        logIn(
          { username: 'alice', password: 'wrong', address: '192.0.2.1' },
          { db: i % 2 ? db : executor(others), limits, defaults, hashing, security },
        );
      await Promise.all(Array.from({ length: 8 }, (_, i) => guess(i)));
      for (const i of [0, 1]) expect((await guess(i)).wait).toBeGreaterThan(0);
      expect((await attempt('alice', right, '192.0.2.1')).wait).toBeGreaterThan(0);
    } finally {
      await others.end();
    }
  });

  test('keep no name and no password that was typed into the wrong field', async () => {
    await fail(1, 'Correct-Horse-9', '192.0.2.1');
    expect(JSON.stringify(await sql('select * from failed_login'))).not.toMatch(/horse|192/i);
  });

  test('what is no address is one origin', () => {
    expect(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', 'fe80::1%eth0', '', 'nonsense'].map(origin)).toEqual([
      '192.0.2.1',
      '192.0.2.1',
      '2001:db8::',
      'fe80::',
      '',
      '',
    ]);
  });
});
