import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const path = '/api/users/permissions/test/';
const ask = (body: object) => used.admin.post(path, body);

let site: Body;
let other: Body;
beforeAll(async () => {
  const make = (status: string) => {
    const name = unique('asked');
    return used.admin.make('/api/dcim/sites/', { name, slug: name, status });
  };
  [site, other] = [await make('active'), await make('planned')];
});

const view = { types: ['dcim.site'], actions: ['view'] };

test('which permission lets a user do something is told, and which condition does not hold', async () => {
  const constraints = [{ status: 'active', name__startswith: 'asked-' }, { facility: 'nowhere' }];
  const { id, name: username } = await userWith(used.admin, { ...view, constraints });
  const question = { user: id, object_type: 'dcim.site', action: 'view' };
  expect((await ask({ ...question, object_id: site.id })).body).toMatchObject({
    allowed: true,
    reason: expect.stringMatching(/^The object matches the permission “/),
    user: { id, username, is_active: true, is_superuser: false },
    grounds: [
      {
        by: 'permission',
        id: expect.any(Number),
        enabled: true,
        given: { user: true, groups: [] },
        matches: true,
        constraints: [
          { constraint: constraints[0], matches: true, failed: [] },
          { constraint: constraints[1], matches: false, failed: ['facility'] },
        ],
      },
    ],
  });
  const refused = await ask({ ...question, user: { username }, object_id: other.id });
  expect(refused.body).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('none of their constraints'),
    grounds: [{ matches: false, constraints: [{ failed: ['status'] }, { failed: ['facility'] }] }],
  });
  expect((await ask(question)).body).toMatchObject({ allowed: null, grounds: [{ matches: null }] });
  expect((await ask({ ...question, action: 'delete' })).body).toMatchObject({
    allowed: false,
    reason: 'No permission is for it.',
    grounds: [],
  });
});

test('the answer is what the API then does, also by groups, by default and for superusers', async () => {
  const { id, client } = await userWith(used.admin, view);
  const may = async (object_type: string, action = 'view', user: unknown = id) =>
    (await ask({ user, object_type, action })).body;
  expect([(await may('dcim.site')).allowed, (await client.get(`/api/dcim/sites/${site.id}/`)).status]).toEqual([
    true,
    200,
  ]);
  expect([(await may('dcim.rack')).allowed, (await client.get('/api/dcim/racks/')).status]).toEqual([false, 403]);
  const name = unique('group');
  const permission = await used.admin.make('/api/users/permissions/', {
    name,
    object_types: ['dcim.rack'],
    actions: ['view'],
  });
  const group = await used.admin.make('/api/users/groups/', { name, permissions: [permission.id] });
  await used.admin.patch(`/api/users/users/${id}/`, { groups: [group.id] });
  expect(await may('dcim.rack')).toMatchObject({
    allowed: true,
    grounds: [{ id: permission.id, given: { user: false, groups: [name] } }],
  });
  await used.admin.patch(`/api/users/permissions/${permission.id}/`, { enabled: false });
  expect(await may('dcim.rack')).toMatchObject({ allowed: false, reason: 'The permissions for it are not enabled.' });
  // Every user may manage their own tokens.
  expect(await may('users.token')).toMatchObject({
    allowed: null,
    grounds: [{ by: 'default', id: null, constraints: [{ constraint: { user: '$user' } }] }],
  });
  expect(await may('dcim.rack', 'delete', { username: 'admin' })).toMatchObject({
    allowed: true,
    reason: 'The user is a superuser.',
  });
  await used.admin.patch(`/api/users/users/${id}/`, { is_active: false });
  expect(await may('dcim.site')).toMatchObject({ allowed: false, reason: 'The account is not active.' });
});

test('what makes no sense is refused, by field; others than superusers may not ask', async () => {
  const question = { user: 1, object_type: 'dcim.site', action: 'view' };
  for (const [more, field] of [
    [{ user: undefined }, 'user'],
    [{ user: 'admin' }, 'user'],
    [{ user: 999_999_999 }, 'user'],
    [{ user: { username: 'nobody-of-this-name' } }, 'user'],
    [{ object_type: 'no.such' }, 'object_type'],
    [{ object_type: ['dcim.site'] }, 'object_type'],
    [{ action: '' }, 'action'],
    [{ action: 7 }, 'action'],
    [{ object_id: -1 }, 'object_id'],
    [{ object_id: 987_654_321 }, 'object_id'],
  ] as const) {
    const { status, body } = await ask({ ...question, ...more });
    expect([more, status, Object.keys(body)]).toEqual([more, 400, [field]]);
  }
  expect((await used.admin.post(path, [])).status).toBe(400);
  const { client } = await userWith(used.admin, {
    types: ['users.objectpermission', 'users.user'],
    actions: ['view', 'add'],
  });
  expect((await client.post(path, question)).status).toBe(403);
  expect((await used.admin.as().post(path, question)).status).toBe(403);
  expect((await used.admin.get(path)).status).toBe(405);
});

test('the recipes of the documentation are permissions', async () => {
  const document = readFileSync(new URL('../../../docs/permissions.md', import.meta.url), 'utf8');
  const codes = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  const rows = document.split('## Recipes')[1]!.split('\n\n')[1]!.split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const [who, types, actions, constraints] = row.slice(2, -2).split(' | ');
    const given = {
      name: unique('recipe'),
      object_types: codes(types!).toSorted(),
      actions: codes(actions!),
      constraints: codes(constraints!).map((code) => JSON.parse(code))[0] ?? null,
    };
    expect([who, (await used.admin.post('/api/users/permissions/', given)).body]).toEqual([
      who,
      expect.objectContaining({ name: given.name, object_types: given.object_types }),
    ]);
  }
});
