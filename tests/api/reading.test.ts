import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const mark = unique('read');
const sites = '/api/dcim/sites/';
const own = `${sites}?slug__isw=${mark}`;
let region: Body;
let made: Body[];

beforeAll(async () => {
  region = await used.admin.make('/api/dcim/regions/', { name: mark, slug: mark });
  made = await used.admin.make(
    sites,
    [10, 9, 2, 1].map((n) => ({
      name: `${mark} ${n}`,
      slug: `${mark}-${n}`,
      region: region.id,
      status: n > 5 ? 'planned' : 'active',
      facility: n % 2 ? 'odd' : 'Even',
      description: `the ${n}`,
    })),
  );
});

describe('representations', () => {
  test('complete: fields in order, choices with labels, brief related objects, absolute addresses', async () => {
    const site = await used.admin.read(`${sites}${made[0].id}/`);
    expect(Object.keys(site)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'name',
      'slug',
      'status',
      'region',
      'group',
      'tenant',
      'facility',
      'time_zone',
      'description',
      'physical_address',
      'shipping_address',
      'latitude',
      'longitude',
      'owner',
      'comments',
      'asns',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
      'circuit_count',
      'device_count',
      'prefix_count',
      'rack_count',
      'virtualmachine_count',
      'vlan_count',
    ]);
    expect(site).toMatchObject({
      url: `${used.system.base}${sites}${site.id}/`,
      display_url: `${used.system.base}/dcim/sites/${site.id}/`,
      display: `${mark} 10`,
      status: { value: 'planned', label: 'Planned' },
      tenant: null,
      tags: [],
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    expect(site.region).toEqual({
      id: region.id,
      url: `${used.system.base}/api/dcim/regions/${region.id}/`,
      display: mark,
      name: mark,
      slug: mark,
      description: '',
      site_count: 4,
      _depth: 0,
    });
    expect(site).toEqual(made[0] && { ...made[0], region: site.region });
  });

  test('brief, fields, omit; fields wins', async () => {
    const keys = async (query: string) => Object.keys((await used.admin.read(`${own}&${query}`)).results[0]);
    const brief = ['id', 'url', 'display', 'name', 'slug', 'description'];
    expect(await keys('brief=true')).toEqual(brief);
    expect(await keys('fields=name,id,nonsense')).toEqual(['id', 'name']);
    expect(await keys('fields=name&omit=name')).toEqual(['name']);
    expect(await keys('omit=region,tags')).not.toEqual(expect.arrayContaining(['region']));
    expect(await keys('brief=true&omit=description')).toEqual(brief.slice(0, -1));
    const detail = `${sites}${made[0].id}/`;
    expect(Object.keys(await used.admin.read(`${detail}?brief=true`))).toEqual(brief);
    expect(await used.admin.read(`${detail}?fields=id,status`)).toEqual({
      id: made[0].id,
      status: { value: 'planned', label: 'Planned' },
    });
    expect(await used.admin.read(`${detail}?omit=id&fields=id`)).toEqual({ id: made[0].id });
  });
});

describe('pages', () => {
  test('by offset, with links that lead through all', async () => {
    const seen: string[] = [];
    let page = await used.admin.read(`${own}&limit=3&ordering=id`);
    expect(page).toMatchObject({ count: 4, previous: null });
    expect(new URL(page.next).searchParams.get('limit')).toBe('3');
    expect(new URL(page.next).searchParams.get('offset')).toBe('3');
    seen.push(...page.results.map((s: Body) => s.slug));
    page = await used.admin.read(page.next);
    seen.push(...page.results.map((s: Body) => s.slug));
    expect(page.next).toBeNull();
    expect((await used.admin.read(page.previous)).results).toHaveLength(3);
    expect(seen).toEqual(made.map((s) => s.slug));
  });

  test('by cursor', async () => {
    const seen: number[] = [];
    for (let at: string | null = `${own}&limit=3&start=0`; at; ) {
      const page: Body = await used.admin.read(at);
      expect(page).toMatchObject({ count: null, previous: null });
      seen.push(...page.results.map((s: Body) => s.id));
      if (page.next) expect(Number(new URL(page.next).searchParams.get('start'))).toBe(seen.at(-1)! + 1);
      at = page.next;
    }
    expect(seen).toEqual(made.map((s) => s.id));
  });

  test('sizes, and what excludes each other', async () => {
    expect((await used.admin.read(`${own}&limit=0`)).results).toHaveLength(4);
    expect((await used.admin.read(`${own}&limit=nonsense`)).results).toHaveLength(4);
    expect(await used.admin.read(`${own}&offset=100`)).toMatchObject({ count: 4, results: [], next: null });
    for (const query of ['start=0&offset=0', 'start=0&ordering=name', 'start=-1', 'start=x'])
      expect((await used.admin.get(`${own}&${query}`)).status).toBe(400);
  });

  test('the address in links is the one that the client used', async () => {
    const { body } = await used.admin.get(`${own}&limit=1`, {
      'X-Forwarded-Host': 'netbox.example',
      'X-Forwarded-Proto': 'https',
    });
    expect(body.next).toMatch(/^https:\/\/netbox\.example\/api\/dcim\/sites\/\?/);
    expect(body.results[0].region.url).toMatch(/^https:\/\/netbox\.example\/api\/dcim\/regions\//);
    expect((await used.admin.read(`${own}&limit=1`)).results[0].region.url).toContain(used.system.base);
  });
});

describe('ordering', () => {
  const order = (query: string) => used.admin.column(`${own}${query}`, 'slug');
  const slugs = (...numbers: number[]) => numbers.map((n) => `${mark}-${n}`);

  test('natural by default, by one field, reversed, by several', async () => {
    expect(await order('')).toEqual(slugs(1, 2, 9, 10));
    expect(await order('&ordering=-name')).toEqual(slugs(10, 9, 2, 1));
    expect(await order('&ordering=status,-name')).toEqual(slugs(2, 1, 10, 9));
    expect(await order('&ordering=facility,name')).toEqual(slugs(2, 10, 1, 9));
    expect(await order('&ordering=-id')).toEqual(slugs(1, 2, 9, 10));
  });

  test('unknown names are ignored, unless the client wants to be told', async () => {
    expect(await order('&ordering=nonsense,-name')).toEqual(slugs(10, 9, 2, 1));
    const strict = (query: string) => used.admin.get(`${own}&${query}`, { Prefer: 'handling=strict' });
    expect((await strict('ordering=-name')).status).toBe(200);
    for (const [query, name] of [
      ['ordering=nonsense', 'ordering'],
      ['fields=id,nonsense', 'fields'],
      ['omit=nonsense', 'omit'],
      ['nonsense=1', 'nonsense'],
      ['name__nonsense=1', 'name__nonsense'],
      ['constructor=1', 'constructor'],
      ['cf_nonsense=1', 'cf_nonsense'],
    ] as const) {
      const { status, body } = await strict(query);
      expect([query, status, Object.keys(body)]).toEqual([query, 400, [name]]);
    }
  });

  test('trees come in the order of the tree', async () => {
    const [b, a] = [
      await used.admin.make('/api/dcim/regions/', { name: `${mark} b`, slug: `${mark}-b` }),
      await used.admin.make('/api/dcim/regions/', { name: `${mark} a`, slug: `${mark}-a` }),
    ];
    for (const [name, parent] of [
      ['y', b.id],
      ['x', b.id],
      ['z', a.id],
    ])
      await used.admin.make('/api/dcim/regions/', { name: `${name}`, slug: `${mark}-${name}`, parent });
    const list = (await used.admin.read(`/api/dcim/regions/?slug__isw=${mark}-`)).results as Body[];
    expect(list.map((r) => [r.slug.replace(`${mark}-`, ''), r._depth])).toEqual([
      ['a', 0],
      ['z', 1],
      ['b', 0],
      ['x', 1],
      ['y', 1],
    ]);
  });
});
