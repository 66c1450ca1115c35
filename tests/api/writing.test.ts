import { describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const regions = '/api/dcim/regions/';
const tags = '/api/extras/tags/';
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};
const required = ['This field is required.'];

describe('single objects', () => {
  test('create, replace, change, delete', async () => {
    const given = named('one');
    const created = await used.admin.post(sites, {
      ...given,
      status: 'planned',
      latitude: '12.5',
      time_zone: 'Europe/Berlin',
    });
    expect(created.status).toBe(201);
    const path = `${sites}${created.body.id}/`;
    expect(created.headers.get('location')).toBe(used.system.base + path);
    expect(created.body).toMatchObject({
      ...given,
      status: { value: 'planned' },
      latitude: 12.5,
      time_zone: 'Europe/Berlin',
    });
    expect((await used.admin.patch(path, { description: ' changed ' })).body).toMatchObject({
      ...given,
      description: 'changed',
      status: { value: 'planned' },
    });
    // A PUT needs the required fields; fields that it leaves out keep their values.
    expect((await used.admin.put(path, { name: given.name })).body).toEqual({ slug: required });
    expect((await used.admin.put(path, { ...given, facility: 'F' })).body).toMatchObject({ facility: 'F' });
    const gone = await used.admin.delete(path);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await used.admin.get(path)).body).toEqual({ detail: 'No Site matches the given query.' });
    expect((await used.admin.delete(path)).status).toBe(404);
    expect((await used.admin.patch(path, {})).status).toBe(404);
  });

  test('all that is wrong is said at once, by field', async () => {
    const { status, body } = await used.admin.post(sites, {
      name: '',
      slug: 'no slug',
      status: 'nonsense',
      region: 999_999_999,
      tenant: 'acme',
      latitude: 91,
      longitude: 'east',
      time_zone: 'Mars/Base',
      description: 'x'.repeat(201),
      tags: 5,
      asns: [0],
      comments: null,
      custom_fields: [],
    });
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual([
      'asns',
      'comments',
      'custom_fields',
      'description',
      'latitude',
      'longitude',
      'name',
      'region',
      'slug',
      'status',
      'tags',
      'tenant',
      'time_zone',
    ]);
    for (const messages of Object.values(body)) expect(JSON.stringify(messages).length).toBeGreaterThan(5);
  });

  test('what must be unique', async () => {
    const one = named('uniq');
    await used.admin.make(sites, one);
    expect((await used.admin.post(sites, one)).body).toEqual({
      name: ['site with this name already exists.'],
      slug: ['site with this slug already exists.'],
    });
    const parent = await used.admin.make(regions, named('uniq'));
    await used.admin.make(regions, { ...one, parent: parent.id });
    expect((await used.admin.post(regions, { ...one, parent: parent.id })).status).toBe(400);
    expect((await used.admin.post(regions, one)).status).toBe(201);
    expect((await used.admin.post(regions, one)).status).toBe(400);
  });

  test('a tree has no loops', async () => {
    const top = await used.admin.make(regions, named('loop'));
    const below = await used.admin.make(regions, { ...named('loop'), parent: top.id });
    for (const parent of [top.id, below.id]) {
      const { status, body } = await used.admin.patch(`${regions}${top.id}/`, { parent });
      expect([status, Object.keys(body)]).toEqual([400, ['parent']]);
    }
    expect((await used.admin.patch(`${regions}${below.id}/`, { parent: null })).body).toMatchObject({
      parent: null,
      _depth: 0,
    });
  });

  test('a tree stays a tree while many move its parts at once', async () => {
    const mark = unique('tree');
    const made = (await used.admin.make(
      regions,
      Array.from({ length: 12 }, (_, i) => ({ name: `${mark}-${i}`, slug: `${mark}-${i}` })),
    )) as Body[];
    const ids = made.map((r) => r.id as number);
    let next = 1;
    const random = (n: number) => (next = (next * 48_271) % 2_147_483_647) % n;
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          i % 5 === 4
            ? used.admin.post(regions, { ...named(`${mark}-new`), parent: ids[random(12)] })
            : used.admin.patch(`${regions}${ids[random(12)]}/`, { parent: random(6) ? ids[random(12)] : null }),
        ),
      );
      for (const { status, text } of answers)
        if (![200, 201, 400].includes(status)) throw new Error(`${status} ${text}`);
    }
    const all = (await used.admin.read(`${regions}?slug__isw=${mark}&limit=200`)).results as Body[];
    const byId = new Map(all.map((r) => [r.id, r]));
    const wayOf = (r: Body): number[] => {
      const way: number[] = [];
      for (let at = r; at; at = at.parent && byId.get(at.parent.id)) {
        way.unshift(at.id);
        if (way.length > 100) throw new Error('a loop');
      }
      return way;
    };
    for (const one of all) {
      expect([one.slug, one._depth]).toEqual([one.slug, wayOf(one).length - 1]);
      const below = (await used.admin.column(`${regions}?ancestor_id=${one.id}&limit=200`, 'id')).sort();
      expect([one.slug, below]).toEqual([
        one.slug,
        all
          .filter((r) => r.id !== one.id && wayOf(r).includes(one.id))
          .map((r) => r.id)
          .sort(),
      ]);
    }
  });

  test('two requests at once for one name: one wins, the other is told', async () => {
    const given = named('race');
    const answers = await Promise.all(Array.from({ length: 8 }, () => used.admin.post(sites, given)));
    expect(answers.map((a) => a.status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
    for (const { status, body } of answers) if (status === 400) expect(Object.keys(body).length).toBeGreaterThan(0);
  });
});

