import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { type Grant, userWith as userThat } from '../support/users.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const regions = '/api/dcim/regions/';
const permissions = '/api/users/permissions/';
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};
const refused = { detail: 'You do not have permission to perform this action.' };
const mark = unique('perm');
let active: Body;
let planned: Body;
let region: Body;
let tenant: Body;

const userWith = (...grants: Grant[]) => userThat(used.admin, ...grants);

beforeAll(async () => {
  region = await used.admin.make(regions, { name: mark, slug: mark });
  tenant = await used.admin.make('/api/tenancy/tenants/', { name: mark, slug: mark });
  active = await used.admin.make(sites, { name: `${mark}-a`, slug: `${mark}-a`, region: region.id, tenant: tenant.id });
  planned = await used.admin.make(sites, { name: `${mark}-p`, slug: `${mark}-p`, status: 'planned' });
});

const seen = async (client: Client): Promise<string[]> =>
  (await client.column(`${sites}?slug__isw=${mark}`, 'slug')).map((slug: string) => slug.slice(mark.length + 1));

test("without permissions nothing is seen and nothing done; others' kinds are forbidden, others' objects not there", async () => {
  const { client } = await userWith();
  for (const [method, path, body] of [
    ['GET', sites],
    ['GET', `${sites}${active.id}/`],
    ['POST', sites, named('x')],
    ['PATCH', `${sites}${active.id}/`, {}],
    ['DELETE', `${sites}${active.id}/`],
    ['GET', regions],
    ['PATCH', sites, [{ id: active.id }]],
    ['DELETE', sites, [{ id: active.id }]],
  ] as const) {
    const answer = await client.ask(method, path, { body });
    expect([method, path, answer.status, answer.body]).toEqual([method, path, 403, refused]);
  }
  expect((await client.get('/api/')).status).toBe(200);
});

describe('constraints', () => {
  test('view: lists, counts and details leave out what is not within', async () => {
    const { client } = await userWith({ actions: ['view'], constraints: { status: 'active' } });
    expect(await seen(client)).toEqual(['a']);
    expect((await client.read(`${sites}?slug__isw=${mark}`)).count).toBe(1);
    expect((await client.get(`${sites}${active.id}/`)).status).toBe(200);
    const missing = await client.get(`${sites}${planned.id}/`);
    expect([missing.status, missing.body]).toEqual([404, { detail: 'No Site matches the given query.' }]);
    const post = await client.post(sites, named('x'));
    expect([post.status, post.body]).toEqual([403, refused]);
    expect((await client.patch(`${sites}${active.id}/`, {})).status).toBe(403);
    expect((await client.get(regions)).status).toBe(403);
  });

  test.each<[what: string, () => unknown, string[]]>([
    ['a list of alternatives', () => [{ status: 'active' }, { status: 'planned' }], ['a', 'p']],
    ['several members at once', () => ({ status: 'active', slug__endswith: '-p' }), []],
    ['a relation by an attribute', () => ({ region__slug: mark }), ['a']],
    ['a relation by id', () => ({ region: region.id }), ['a']],
    ['a relation elsewhere', () => ({ tenant__name: mark }), ['a']],
    ['nothing at the end of a relation', () => ({ tenant__isnull: true }), ['p']],
    ['a list of values', () => ({ status__in: ['planned', 'retired'] }), ['p']],
    ['a pattern', () => ({ name__regex: '-p$' }), ['p']],
    ['text in any case', () => ({ name__istartswith: mark.toUpperCase() }), ['a', 'p']],
    ['nothing at all', () => ({}), ['a', 'p']],
  ])('%s', async (_, constraints, expected) => {
    const { client } = await userWith({ actions: ['view'], constraints: constraints() });
    expect(await seen(client)).toEqual(expected);
  });

  test('several permissions add up', async () => {
    const { client } = await userWith(
      { actions: ['view'], constraints: { status: 'active' } },
      { actions: ['view', 'change'], constraints: { status: 'planned' } },
    );
    expect(await seen(client)).toEqual(['a', 'p']);
    expect((await client.patch(`${sites}${active.id}/`, {})).status).toBe(404);
    expect((await client.patch(`${sites}${planned.id}/`, { facility: 'x' })).status).toBe(200);
  });

  test('add and change: what results must be within too', async () => {
    const { client } = await userWith({
      actions: ['view', 'add', 'change', 'delete'],
      constraints: { status: 'active' },
    });
    const own = await client.post(sites, named('own'));
    expect(own.status).toBe(201);
    const outside = named('out');
    for (const answer of [
      await client.post(sites, { ...outside, status: 'planned' }),
      await client.patch(`${sites}${own.body.id}/`, { status: 'planned' }),
      await client.post(sites, [named('x'), { ...outside, status: 'planned' }]),
    ]) {
      expect([answer.status, answer.body]).toEqual([403, refused]);
    }
    expect(await used.admin.column(`${sites}?slug=${outside.slug}`)).toEqual([]);
    expect((await used.admin.read(`${sites}${own.body.id}/`)).status.value).toBe('active');
    expect((await client.delete(`${sites}${planned.id}/`)).status).toBe(404);
    expect((await client.delete(sites, [{ id: own.body.id }, { id: planned.id }])).status).toBe(400);
    expect((await client.delete(`${sites}${own.body.id}/`)).status).toBe(204);
  });

  test('$user is the requester', async () => {
    const { client, id } = await userWith({ types: ['users.user'], actions: ['view'], constraints: { id: '$user' } });
    expect(await client.column('/api/users/users/', 'id')).toEqual([id]);
    expect((await client.get('/api/users/users/1/')).status).toBe(404);
  });

  test('what a constraint cannot mean is refused', async () => {
    for (const constraints of [
      { nonsense: 1 },
      { region__nonsense: 1 },
      { status__nonsense: 1 },
      { id: 'x' },
      { tenant__comments: 'x' },
      [{ status: 'active' }, { nonsense: 1 }],
      5,
      'x',
      [5],
    ]) {
      const { status, body } = await used.admin.post(permissions, {
        name: unique(),
        object_types: ['dcim.site'],
        actions: ['view'],
        constraints,
      });
      expect([constraints, status, body]).toEqual([constraints, 400, { constraints: expect.any(Array) }]);
    }
  });
});

