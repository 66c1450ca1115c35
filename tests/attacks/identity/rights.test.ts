import { describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const users = '/api/users/users/';
const groups = '/api/users/groups/';
const permissions = '/api/users/permissions/';
const tokens = '/api/users/tokens/';
const password = 'Correct-Horse-9';
const all = ['view', 'add', 'change', 'delete'];

const on = (type: string, constraints: unknown = null, actions: string[] = all) => ({
  types: [type],
  actions,
  constraints,
});
const status = ({ status: code }: Answer) => code;
const adminId = async (): Promise<number> => (await used.admin.read(`${users}?username=admin`)).results[0].id;
const mayAll = (types: string[], more: object = {}) =>
  used.admin.make(permissions, { name: unique('p'), object_types: types, actions: all, ...more });
/** A user who manages users, groups, permissions and tokens, and may do nothing else but what `more` says. */
const manager = (...more: Parameters<typeof userWith>[1][]) =>
  userWith(
    used.admin,
    on('users.user'),
    on('users.group'),
    on('users.objectpermission'),
    on('users.token', null, [...all, 'grant']),
    ...more,
  );

describe('a token for somebody else', () => {
  test('is made only where the permission to grant holds', async () => {
    const [one, other] = [await userWith(used.admin), await userWith(used.admin)];
    for (const constraints of [
      { user: one.id },
      { user_id: one.id },
      { user__username: one.name },
      [{ user: one.id }, { user: -1 }],
    ]) {
      const { client, id } = await userWith(
        used.admin,
        on('users.token', null, ['view', 'add']),
        on('users.token', constraints, ['grant']),
      );
      expect((await client.post(tokens, { user: one.id })).status).toBe(201);
      const refused = await client.post(tokens, { user: other.id });
      expect([refused.status, refused.body]).toEqual([
        403,
        { detail: 'This user does not have permission to create tokens for other users.' },
      ]);
      expect(status(await client.post(tokens, [{ user: one.id }, { user: other.id }]))).toBe(403);
      expect(status(await client.post(tokens, { user: id }))).toBe(201);
      expect((await used.admin.read(`${tokens}?user_id=${other.id}`)).count).toBe(1);
    }
  });

  test('is never one of a superuser, and neither is one changed or deleted', async () => {
    const { client } = await manager();
    const admin = await adminId();
    const [mine] = await used.admin.column(`${tokens}?user_id=${admin}&limit=1&ordering=id`, 'id');
    for (const answer of [
      await client.post(tokens, { user: admin }),
      await client.post(tokens, [{ user: admin }]),
      await client.patch(`${tokens}${mine}/`, { enabled: false }),
      await client.put(`${tokens}${mine}/`, { user: admin, allowed_ips: ['192.0.2.1'] }),
      await client.patch(tokens, [{ id: mine, expires: '2001-01-01T00:00:00Z' }]),
      await client.delete(`${tokens}${mine}/`),
      await client.delete(tokens, [{ id: mine }]),
    ])
      expect([answer.status, answer.body]).toEqual([
        403,
        { detail: 'Only superusers may make, change or delete the tokens of superusers.' },
      ]);
    expect((await used.admin.read(`${tokens}${mine}/`)).enabled).toBe(true);
  });
});

test('the account of a superuser is changed by superusers only, from whichever side', async () => {
  const { client } = await manager(on('dcim.site'));
  const admin = await adminId();
  const before = await used.admin.read(`${users}${admin}/`);
  const group = await used.admin.make(groups, { name: unique('g') });
  const permission = await mayAll(['dcim.site']);
  for (const change of [
    { password },
    { username: unique('root') },
    { email: 'me@example.com' },
    { is_active: false },
    { groups: [group.id] },
    { permissions: [permission.id] },
    { first_name: 'Eve' },
  ]) {
    expect([change, status(await client.patch(`${users}${admin}/`, change))]).toEqual([change, 403]);
    expect([change, status(await client.patch(users, [{ id: admin, ...change }]))]).toEqual([change, 403]);
  }
  expect(status(await client.put(`${users}${admin}/`, { username: 'admin', password }))).toBe(403);
  expect(status(await client.delete(`${users}${admin}/`))).toBe(403);
  expect(status(await client.delete(users, [{ id: admin }]))).toBe(403);
  expect(status(await client.patch(`${permissions}${permission.id}/`, { users: [admin] }))).toBe(403);
  expect(
    status(
      await client.post(permissions, {
        name: unique('p'),
        object_types: ['dcim.site'],
        actions: ['view'],
        users: [admin],
      }),
    ),
  ).toBe(403);
  // Other tests log in as the same user meanwhile.
  const after = await used.admin.read(`${users}${admin}/`);
  expect(after).toEqual({ ...before, last_login: after.last_login });
  // An empty change is allowed; and the manager may change the accounts of others.
  expect(status(await client.patch(`${users}${admin}/`, {}))).toBe(200);
  const { id } = await userWith(used.admin);
  expect(status(await client.patch(`${users}${id}/`, { password: 'Another-Horse-9', email: 'you@example.com' }))).toBe(
    200,
  );
});

describe('nobody gives what they have not been given', () => {
  test('a permission that allows more is neither made nor changed into one', async () => {
    const { client, id, permissions: own } = await manager(on('dcim.site', { status: 'active' }, ['view', 'change']));
    const make = (object_types: string[], actions: string[], constraints: unknown, more: object = {}) =>
      client.post(permissions, { name: unique('p'), object_types, actions, constraints, ...more });
    const beyond: [string[], string[], unknown][] = [
      [['dcim.site'], ['view'], null],
      [['dcim.site'], ['view'], {}],
      [['dcim.site'], ['view'], []],
      [['dcim.site'], ['view'], [{ status: 'active' }, {}]],
      [['dcim.site'], ['view'], { status: 'planned' }],
      [['dcim.site'], ['view'], { name: 'x' }],
      [['dcim.site'], ['view'], [{ status: 'active' }, { status: 'planned' }]],
      [['dcim.site'], ['delete'], { status: 'active' }],
      [['dcim.site'], ['view', 'render_config'], { status: 'active' }],
      [['dcim.rack'], ['view'], null],
      [['dcim.site', 'dcim.rack'], ['view'], { status: 'active' }],
      [['users.user'], ['own'], null],
      [['dcim.site'], ['view'], { status__in: ['active', 'planned'] }],
    ];
    for (const [types, actions, constraints] of beyond) {
      for (const more of [{}, { users: [id] }, { enabled: false }]) {
        const answer = await make(types, actions, constraints, more);
        expect([types, actions, constraints, answer.status, answer.body]).toEqual([
          types,
          actions,
          constraints,
          403,
          { detail: expect.stringMatching(/^Nobody can give what they have not been given themselves: /) },
        ]);
      }
    }
    const made: Body[] = [];
    for (const constraints of [
      { status: 'active' },
      { status: 'active', name__startswith: 'x' },
      [
        { status: 'active', slug: 'a' },
        { slug: 'b', status: 'active' },
      ],
    ]) {
      const answer = await make(['dcim.site'], ['view', 'change'], constraints, { users: [id] });
      expect(answer.status).toBe(201);
      made.push(answer.body);
    }
    const mine = made[0]!;
    for (const change of [
      { constraints: null },
      { actions: ['view', 'add'] },
      { object_types: ['dcim.site', 'dcim.rack'] },
      { constraints: [] },
    ]) {
      for (const target of [mine, own.at(-1)!]) {
        expect([change, status(await client.patch(`${permissions}${target.id}/`, change))]).toEqual([change, 403]);
        expect([change, status(await client.patch(permissions, [{ id: target.id, ...change }]))]).toEqual([
          change,
          403,
        ]);
      }
      expect([
        change,
        status(
          await client.put(`${permissions}${mine.id}/`, {
            name: 'x',
            object_types: ['dcim.site'],
            actions: ['view'],
            ...change,
          }),
        ),
      ]).toEqual([change, 403]);
    }
    for (const change of [
      { actions: ['view'] },
      { name: unique('p') },
      { constraints: { status: 'active', slug: 'c' } },
      { enabled: false },
    ])
      expect([change, status(await client.patch(`${permissions}${mine.id}/`, change))]).toEqual([change, 200]);
  });

  test('a permission of others is narrowed, and turned off, and not on again', async () => {
    const { client } = await manager();
    const wide = await mayAll(['dcim.rack']);
    expect(status(await client.patch(`${permissions}${wide.id}/`, { description: 'racks' }))).toBe(200);
    expect(status(await client.patch(`${permissions}${wide.id}/`, { actions: ['view'] }))).toBe(200);
    expect(status(await client.patch(`${permissions}${wide.id}/`, { enabled: false }))).toBe(200);
    expect(status(await client.patch(`${permissions}${wide.id}/`, { enabled: true }))).toBe(403);
    expect(status(await client.patch(`${permissions}${wide.id}/`, { actions: ['view', 'change'] }))).toBe(403);
  });

  test('one that is there is given to nobody, from whichever side', async () => {
    const { client, id } = await manager();
    const friend = await userWith(used.admin);
    const wide = await mayAll(['dcim.rack']);
    const narrow = await mayAll(['users.group']);
    const group = await used.admin.make(groups, { name: unique('g'), permissions: [wide.id] });
    const empty = await used.admin.make(groups, { name: unique('g') });
    for (const user of [id, friend.id]) {
      for (const answer of [
        await client.patch(`${users}${user}/`, { permissions: [wide.id] }),
        await client.patch(`${users}${user}/`, { groups: [group.id] }),
        await client.patch(users, [{ id: user, groups: [{ name: group.name }] }]),
        await client.put(`${users}${user}/`, { username: unique('user'), password, permissions: [wide.id] }),
        await client.patch(`${permissions}${wide.id}/`, { users: [user] }),
        await client.patch(permissions, [{ id: wide.id, users: [user] }]),
      ])
        expect([answer.status, answer.body]).toEqual([403, { detail: expect.stringContaining('view dcim.rack') }]);
    }
    const username = unique('user');
    for (const answer of [
      await client.post(users, { username, password, groups: [group.id] }),
      await client.post(users, [{ username, password, permissions: [wide.id] }]),
      await client.post(groups, { name: unique('g'), permissions: [wide.id] }),
      await client.patch(`${groups}${empty.id}/`, { permissions: [narrow.id, wide.id] }),
      await client.patch(`${permissions}${wide.id}/`, { groups: [empty.id] }),
    ])
      expect(status(answer)).toBe(403);
    expect((await used.admin.read(`${users}?username=${username}`)).count).toBe(0);
    // The manager may grant permissions that they have themselves, and revoke those of others.
    expect(status(await client.patch(`${groups}${empty.id}/`, { permissions: [narrow.id] }))).toBe(200);
    expect(status(await client.patch(`${users}${friend.id}/`, { groups: [empty.id] }))).toBe(200);
    await used.admin.patch(`${users}${friend.id}/`, { permissions: [wide.id], groups: [group.id] });
    expect(
      status(
        await client.patch(`${users}${friend.id}/`, {
          permissions: [wide.id],
          groups: [group.id],
          email: 'a@example.com',
        }),
      ),
    ).toBe(200);
    expect(status(await client.patch(`${users}${friend.id}/`, { permissions: [], groups: [] }))).toBe(200);
  });

  test('who may change their own account alone gives themselves nothing', async () => {
    const { client, id } = await userWith(used.admin);
    const wide = await mayAll(['dcim.rack']);
    await used.admin.make(permissions, {
      name: unique('p'),
      object_types: ['users.user'],
      actions: ['view', 'change'],
      constraints: { id },
      users: [id],
    });
    await eventually(async () => expect(status(await client.patch(`${users}${id}/`, { first_name: 'Eve' }))).toBe(200));
    expect(status(await client.patch(`${users}${id}/`, { permissions: [wide.id] }))).toBe(403);
  });

  test('superusers give what they like', async () => {
    const wide = await mayAll(['dcim.rack']);
    const { id } = await userWith(used.admin);
    expect(status(await used.admin.patch(`${users}${id}/`, { permissions: [wide.id] }))).toBe(200);
  });
});

test('what changes of users, groups, permissions and tokens is in the change log, without secrets', async () => {
  const {
    id,
    permissions: [permission],
  } = await userWith(used.admin, on('dcim.site'));
  const group = await used.admin.make(groups, { name: unique('g') });
  await used.admin.patch(`${users}${id}/`, {
    password: 'Another-Horse-9',
    groups: [group.id],
    changelog_message: 'joins',
  });
  const token = await used.admin.make(tokens, { user: id, version: 1 });
  await used.admin.patch(`${permissions}${permission.id}/`, { actions: ['view'] });
  await used.admin.delete(`${groups}${group.id}/`);
  const log = async (type: string, object: number) =>
    await used.admin.all(
      `/api/extras/object-changes/?changed_object_type=users.${type}&changed_object_id=${object}&ordering=time`,
    );
  await eventually(async () => {
    const ofUser = await log('user', id);
    const joined = ofUser.find(({ message }) => message === 'joins');
    expect(joined).toMatchObject({
      action: { value: 'update' },
      user_name: 'admin',
      prechange_data: { password: '********', groups: [] },
      postchange_data: { password: '***CHANGED***', groups: [group.id] },
    });
    expect(ofUser.length).toBeGreaterThanOrEqual(4);
    expect((await log('token', token.id)).map(({ action }) => action.value)).toEqual(['create']);
    expect((await log('objectpermission', permission.id)).at(-1)).toMatchObject({
      prechange_data: { actions: all },
      postchange_data: { actions: ['view'] },
    });
    expect((await log('group', group.id)).map(({ action }) => action.value)).toEqual(['create', 'delete']);
    const text = JSON.stringify([...ofUser, ...(await log('token', token.id))]);
    for (const secret of ['argon2', 'Horse', token.token, 'checksum', 'hmac']) expect(text).not.toContain(secret);
  });
});
