import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Executor, Statement } from '@cadastre/service/executor';
import { provision } from '../actions/provision.ts';
import { lastUsed } from './last-used.ts';
import { permissionsOf } from '../rights/permissions.ts';
import { checksum } from './token.ts';
import { verifyToken } from './verify.ts';
import { db, defaults, factors, hashing, limits, peppers, security, sql, v1, v2 } from '../testing/database.ts';

describe('verify', () => {
  const used = jest.fn();
  const verify = (request: { version: number; key?: string; plaintext: string; client_ip?: string }, idleDays = 0) =>
    verifyToken(db, { key: '', client_ip: '127.0.0.1', ...request }, { peppers, v1: true, defaults, idleDays, used });
  const good = { version: 2, key: v2.stored.key!, plaintext: v2.plaintext };
  beforeEach(() => {
    used.mockClear();
  });

  test('a v1 token', async () => {
    expect(await verify({ version: 1, plaintext: v1 })).toEqual({
      ok: true,
      error: '',
      user: { id: 1, username: 'admin', superuser: true, active: true },
      token: { id: 1, version: 1, write_enabled: true, enabled: true, expires: '', allowed_ips: [] },
      permissions_version: expect.any(Number),
    });
    expect(used).toHaveBeenCalledWith(1, null, '127.0.0.1');
  });
  test('a v1 token that was made with a pepper, and none of them where they are turned off', async () => {
    await sql('update users_token set checksum = $1 where id = 1', [checksum(v1, peppers.get(1))]);
    expect(await verify({ version: 1, plaintext: v1 })).toMatchObject({ ok: true, token: { id: 1 } });
    // What is stored is no token.
    expect(await verify({ version: 1, plaintext: checksum(v1, peppers.get(1)) })).toMatchObject({ ok: false });
    expect(
      await verifyToken(
        db,
        { version: 1, key: '', plaintext: v1, client_ip: '' },
        { peppers, v1: false, defaults, idleDays: 0, used },
      ),
    ).toMatchObject({ ok: false, error: 'Tokens of version 1 are turned off here.', user: null });
    expect(await verify(good)).toMatchObject({ ok: true });
  });
  test('a v2 token', async () => {
    expect(await verify(good)).toMatchObject({ ok: true, user: { id: 2 }, token: { id: 2, write_enabled: false } });
  });
  test.each([
    [{ version: 1, plaintext: 'b'.repeat(40) }, 1],
    [{ version: 1, plaintext: '' }, 1],
    [{ version: 1, plaintext: v2.plaintext }, 1],
    [{ version: 1, plaintext: 'a\0b' }, 1],
    [{ ...good, plaintext: 'x'.repeat(40) }, 2],
    [{ ...good, key: 'x'.repeat(12) }, 2],
    [{ version: 2, key: '', plaintext: v1 }, 2],
    [{ version: 2, key: "' or true --", plaintext: '' }, 2],
  ])('what is not a token: %j', async (request, version) => {
    expect(await verify(request)).toEqual({
      ok: false,
      error: `Invalid v${version} token`,
      user: null,
      token: null,
      permissions_version: 0,
    });
    expect(used).not.toHaveBeenCalled();
  });
  test('what was not used for so many days, or never since it was made', async () => {
    const one = { version: 1, plaintext: v1 };
    await sql(`update users_token set last_used = now() - interval '29 days', created = now() - interval '1 year'`);
    expect(await verify(one, 30)).toMatchObject({ ok: true });
    await sql(`update users_token set last_used = now() - interval '31 days'`);
    expect(await verify(one, 30)).toMatchObject({ ok: false, error: 'Token was not used for 30 days' });
    expect(await verify(one)).toMatchObject({ ok: true });
    await sql('update users_token set last_used = null');
    expect(await verify(one, 30)).toMatchObject({ ok: false });
    await sql('update users_token set created = now()');
    expect(await verify(one, 30)).toMatchObject({ ok: true });
  });
  test('disabled, expired, of an inactive user: in this order', async () => {
    await sql(`update users_token set user_id = 3 where id = 1`);
    expect(await verify({ version: 1, plaintext: v1 })).toMatchObject({
      ok: false,
      error: 'User inactive',
      user: { active: false },
    });
    await sql(`update users_token set expires = now() - interval '1 second' where id = 1`);
    expect(await verify({ version: 1, plaintext: v1 })).toMatchObject({ ok: false, error: 'Token expired' });
    await sql(`update users_token set enabled = false where id = 1`);
    expect(await verify({ version: 1, plaintext: v1 })).toMatchObject({
      ok: false,
      error: 'Token disabled',
      token: { id: 1 },
    });
    expect(used).not.toHaveBeenCalled();
  });
  test('the address decides only whether it was a use', async () => {
    await sql(`update users_token set allowed_ips = '{192.0.2.0/24,2001:db8::1}', expires = '2999-01-01T00:00:00Z'`);
    const answer = await verify(good);
    expect(answer).toMatchObject({
      ok: true,
      token: { allowed_ips: ['192.0.2.0/24', '2001:db8::1'], expires: '2999-01-01T00:00:00.000Z' },
    });
    for (const client_ip of ['', 'nonsense', '192.0.3.1', '2001:db8::2']) await verify({ ...good, client_ip });
    expect(used).not.toHaveBeenCalled();
    for (const client_ip of ['192.0.2.9', '2001:db8::1']) await verify({ ...good, client_ip });
    expect(used).toHaveBeenCalledTimes(2);
    await sql(`update users_token set allowed_ips = '{::ffff:192.0.2.0/120,::/0}'`);
    await verify({ ...good, client_ip: '192.0.3.1' });
    expect(used).toHaveBeenCalledTimes(2);
    await verify({ ...good, client_ip: '192.0.2.9' });
    expect(used).toHaveBeenCalledTimes(3);
  });
});