describe('references', () => {
  test('by attributes only to what may be seen, by id to anything', async () => {
    const { client } = await userWith({ actions: ['view', 'add'] });
    expect((await client.post(sites, { ...named('r'), region: { slug: mark } })).body).toEqual({
      region: [`Related object not found using the provided attributes: {'slug': '${mark}'}`],
    });
    expect((await client.post(sites, { ...named('r'), tenant: { slug: mark } })).body).toEqual({
      tenant: [`Related object not found using the provided attributes: {'slug': '${mark}'}`],
    });
    expect((await client.post(sites, { ...named('r'), region: region.id, tenant: tenant.id })).body).toMatchObject({
      region: { slug: mark },
      tenant: { slug: mark },
    });
    const { client: other } = await userWith(
      { actions: ['view', 'add'] },
      { types: ['dcim.region', 'tenancy.tenant'], actions: ['view'], constraints: { slug: mark } },
    );
    expect((await other.post(sites, { ...named('r'), region: { slug: mark }, tenant: { slug: mark } })).status).toBe(
      201,
    );
  });
});

test('OPTIONS shows only what may be done', async () => {
  const { client } = await userWith({ actions: ['view'] });
  expect((await client.ask('OPTIONS', sites)).body.actions).toBeUndefined();
  const { client: other } = await userWith({ actions: ['view', 'add'] });
  expect((await other.ask('OPTIONS', sites)).body.actions.POST.name.type).toBe('string');
});

test('groups pass their permissions on; what is switched off, taken away or given acts soon', async () => {
  const { client, id } = await userWith();
  const permission = await used.admin.make(permissions, {
    name: unique(),
    object_types: ['dcim.site'],
    actions: ['view'],
    constraints: { status: 'planned' },
  });
  const group = await used.admin.make('/api/users/groups/', { name: unique('group'), permissions: [permission.id] });
  const soon = (status: number) => eventually(async () => expect((await client.get(sites)).status).toBe(status));
  await soon(403);
  await used.admin.patch(`/api/users/users/${id}/`, { groups: [group.id] });
  await soon(200);
  expect(await seen(client)).toEqual(['p']);
  await used.admin.patch(`${permissions}${permission.id}/`, { enabled: false });
  await soon(403);
  await used.admin.patch(`${permissions}${permission.id}/`, { enabled: true });
  await soon(200);
  await used.admin.patch(`/api/users/users/${id}/`, { is_active: false });
  await soon(403);
});

test('change records are seen by who may see them', async () => {
  const { client } = await userWith({ actions: ['view'] });
  expect((await client.get('/api/extras/object-changes/')).status).toBe(403);
  const { client: auditor } = await userWith({
    types: ['core.objectchange'],
    actions: ['view'],
    constraints: { changed_object_type: 'dcim.region' },
  });
  const seenTypes = new Set(await auditor.column('/api/extras/object-changes/?limit=100', 'changed_object_type'));
  expect([...seenTypes]).toEqual(['dcim.region']);
});