describe('many objects', () => {
  const three = () => [named('bulk'), named('bulk'), named('bulk')];

  test('create, change, replace, delete, in the order of the request', async () => {
    const given = three();
    const made = (await used.admin.make(sites, given)) as Body[];
    expect(made.map((s) => s.name)).toEqual(given.map((s) => s.name));
    const ids = made.map((s) => s.id).reverse();
    const changed = await used.admin.patch(
      sites,
      ids.map((id: number, i: number) =>
        i ? { id, facility: `f${i}` } : { id, status: 'retired', description: 'only this' },
      ),
    );
    expect([changed.status, (changed.body as Body[]).map((s) => [s.id, s.facility, s.status.value])]).toEqual([
      200,
      [
        [ids[0], '', 'retired'],
        [ids[1], 'f1', 'active'],
        [ids[2], 'f2', 'active'],
      ],
    ]);
    expect(
      (
        await used.admin.put(
          sites,
          made.map((s, i) => ({ ...given[i], id: s.id, comments: 'put' })),
        )
      ).body,
    ).toMatchObject(made.map(() => ({ comments: 'put' })));
    const gone = await used.admin.delete(
      sites,
      ids.map((id: number) => ({ id })),
    );
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await used.admin.column(`${sites}?${ids.map((id: number) => `id=${id}`).join('&')}`)).toEqual([]);
  });

  test('all or none: a list as long as the request says what is wrong with which', async () => {
    const [good, other, third] = three();
    const { status, body } = await used.admin.post(sites, [
      good!,
      { ...other!, status: 'nonsense' },
      { name: third!.name },
    ]);
    expect([status, body]).toEqual([400, [{}, { status: [expect.any(String)] }, { slug: required }]]);
    expect(await used.admin.column(`${sites}?slug=${good!.slug}`)).toEqual([]);
    const twice = await used.admin.post(sites, [good!, good!]);
    expect(twice.status).toBe(400);
    expect(twice.body).toHaveLength(2);
    expect(Object.keys(twice.body[1])).toContain('name');

    const made = (await used.admin.make(sites, three())) as Body[];
    const wrong = await used.admin.patch(sites, [
      { id: made[0].id, facility: 'x' },
      { id: made[1].id, slug: '' },
    ]);
    expect([wrong.status, wrong.body]).toEqual([400, [{}, { slug: ['This field may not be blank.'] }]]);
    expect((await used.admin.read(`${sites}${made[0].id}/`)).facility).toBe('');
    for (const [method, missing] of [
      ['PATCH', { id: 999_999_999 }],
      ['DELETE', { id: 999_999_999 }],
    ] as const) {
      const answer = await used.admin.ask(method, sites, { body: [{ id: made[0].id }, missing] });
      expect([method, answer.status, JSON.stringify(answer.body)]).toEqual([
        method,
        400,
        expect.stringContaining('999999999'),
      ]);
    }
    expect((await used.admin.patch(sites, [{ facility: 'x' }])).body).toEqual([{ id: required }]);
    expect((await used.admin.delete(sites, { id: made[0].id })).status).toBe(400);
    expect(await used.admin.column(`${sites}?${made.map((s) => `id=${s.id}`).join('&')}`)).toHaveLength(3);
  });

  test('names may be exchanged within one request', async () => {
    const made = (await used.admin.make(sites, three().slice(0, 2))) as Body[];
    const [a, b] = made as [Body, Body];
    const { status } = await used.admin.patch(sites, [
      { id: a.id, name: `${a.name} x` },
      { id: b.id, name: `${b.name} y` },
    ]);
    expect(status).toBe(200);
  });
});

