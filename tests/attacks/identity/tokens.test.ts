import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Body } from '../../support/client.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const tokens = '/api/users/tokens/';
const users = '/api/users/users/';
const password = 'Correct-Horse-9';
const most = 100;
const own = { types: ['users.token'], actions: ['view', 'add', 'change', 'delete'] };

let pool: pg.Pool | undefined;
afterAll(async () => {
  await pool?.end();
});
async function stored(id: number): Promise<Body> {
  const url = new URL(used.system.postgres);
  url.pathname = '/cadastre_auth';
  pool ??= new pg.Pool({ connectionString: url.href, max: 1 });
  return (await pool.query('select * from users_token where id = $1', [id])).rows[0];
}

test('the database holds no token that somebody could use, of either version', async () => {
  const { id } = await userWith(used.admin);
  const chosen = randomBytes(20).toString('hex');
  for (const more of [{ version: 1 }, { version: 2 }, { version: 1, token: chosen }]) {
    const made = await used.admin.make(tokens, { user: id, ...more });
    const row = await stored(made.id);
    const text = JSON.stringify(row);
    expect(text).not.toContain(made.token);
    const client = used.admin.as(made.version === 1 ? `Token ${made.token}` : `Bearer svc_${made.key}.${made.token}`);
    expect((await client.get('/api/authentication-check/')).body.id).toBe(id);
    if (made.version === 1) expect(made.display).toBe(`${'*'.repeat(34)}${made.token.slice(-6)}`);
    // What is stored cannot be used as a token.
    for (const value of Object.values(row))
      if (typeof value === 'string' && value.length > 20)
        expect((await used.admin.as(`Token ${value}`).get('/api/authentication-check/')).status).toBe(403);
  }
  const again = await used.admin.post(tokens, { user: id, version: 1, token: chosen });
  expect([again.status, again.body]).toEqual([400, { token: ['token with this token already exists.'] }]);
});

test('nobody finds the end of a token by trying', async () => {
  const { id } = await userWith(used.admin);
  const made = await used.admin.make(tokens, { user: id, version: 1 });
  for (const name of ['ending', 'checksum', 'hmac_digest', 'plaintext']) {
    const permission = await used.admin.post('/api/users/permissions/', {
      name: unique(),
      object_types: ['users.token'],
      actions: ['view'],
      constraints: { [name]: made.token.slice(-6) },
    });
    expect([name, permission.status, Object.keys(permission.body)]).toEqual([name, 400, ['constraints']]);
    const asked = await used.admin.get(`${tokens}?${name}=${made.token.slice(-6)}`, { Prefer: 'handling=strict' });
    expect([name, asked.status]).toEqual([name, 400]);
  }
});

test('a token that somebody chose is hard to guess', async () => {
  const { client, id, name } = await userWith(used.admin, own);
  const weak = [
    'a'.repeat(40),
    '0123456789'.repeat(4),
    '0123456789abcdef0123456789abcdef01234567',
    'password'.repeat(5),
    `${'0'.repeat(39)}1`,
    'abcdefghijklmnopqrstuvwxyz01234567890abc',
    'ab'.repeat(20),
    `${'x'.repeat(30)}k4Jd93mZpQ`,
  ];
  for (const token of weak) {
    for (const version of [1, 2]) {
      const { status, body } = await client.post(tokens, { user: id, version, token });
      expect([token, status, body]).toEqual([token, 400, { token: [expect.stringContaining('too easy to guess')] }]);
    }
  }
  expect(
    (await used.admin.as().post(`${tokens}provision/`, { username: name, password, token: weak[0] })).body,
  ).toHaveProperty('token');
  expect((await client.post(tokens, [{ user: id }, { user: id, token: weak[1] }])).body).toEqual([
    {},
    { token: [expect.any(String)] },
  ]);
  for (const token of [
    randomBytes(20).toString('hex'),
    randomBytes(40).toString('base64url').replace(/[-_]/g, 'x').slice(0, 40),
  ])
    expect((await client.post(tokens, { user: id, token })).status).toBe(201);
});

test('what the system notes of a token or a user is not written by clients', async () => {
  const { client, id } = await userWith(used.admin, own);
  const past = '2001-01-01T00:00:00Z';
  const made = await client.make(tokens, { user: id, last_used: past, created: past, pepper_id: 7 });
  expect(made).toMatchObject({ last_used: null, created: expect.not.stringContaining('2001'), pepper_id: 1 });
  for (const method of ['patch', 'put'] as const) {
    const { status, body } = await client[method](`${tokens}${made.id}/`, {
      user: id,
      last_used: past,
      pepper_id: null,
      key: 'x',
      created: past,
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ last_used: null, pepper_id: 1, key: made.key, created: made.created }),
    ]);
  }
  expect((await used.admin.as(`Bearer svc_${made.key}.${made.token}`).get('/api/authentication-check/')).status).toBe(
    200,
  );
  const username = unique('user');
  const user = await used.admin.make(users, {
    username,
    password,
    last_login: past,
    date_joined: past,
    is_superuser: true,
  });
  expect([user.last_login, user.date_joined.slice(0, 4) === '2001']).toEqual([null, false]);
  expect((await used.admin.patch(`${users}${user.id}/`, { last_login: past, date_joined: past })).body).toMatchObject({
    last_login: null,
    date_joined: user.date_joined,
  });
});

test('a user has so many tokens at most, however many requests make some at once', async () => {
  const { client, id } = await userWith(used.admin, own);
  const batch = (size: number) => Array.from({ length: size }, () => ({ user: id }));
  const tooMany = await client.post(tokens, batch(most));
  expect([tooMany.status, tooMany.body.at(-1), tooMany.body[0]]).toEqual([
    400,
    { user: [`A user may have ${most} tokens at most. Delete some that are not used any more.`] },
    {},
  ]);
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.post(tokens, batch(20))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 400, 400, 400, 400]);
  expect((await client.read(`${tokens}?user_id=${id}&limit=1`)).count).toBe(81);
  expect((await client.post(tokens, batch(19))).status).toBe(201);
  const last = await client.post(tokens, { user: id });
  expect([last.status, Object.keys(last.body)]).toEqual([400, ['user']]);
  const [one] = await client.column(`${tokens}?user_id=${id}&limit=1`, 'id');
  expect((await client.delete(`${tokens}${one}/`)).status).toBe(204);
  expect((await client.post(tokens, { user: id })).status).toBe(201);
});