describe('permissions', () => {
  test('own ones, those of groups and the defaults; none that is off', async () => {
    expect((await permissionsOf(db, 2, defaults)).permissions).toEqual([
      { objectTypes: ['users.token'], actions: ['view'], constraints: [{ user: '$user' }] },
      { objectTypes: ['users.token'], actions: ['add'], constraints: [{ user: '$user' }] },
      { objectTypes: ['dcim.site'], actions: ['view', 'add'], constraints: [{ status: 'active' }] },
      { objectTypes: ['dcim.region', 'dcim.site'], actions: ['view'], constraints: [{ slug: 'a' }, { slug: 'b' }] },
    ]);
    expect((await permissionsOf(db, 3, defaults)).permissions).toEqual([]);
    expect(await permissionsOf(db, 999, defaults)).toEqual({ version: 0, permissions: [] });
  });

  test('the version is that of Verify, and another one after every change', async () => {
    const versions = new Set<number>();
    const see = async () => {
      const { version } = await permissionsOf(db, 2, defaults);
      expect(Number.isSafeInteger(version)).toBe(true);
      const verified = await verifyToken(
        db,
        { version: 2, key: v2.stored.key!, plaintext: v2.plaintext, client_ip: '' },
        { peppers, v1: true, defaults, idleDays: 0, used: () => {} },
      );
      expect(verified.permissions_version).toBe(version);
      versions.add(version);
    };
    await see();
    await see();
    expect(versions.size).toBe(1);
    const changes = [
      `update users_objectpermission set constraints = null where id = 11`,
      `update users_objectpermission set actions = '{view}' where id = 10`,
      `update users_objectpermission set enabled = true where id = 12`,
      `update users_group set object_permissions = '{}'`,
      `update users_user set object_permissions = '{10}' where id = 2`,
    ];
    for (const change of changes) {
      await sql(change);
      await see();
    }
    expect(versions.size).toBe(changes.length + 1);
    expect((await permissionsOf(db, 2, {})).version).not.toBe((await permissionsOf(db, 2, defaults)).version);
  });
});

describe('last use', () => {
  const usesOf = () => sql('select id::int, last_used from users_token order by id');
  const failed = jest.fn();

  test('is written for many at once, at most every minute, never backwards', async () => {
    const query = jest.fn((statement: Statement) => db.query(statement)) as Executor['query'];
    const uses = lastUsed({ query }, { enabled: true, gatherMs: 5, failed });
    for (let i = 0; i < 10; i++) for (const id of [1, 2]) uses.mark(id, null, '192.0.2.7');
    uses.mark(2, new Date(Date.now() - 59_000), '192.0.2.7');
    await uses.close();
    expect(query).toHaveBeenCalledTimes(1);
    const [one, two] = await usesOf();
    expect([one?.last_used, two?.last_used]).toEqual([expect.any(Date), expect.any(Date)]);
    const addresses = () => sql('select token_id::int as id, address from token_use order by id');
    expect(await addresses()).toEqual([1, 2].map((id) => ({ id, address: '192.0.2.7' })));
    uses.mark(1, one?.last_used as Date, '192.0.2.7');
    await uses.close();
    expect(query).toHaveBeenCalledTimes(1);
    uses.mark(1, new Date(Date.now() - 61_000), '2001:db8::1');
    await sql(`update users_token set last_used = now() - interval '61 seconds'`);
    await uses.close();
    expect((await addresses())[0]).toEqual({ id: 1, address: '2001:db8::1' });
    await sql(`update users_token set last_used = now() + interval '1 hour' where id = 1`);
    uses.mark(1, new Date(0), '192.0.2.7');
    await uses.close();
    expect(Number((await usesOf())[0]?.last_used)).toBeGreaterThan(Date.now() + 3_000_000);
    expect(failed).not.toHaveBeenCalled();
  });

  test('is not written in maintenance mode, and harms nobody when it fails', async () => {
    const off = lastUsed(db, { enabled: false, failed });
    off.mark(1, null, '192.0.2.7');
    await off.close();
    expect((await usesOf())[0]?.last_used).toBeNull();
    const broken = lastUsed({ query: () => Promise.reject(new Error('read-only')) }, { enabled: true, failed });
    broken.mark(1, null, '192.0.2.7');
    await broken.close();
    expect(failed).toHaveBeenCalledTimes(1);
  });
});