describe('references', () => {
  test('by id, by attributes, by attributes of what they refer to, elsewhere too', async () => {
    const parent = await used.admin.make(regions, named('ref'));
    const region = await used.admin.make(regions, { ...named('ref'), parent: { slug: parent.slug } });
    const group = await used.admin.make('/api/tenancy/tenant-groups/', named('ref'));
    const tenant = await used.admin.make('/api/tenancy/tenants/', { ...named('ref'), group: group.id });
    const site = await used.admin.make(sites, { ...named('ref'), region: region.id, tenant: tenant.id });
    for (const [field, reference, expected] of [
      ['region', { slug: region.slug }, region.id],
      ['region', { name: region.name, parent: { name: parent.name } }, region.id],
      ['region', { id: region.id }, region.id],
      ['tenant', { slug: tenant.slug }, tenant.id],
      ['tenant', { group: { slug: group.slug } }, tenant.id],
      ['region', `${region.id}`, region.id],
      ['tenant', { name: tenant.name, group: group.id }, tenant.id],
    ] as const) {
      await used.admin.patch(`${sites}${site.id}/`, { [field]: null });
      const { status, body } = await used.admin.patch(`${sites}${site.id}/`, { [field]: reference });
      expect([reference, status, body[field]?.id]).toEqual([reference, 200, expected]);
    }
  });

  test('what matches none or several is an error', async () => {
    const parent = await used.admin.make(regions, named('several'));
    for (let i = 0; i < 2; i++)
      await used.admin.make(regions, { ...named('several'), parent: parent.id, description: parent.name });
    const given = named('several');
    for (const [region, message] of [
      [
        { description: parent.name },
        `Multiple objects match the provided attributes: {'description': '${parent.name}'}`,
      ],
      [{ slug: 'nowhere' }, "Related object not found using the provided attributes: {'slug': 'nowhere'}"],
      [
        { parent: { slug: parent.slug } },
        `Multiple objects match the provided attributes: {'parent__slug': '${parent.slug}'}`,
      ],
      [987_654_321, 'Related object not found using the provided numeric ID: 987654321'],
      [
        'abc',
        'Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: abc',
      ],
    ] as const)
      expect((await used.admin.post(sites, { ...given, region: region })).body).toEqual({ region: [message] });
    expect((await used.admin.post(sites, { ...given, region: { nonsense: 1 } })).body.region[0]).toMatch(
      /^Cannot resolve keyword 'nonsense' into field\./,
    );
    expect((await used.admin.post(sites, { ...given, tenant: { slug: 'nowhere' }, asns: [{ asn: 1 }] })).body).toEqual({
      tenant: [expect.stringContaining('not found')],
      asns: [expect.stringContaining('not found')],
    });
  });
});

