import { expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const path = '/api/users/permissions/matching/';
const count = (body: object) => used.admin.post(path, body);

async function sites(): Promise<{ prefix: string; ids: number[] }> {
  const prefix = unique('match');
  const ids: number[] = [];
  for (const status of ['active', 'planned', 'planned'])
    ids.push(
      (
        await used.admin.make('/api/dcim/sites/', {
          name: `${prefix}-${ids.length}`,
          slug: `${prefix}-${ids.length}`,
          status,
        })
      ).id,
    );
  return { prefix, ids };
}

test('objects of several services are counted as a permission with the constraints would let them through', async () => {
  const { prefix, ids } = await sites();
  const answer = await count({
    object_types: ['dcim.site', 'ipam.vlan', 'users.user'],
    constraints: [
      { name: `${prefix}-0`, status: 'active' },
      { name__startswith: prefix, status: 'planned' },
    ],
  });
  // VLANs and users have no slug: constraints on fields that a type lacks are refused, as when a permission is saved.
  expect(answer.status).toBe(400);
  const counted = await count({
    object_types: ['dcim.site', 'ipam.vlan'],
    constraints: [{ name: `${prefix}-0` }, { name__startswith: `${prefix}-`, status: 'planned' }],
  });
  expect([counted.status, counted.body.results]).toEqual([
    200,
    [
      { object_type: 'dcim.site', count: 3 },
      { object_type: 'ipam.vlan', count: 0 },
    ],
  ]);
  const one = (id: number) =>
    count({ object_types: ['dcim.site'], constraints: { status: 'planned' }, object_id: id }).then(
      ({ body }) => body.results[0].count,
    );
  expect(await Promise.all(ids.map(one))).toEqual([0, 1, 1]);
  const all = (await count({ object_types: ['dcim.site'] })).body.results[0].count;
  expect(all).toBeGreaterThanOrEqual(3);
});

test('$user stands for the user who is asked about', async () => {
  const { id } = await userWith(used.admin, { actions: ['view'] });
  const tokens = async (user?: number) =>
    (await count({ object_types: ['users.token'], constraints: { user: '$user' }, user })).body.results[0].count;
  expect(await tokens(id)).toBe(1);
});

test('what makes no sense is refused, by field', async () => {
  for (const [body, field] of [
    [{}, 'object_types'],
    [{ object_types: ['no.such'] }, 'object_types'],
    [{ object_types: ['dcim.site'], constraints: 'x' }, 'constraints'],
    [{ object_types: ['dcim.site'], constraints: { nothing: 1 } }, 'constraints'],
    [{ object_types: ['dcim.site'], object_id: 'x' }, 'object_id'],
    [{ object_types: ['dcim.site'], user: -1 }, 'user'],
  ] as const) {
    const answer = await count(body);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, [field]]);
  }
});

test('only superusers may ask, as constraints look at fields whoever may see them', async () => {
  const { client, name } = await userWith(used.admin, {
    types: ['users.objectpermission', 'dcim.site'],
    actions: ['view', 'add', 'change'],
  });
  expect((await client.post(path, { object_types: ['dcim.site'] })).status).toBe(403);
  expect((await used.admin.as().post(path, { object_types: ['dcim.site'] })).status).toBe(403);
  const session = await logIn(used.system.base, name, 'Correct-Horse-9');
  const page = await session.get('/users/permissions/matching/?object_types=dcim.site');
  expect(page.html).toContain('Only superusers');
  expect(page.html).not.toContain('Objects that match at present');
});

test('the form asks while one types, and the page of a permission says so', async () => {
  const { prefix } = await sites();
  const admin = await logIn(used.system.base, 'admin', adminPassword);
  const told = async (query: Record<string, string>) =>
    (await admin.get(`/users/permissions/matching/?${new URLSearchParams(query)}`)).html;
  const constraints = JSON.stringify({ name__startswith: prefix });
  expect(await told({ object_types: 'dcim.site', constraints })).toContain('<strong>3</strong> dcim.site');
  expect(await told({ object_types: 'dcim.site', constraints: '{"name' })).toContain('As soon as this is JSON');
  expect(await told({ object_types: 'dcim.site', constraints: '{"<b>": 1}' })).toContain('&lt;b&gt;');
  expect(await told({ constraints })).toContain('Choose object types');
  expect((await admin.get('/users/permissions/add/')).html).toMatch(
    /name="constraints"[^>]*data-told="\/users\/permissions\/matching\/" data-told-from="object_types constraints"/,
  );
  const { id } = await used.admin.make('/api/users/permissions/', {
    name: unique('p'),
    object_types: ['dcim.site'],
    actions: ['view'],
    constraints: { name__startswith: prefix },
  });
  expect((await admin.get(`/users/permissions/${id}/`)).html).toContain('<strong>3</strong> dcim.site');
});