describe('provision', () => {
  const ask = (body: unknown, options = {}) =>
    provision(body, {
      db,
      defaults,
      hashing,
      security,
      limits: { ...limits, loginAttempts: 100, loginAttemptsPerAddress: 100 },
      address: '192.0.2.1',
      factors: factors(),
      factorGroups: [],
      check: async ({ version }) => (version === 3 ? { version: ['No.'] } : {}),
      create: async (given, { id, username }) => ({ id: 7, user: { id, username }, secret: 'x', ...given }),
      ...options,
    }).then(({ made }) => made);
  const refused = (body: unknown, options = {}) =>
    ask(body, options).then(
      () => null,
      (error: { status: number; body: unknown }) => [error.status, error.body],
    );
  const alice = { username: 'alice', password: 'Correct-Horse-9' };

  test('makes a token of what is said about it, and shows nothing else', async () => {
    expect(await ask({ ...alice, version: 1, description: 'x', user: 1, pepper_id: 4 })).toEqual({
      id: 7,
      url: null,
      display_url: null,
      display: null,
      version: 1,
      user: { id: 2, username: 'alice' },
      key: null,
      created: null,
      expires: null,
      last_used: null,
      enabled: null,
      write_enabled: null,
      description: 'x',
      allowed_ips: null,
      token: null,
    });
    expect(await ask({ username: ' admin ', password: 'Correct-Horse-9' })).toMatchObject({
      user: { username: 'admin' },
    });
  });

  test('refuses whoever is not who they say', async () => {
    for (const body of [
      { ...alice, password: 'no' },
      { ...alice, username: 'nobody' },
      { ...alice, username: 'gone' },
      { ...alice, username: 'Alice' },
    ]) {
      expect(await refused(body)).toEqual([403, { detail: 'Invalid username/password' }]);
    }
  });

  test('refuses everybody after too many wrong passwords, and says when it may be tried again', async () => {
    for (let i = 0; i < 3; i += 1)
      expect(await refused({ ...alice, password: 'no' }, { limits })).toEqual([
        403,
        { detail: 'Invalid username/password' },
      ]);
    const [status, body] = (await refused(alice, { limits }))!;
    expect([status, body]).toEqual([
      429,
      { detail: expect.stringMatching(/^Too many attempts have failed. Please try again in (5\d|60) seconds.$/) },
    ]);
    expect(await refused(alice, { limits, address: '192.0.2.2' })).toBeNull();
    expect((await ask(alice, { limits, address: '192.0.2.2' })).user).toMatchObject({ username: 'alice' });
  });

  test('says what is wrong with a body', async () => {
    const required = ['This field is required.'];
    expect(await refused({})).toEqual([400, { username: required, password: required }]);
    expect(await refused({ username: 'alice', version: 3 })).toEqual([400, { password: required, version: ['No.'] }]);
    expect(await refused({ username: null, password: ' ' })).toEqual([
      400,
      { username: ['This field may not be null.'], password: ['This field may not be blank.'] },
    ]);
    expect(await refused({ username: 'a\0', password: {} })).toEqual([
      400,
      { username: ['Null characters are not allowed.'], password: ['Not a valid string.'] },
    ]);
    for (const [body, type] of [
      ['x', 'str'],
      [[], 'list'],
      [null, 'NoneType'],
      [1, 'int'],
      [1.5, 'float'],
      [true, 'bool'],
    ] as const) {
      expect(await refused(body)).toEqual([
        400,
        { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
      ]);
    }
  });
});