describe('tags', () => {
  test('replaced, added, removed', async () => {
    const [a, b, c] = (await used.admin.make(tags, [named('tag'), named('tag'), named('tag')])) as [Body, Body, Body];
    const site = await used.admin.make(sites, { ...named('tagged'), tags: [a.id, { slug: b.slug }] });
    const path = `${sites}${site.id}/`;
    const names = (body: Body) => (body.tags as Body[]).map((t) => t.name).sort();
    expect(names(site)).toEqual([a.name, b.name].sort());
    expect(site.tags.find((tag: Body) => tag.id === a.id)).toEqual({
      id: a.id,
      url: `${used.system.base}/api/extras/tags/${a.id}/`,
      display_url: `${used.system.base}/extras/tags/${a.id}/`,
      display: a.name,
      name: a.name,
      slug: a.slug,
      color: a.color,
    });
    expect(
      names((await used.admin.patch(path, { add_tags: [{ name: c.name }], remove_tags: [{ name: a.name }] })).body),
    ).toEqual([b.name, c.name].sort());
    expect(names((await used.admin.patch(path, { tags: [{ name: a.name }] })).body)).toEqual([a.name]);
    expect(names(await used.admin.make(sites, { ...named('tagged'), add_tags: [{ name: c.name }] }))).toEqual([c.name]);
    expect((await used.admin.patch(path, { tags: [], add_tags: [{ name: a.name }] })).body).toEqual({
      tags: ['Cannot specify "tags" together with "add_tags" or "remove_tags".'],
    });
    expect((await used.admin.post(sites, { ...named('tagged'), remove_tags: [{ name: a.name }] })).body).toEqual({
      remove_tags: ['Cannot use "remove_tags" when creating a new object.'],
    });
    expect(
      (
        await used.admin.patch(path, {
          add_tags: [{ name: a.name }, { name: b.name }],
          remove_tags: [{ name: b.name }],
        })
      ).body,
    ).toEqual({ remove_tags: [`Tags may not be present in both "add_tags" and "remove_tags": ${b.name}`] });
    expect((await used.admin.patch(path, { add_tags: ['red'] })).status).toBe(400);
    expect((await used.admin.patch(path, { tags: [{ name: 'no such tag' }] })).body).toEqual({
      tags: [expect.stringContaining('not found')],
    });
  });

  test('a tag for some kinds of objects is not put on others', async () => {
    const tag = await used.admin.make(tags, { ...named('only'), object_types: ['dcim.region'] });
    expect((await used.admin.post(regions, { ...named('only'), tags: [tag.id] })).status).toBe(201);
    expect((await used.admin.post(sites, { ...named('only'), tags: [tag.id] })).status).toBe(400);
  });
});

describe('updates at the same time', () => {
  test('If-Match lets only those through who know the present state', async () => {
    const made = await used.admin.post(sites, named('etag'));
    const path = `${sites}${made.body.id}/`;
    const etag = made.headers.get('etag')!;
    expect(etag).toMatch(/^W\/".+"$/);
    expect((await used.admin.get(path)).headers.get('etag')).toBe(etag);
    const changed = await used.admin.patch(path, { facility: 'a' }, { 'If-Match': etag });
    const present = changed.headers.get('etag')!;
    expect([changed.status, present === etag]).toEqual([200, false]);
    const late = await used.admin.patch(path, { facility: 'b' }, { 'If-Match': etag });
    expect([late.status, late.headers.get('etag'), late.body]).toEqual([412, present, { detail: expect.any(String) }]);
    expect((await used.admin.put(path, { ...named('etag') }, { 'If-Match': 'W/"x"' })).status).toBe(412);
    expect((await used.admin.patch(path, { facility: 'c' }, { 'If-Match': `"x", ${present}` })).status).toBe(200);
    expect((await used.admin.patch(path, { facility: 'd' }, { 'If-Match': '*' })).status).toBe(200);
    expect((await used.admin.patch(path, { facility: 'e' })).status).toBe(200);
    const now = (await used.admin.get(path)).headers.get('etag')!;
    const racing = await Promise.all(
      Array.from({ length: 6 }, (_, i) => used.admin.patch(path, { facility: `r${i}` }, { 'If-Match': now })),
    );
    expect(racing.map((a) => a.status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });
});
