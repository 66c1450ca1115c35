import { expect, test } from '@jest/globals';
import type { Body, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const tokens = '/api/users/tokens/';
const refused = 'You do not have permission to perform this action.';

const clientOf = (token: Body): Client =>
  used.admin.as(token.version === 1 ? `Token ${token.token}` : `Bearer svc_${token.key}.${token.token}`);
const adminId = async (): Promise<number> => (await used.admin.read('/api/users/users/?username=admin')).results[0].id;
const status = async (client: Client, headers: Record<string, string> = {}) => {
  const answer = await client.get(`${sites}?limit=1`, headers);
  return [answer.status, answer.body?.detail];
};

test('both versions, with their secrets shown once', async () => {
  const user = await adminId();
  const v2 = await used.admin.make(tokens, { user, description: 'two' });
  const v1 = await used.admin.make(tokens, { user, version: 1 });
  expect(v2).toMatchObject({
    version: 2,
    key: expect.stringMatching(/^\w{12}$/),
    token: expect.stringMatching(/^\w{40}$/),
    display: v2.key,
    write_enabled: true,
    enabled: true,
    expires: null,
    allowed_ips: [],
    user: { id: user, username: 'admin' },
  });
  expect(v1).toMatchObject({ version: 1, key: null, token: expect.stringMatching(/^\w{40}$/) });
  for (const token of [v1, v2]) {
    expect(await status(clientOf(token))).toEqual([200, undefined]);
    const again = await used.admin.read(`${tokens}${token.id}/`);
    expect(again.token ?? null).toBeNull();
    expect(JSON.stringify(again)).not.toContain(token.token);
  }
  expect(await status(used.admin.as(`Bearer nbt_${v2.key}.${v2.token}`))).toEqual([200, undefined]);
  expect((await used.admin.delete(`${tokens}${v2.id}/`)).status).toBe(204);
  await eventually(async () => expect(await status(clientOf(v2))).toEqual([403, 'Invalid v2 token']));
});

test('no token, wrong tokens, wrong headers', async () => {
  for (const [header, detail] of [
    [undefined, 'Authentication credentials were not provided.'],
    ['Basic YTpi', 'Authentication credentials were not provided.'],
    ['Token 0123', 'Invalid v1 token'],
    ['Bearer svc_abc.def', 'Invalid v2 token'],
    ['Bearer abc', 'Invalid v1 token'],
    [
      'Bearer svc_abc',
      "Invalid authorization header: Could not parse key from v2 token. Did you mean to use 'Token' instead of 'Bearer'?",
    ],
    ['Token a b', 'Invalid authorization header: Must be in the form "Bearer <key>.<token>" or "Token <token>"'],
  ] as const)
    expect([header, await status(used.admin.as(header))]).toEqual([header, [403, detail]]);
  // A header that only the gateway may set is not trusted when it comes from outside.
  const forged = await used.admin
    .as()
    .get(sites, { 'x-cadastre-identity': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwic3UiOnRydWV9.' });
  expect(forged.status).toBe(403);
});

test('read-only, disabled, expired, from elsewhere', async () => {
  const user = await adminId();
  const readOnly = clientOf(await used.admin.make(tokens, { user, write_enabled: false }));
  expect(await status(readOnly)).toEqual([200, undefined]);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await readOnly.ask(method, sites, { body: [] });
    expect([method, answer.status, answer.body]).toEqual([method, 403, { detail: refused }]);
  }
  expect((await readOnly.ask('OPTIONS', sites)).status).toBe(200);

  const past = await used.admin.post(tokens, { user, expires: '2020-01-01T00:00:00Z' });
  expect([past.status, past.body.expires[0]]).toEqual([400, expect.stringContaining('must be in the future')]);
  // On a busy machine it may expire before it is used.
  let brief: Body;
  let inTime = false;
  for (let lifeMs = 1_200; !inTime; lifeMs *= 2) {
    brief = await used.admin.make(tokens, { user, expires: new Date(Date.now() + lifeMs).toISOString() });
    const early = await status(clientOf(brief));
    inTime = Date.now() < Date.parse(brief.expires);
    if (inTime) expect(early).toEqual([200, undefined]);
  }
  await eventually(async () => expect(await status(clientOf(brief))).toEqual([403, 'Token expired']));
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(brief.expires));

  const restricted = await used.admin.make(tokens, { user, allowed_ips: ['192.0.2.0/24', '2001:db8::/32'] });
  expect(restricted.allowed_ips).toEqual(['192.0.2.0/24', '2001:db8::/32']);
  expect(await status(clientOf(restricted))).toEqual([
    403,
    'Source IP 127.0.0.1 is not permitted to authenticate using this token.',
  ]);
  expect(await status(clientOf(restricted), { 'X-Forwarded-For': '192.0.2.7' })).toEqual([200, undefined]);
  expect(await status(clientOf(restricted), { 'X-Forwarded-For': '2001:db8::1' })).toEqual([200, undefined]);
  expect((await status(clientOf(restricted), { 'X-Forwarded-For': '192.0.3.7' }))[0]).toBe(403);
  expect((await used.admin.post(tokens, { user, allowed_ips: ['bad'] })).body).toEqual({
    allowed_ips: expect.anything(),
  });

  const disabled = await used.admin.make(tokens, { user, enabled: false });
  expect((await status(clientOf(disabled)))[0]).toBe(403);
});

test('users manage their own tokens; for others it takes a permission', async () => {
  const username = unique('user');
  const password = 'Correct-Horse-9';
  const { id } = await used.admin.make('/api/users/users/', { username, password });
  const provisioned = await used.admin.as().post('/api/users/tokens/provision/', { username, password });
  expect([provisioned.status, provisioned.body.write_enabled, provisioned.body.user.username]).toEqual([
    201,
    true,
    username,
  ]);
  const me = clientOf(provisioned.body);
  expect(await me.column(tokens, 'id')).toEqual([provisioned.body.id]);
  const own = await me.make(tokens, { user: id, description: 'mine' });
  expect((await me.patch(`${tokens}${own.id}/`, { description: 'still mine' })).body.description).toBe('still mine');
  const admin = await adminId();
  const other = await me.post(tokens, { user: admin });
  expect([other.status, other.body]).toEqual([
    403,
    { detail: 'This user does not have permission to create tokens for other users.' },
  ]);
  const [foreign] = await used.admin.column(`${tokens}?user_id=${admin}&limit=1`, 'id');
  expect((await me.get(`${tokens}${foreign}/`)).status).toBe(404);
  expect((await me.delete(`${tokens}${own.id}/`)).status).toBe(204);

  await used.admin.make('/api/users/permissions/', {
    name: unique(),
    object_types: ['users.token'],
    actions: ['view', 'add', 'grant'],
    users: [id],
  });
  const friend = await used.admin.make('/api/users/users/', { username: unique('user'), password });
  await eventually(() => me.make(tokens, { user: friend.id, description: 'granted' }));
  const superuser = await me.post(tokens, { user: admin });
  expect([superuser.status, superuser.body]).toEqual([
    403,
    { detail: 'Only superusers may make, change or delete the tokens of superusers.' },
  ]);
});

test('provisioning asks for both, and says little', async () => {
  const ask = async (body: unknown) => {
    const answer = await used.admin.as().post('/api/users/tokens/provision/', body);
    return [answer.status, answer.body];
  };
  expect(await ask({})).toEqual([
    400,
    { username: ['This field is required.'], password: ['This field is required.'] },
  ]);
  for (const body of [
    { username: 'admin', password: 'no' },
    { username: 'nobody', password: adminPassword },
  ])
    expect(await ask(body)).toEqual([403, { detail: 'Invalid username/password' }]);
});

test('the time of the last use is noted', async () => {
  const token = await used.admin.make(tokens, { user: await adminId() });
  expect(token.last_used).toBeNull();
  await status(clientOf(token));
  await eventually(async () => {
    const { last_used } = await used.admin.read(`${tokens}${token.id}/`);
    expect(Date.parse(last_used)).toBeGreaterThanOrEqual(Date.parse(token.created) - 1_000);
  });
});
