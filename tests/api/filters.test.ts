import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const mark = unique('flt');
const slug = (name: string) => `${mark}-${name}`;
let requestId: string;

beforeAll(async () => {
  const { admin } = used;
  const earth = await admin.make('/api/dcim/regions/', { name: slug('earth'), slug: slug('earth') });
  const europe = await admin.make('/api/dcim/regions/', {
    name: slug('europe'),
    slug: slug('europe'),
    parent: earth.id,
  });
  const group = await admin.make('/api/tenancy/tenant-groups/', { name: slug('group'), slug: slug('group') });
  const below = await admin.make('/api/tenancy/tenant-groups/', {
    name: slug('below'),
    slug: slug('below'),
    parent: group.id,
  });
  const tenant = await admin.make('/api/tenancy/tenants/', { name: slug('acme'), slug: slug('acme'), group: below.id });
  await admin.make(
    '/api/extras/tags/',
    ['red', 'blue'].map((name) => ({ name: slug(name), slug: slug(name) })),
  );
  const answer = await admin.post('/api/dcim/sites/', [
    {
      name: `${mark} Alpha`,
      slug: slug('a'),
      facility: 'F_1%',
      region: europe.id,
      tenant: tenant.id,
      status: 'active',
      latitude: 10,
      tags: [{ slug: slug('red') }, { slug: slug('blue') }],
      time_zone: 'Europe/Berlin',
      description: 'first',
    },
    {
      name: `${mark} beta`,
      slug: slug('b'),
      facility: 'z21%',
      region: earth.id,
      status: 'planned',
      latitude: -20.5,
      tags: [{ slug: slug('red') }],
    },
    { name: `${mark} Gamma`, slug: slug('c'), status: 'retired' },
  ]);
  expect(answer.status).toBe(201);
  requestId = answer.headers.get('x-request-id')!;
});

/** The last letters of the slugs of the sites that a query finds, of those that this file made. */
const found = async (query: string): Promise<string> =>
  ((await used.admin.column(`/api/dcim/sites/?slug__isw=${mark}&ordering=slug&${query}`, 'slug')) as string[])
    .map((s) => s.at(-1))
    .join('');
const id = async (path: string, name: string): Promise<number> =>
  (await used.admin.read(`${path}?slug=${slug(name)}`)).results[0].id;

describe('every lookup', () => {
  test.each([
    // Texts
    ['name={m} Alpha', 'a'],
    ['name={m} alpha', ''],
    ['name={m} Alpha&name={m} beta', 'ab'],
    ['name__n={m} Alpha', 'bc'],
    ['name__n={m} Alpha&name__n={m} beta', 'c'],
    ['name__ic=ALPH', 'a'],
    ['name__nic=alph', 'bc'],
    ['name__isw={m} a', 'a'],
    ['name__nisw={m} a', 'bc'],
    ['name__iew=ETA', 'b'],
    ['name__niew=eta', 'ac'],
    ['name__ie={m} ALPHA', 'a'],
    ['name__nie={m} ALPHA', 'bc'],
    ['name__regex=(Al|Ga)', 'ac'],
    ['name__regex=al', ''],
    ['name__iregex=al|be', 'ab'],
    ['facility__empty=true', 'c'],
    ['facility__empty=false', 'ab'],
    ['facility__ic=_1%', 'a'],
    ['facility__ic=1%&facility__isw=F_', 'a'],
    ['time_zone=Europe/Berlin', 'a'],
    ['description=first', 'a'],
    // Numbers
    ['latitude=10', 'a'],
    ['latitude=10.0&latitude=-20.5', 'ab'],
    ['latitude__n=10', 'bc'],
    ['latitude__lt=0', 'b'],
    ['latitude__lte=-20.5', 'b'],
    ['latitude__gt=-20.5', 'a'],
    ['latitude__gte=-20.5', 'ab'],
    ['latitude__empty=true', 'c'],
    // Moments
    ['created__gte=2026-01-01', 'abc'],
    ['created__lt=2026-01-01T00:00:00Z', ''],
    ['last_updated__gt=2001-01-01&last_updated__lte=2999-01-01', 'abc'],
    ['created__empty=true', ''],
    // Choices
    ['status=active', 'a'],
    ['status=active&status=planned', 'ab'],
    ['status__n=active', 'bc'],
    ['status__ic=planned', 'b'],
    // References: by id elsewhere; by slug; trees including all descendants
    ['region={m}-europe', 'a'],
    ['region={m}-earth', 'ab'],
    ['region__n={m}-earth', 'c'],
    ['region=null', 'c'],
    ['region=null&region={m}-europe', 'ac'],
    ['tenant={m}-acme', 'a'],
    ['tenant__n={m}-acme', 'bc'],
    ['tenant_group={m}-group', 'a'],
    ['tenant_group={m}-below', 'a'],
    ['tenant=null', 'bc'],
    // Tags
    ['tag={m}-red', 'ab'],
    ['tag={m}-red&tag={m}-blue', 'a'],
    ['tag__n={m}-blue', 'bc'],
    ['tag__n={m}-red&tag__n={m}-blue', 'c'],
    ['tag__any={m}-blue&tag__any={m}-red', 'ab'],
    // Several parameters narrow together
    ['status=active&region={m}-earth', 'a'],
    ['status=retired&region={m}-earth', ''],
    // Search
    ['q=GAMMA', 'c'],
    ['q=z21', 'b'],
    ['q=_1%25', 'a'],
    ['q=first', 'a'],
    // Empty values and unknown names narrow nothing
    ['name=', 'abc'],
    ['nonsense=1', 'abc'],
  ])('%s', async (query, expected) => {
    expect(await found(query.replaceAll('{m}', mark))).toBe(expected);
  });

  test('by ids', async () => {
    const [europe, earth, acme, red] = [
      await id('/api/dcim/regions/', 'europe'),
      await id('/api/dcim/regions/', 'earth'),
      await id('/api/tenancy/tenants/', 'acme'),
      await id('/api/extras/tags/', 'red'),
    ];
    expect(await found(`region_id=${europe}`)).toBe('a');
    expect(await found(`region_id=${earth}&region_id__n=${europe}`)).toBe('b');
    expect(await found(`tenant_id=${acme}`)).toBe('a');
    expect(await found(`tag_id=${red}`)).toBe('ab');
    expect(await found(`tag_id__n=${red}`)).toBe('c');
    const [one] = (await used.admin.read(`/api/dcim/sites/?slug=${slug('b')}`)).results;
    expect(await found(`id=${one.id}`)).toBe('b');
    expect(await found(`id__n=${one.id}`)).toBe('ac');
    expect(await found(`id__lte=${one.id}`)).toBe('ab');
    expect(await found('id=99999999999999999999')).toBe('');
    expect(
      ((await used.admin.read(`/api/dcim/regions/?ancestor_id=${earth}`)).results as Body[]).map((r) => r.slug),
    ).toEqual([slug('europe')]);
    expect(
      ((await used.admin.read(`/api/dcim/regions/?parent_id=${earth}`)).results as Body[]).map((r) => r.slug),
    ).toEqual([slug('europe')]);
  });
});

test('wrong values are named by their parameter, all at once', async () => {
  const wrong = {
    id: 'x',
    latitude: 'north',
    created: 'yesterday',
    status: 'nonsense',
    region: 'nonsense',
    region_id: '999999999',
    tenant: 'nonsense',
    tag: 'nonsense',
    created_by_request: 'nonsense',
    name__regex: '((',
  };
  for (const [name, value] of Object.entries(wrong)) {
    const { status, body } = await used.admin.get(`/api/dcim/sites/?${new URLSearchParams({ [name]: value })}`);
    expect([name, status, body]).toEqual([name, 400, { [name]: [expect.any(String)] }]);
  }
  const { name__regex: _, ...several } = wrong;
  const { status, body } = await used.admin.get(`/api/dcim/sites/?${new URLSearchParams(several)}`);
  expect([status, Object.keys(body).sort()]).toEqual([400, Object.keys(several).sort()]);
});

test('objects by the request that made or changed them', async () => {
  expect(await found(`created_by_request=${requestId}`)).toBe('abc');
  expect(await found(`modified_by_request=${requestId}`)).toBe('abc');
  const [one] = (await used.admin.read(`/api/dcim/sites/?slug=${slug('c')}`)).results;
  const changed = (await used.admin.patch(`/api/dcim/sites/${one.id}/`, { comments: 'seen' })).headers.get(
    'x-request-id',
  );
  expect(await found(`updated_by_request=${changed}`)).toBe('c');
  expect(await found(`modified_by_request=${changed}`)).toBe('c');
  expect(await found(`updated_by_request=${requestId}`)).toBe('');
  expect(await found(`created_by_request=00000000-0000-4000-8000-000000000000`)).toBe('');
});

test('whole numbers of tags', async () => {
  await used.admin.make(
    '/api/extras/tags/',
    [1, 2, 30].map((weight) => ({ name: `${mark} w${weight}`, slug: slug(`w${weight}`), weight })),
  );
  const weights = async (query: string) =>
    used.admin.column(`/api/extras/tags/?slug__isw=${mark}-w&ordering=weight&${query}`, 'weight');
  expect(await weights('weight__gt=1')).toEqual([2, 30]);
  expect(await weights('weight__lte=2')).toEqual([1, 2]);
  expect(await weights('weight=1&weight=30')).toEqual([1, 30]);
  expect(await weights('weight__n=2')).toEqual([1, 30]);
  expect(await weights('weight=99999999999')).toEqual([]);
});
