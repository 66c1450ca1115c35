import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();

test('the choices of a set come page by page, and can be searched', async () => {
  const { id } = await used.admin.make('/api/extras/custom-field-choice-sets/', {
    name: unique(),
    extra_choices: [
      ['s', 'Silver'],
      ['g', 'Gold'],
      ['b', 'Bronze'],
    ],
    order_alphabetically: true,
  });
  const choices = `/api/extras/custom-field-choice-sets/${id}/choices/`;
  expect(await used.admin.read(choices)).toEqual({
    count: 3,
    next: null,
    previous: null,
    results: [
      { id: 'b', display: 'Bronze' },
      { id: 'g', display: 'Gold' },
      { id: 's', display: 'Silver' },
    ],
  });
  expect(await used.admin.read(`${choices}?limit=1&offset=1`)).toMatchObject({
    count: 3,
    next: expect.stringMatching(/limit=1&offset=2$/),
    previous: expect.stringMatching(/limit=1$/),
    results: [{ id: 'g' }],
  });
  expect((await used.admin.read(`${choices}?q=SIL`)).results).toEqual([{ id: 's', display: 'Silver' }]);
  expect((await used.admin.get('/api/extras/custom-field-choice-sets/999999/choices/')).status).toBe(404);
});

describe('a config template', () => {
  const templates = '/api/extras/config-templates/';
  test('is rendered with what is given', async () => {
    const { id } = await used.admin.make(templates, {
      name: unique(),
      template_code: '{% if device %}\nhostname {{ device.name }}\n{% endif %}',
      environment_params: { trim_blocks: true },
    });
    const { status, body } = await used.admin.post(`${templates}${id}/render/`, { device: { name: 'r1' } });
    expect([status, body]).toMatchObject([200, { configtemplate: { id }, content: 'hostname r1\n' }]);
    const plain = await used.admin.post(
      `${templates}${id}/render/`,
      { device: { name: 'r1' } },
      { Accept: 'text/plain' },
    );
    expect([plain.text, plain.headers.get('content-type')]).toEqual(['hostname r1\n', 'text/plain; charset=utf-8']);
  });
  test("that is wrong is the template's fault", async () => {
    const { id } = await used.admin.make(templates, {
      name: unique(),
      template_code: '{% for x in range(99999999999) %}{% endfor %}',
    });
    expect(await used.admin.post(`${templates}${id}/render/`, {})).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^An error occurred while rendering the template: /) },
    });
    expect((await used.admin.post(`${templates}${id}/render/`, [1])).status).toBe(400);
  });
  test('is rendered and synchronised by who may', async () => {
    const { id } = await used.admin.make(templates, { name: unique(), template_code: 'x' });
    const { client } = await userWith(used.admin, { actions: ['view', 'sync'], types: ['extras.configtemplate'] });
    const { client: blind } = await userWith(used.admin, { actions: ['render'], types: ['extras.configtemplate'] });
    for (const one of [client, blind])
      expect(await one.post(`${templates}${id}/render/`, {})).toMatchObject({
        status: 404,
        body: { detail: 'No ConfigTemplate matches the given query.' },
      });
    const { client: both } = await userWith(used.admin, {
      actions: ['view', 'render'],
      types: ['extras.configtemplate'],
    });
    expect((await both.post(`${templates}${id}/render/`, {})).body.content).toBe('x');
    expect(await client.post(`${templates}${id}/sync/`)).toMatchObject({
      status: 200,
      body: { id, data_source: null, data_synced: null },
    });
    expect((await client.get(`${templates}${id}/sync/`)).status).toBe(405);
  });
});

describe('a config context', () => {
  const contexts = '/api/extras/config-contexts/';
  test('names tags by their slugs, and is found by what it is for', async () => {
    const slug = unique('cc');
    const tag = await used.admin.make('/api/extras/tags/', { name: slug, slug });
    const parent = await used.admin.make('/api/dcim/regions/', { name: slug, slug });
    const region = await used.admin.make('/api/dcim/regions/', { name: slug, slug: `${slug}-b`, parent: parent.id });
    expect(
      await used.admin.make(contexts, { name: slug, data: { a: 1 }, tags: [slug], regions: [region.id] }),
    ).toMatchObject({
      tags: [slug],
      regions: [{ id: region.id, slug: `${slug}-b` }],
      weight: 1000,
      is_active: true,
      data: { a: 1 },
    });
    const found = (search: string) => used.admin.column(`${contexts}?${search}`);
    expect([
      await found(`tag=${slug}`),
      await found(`tag_id=${tag.id}&region=${slug}-b`),
      await found(`region_id=${parent.id}`),
      await found(`tag__n=${slug}&name=${slug}`),
    ]).toEqual([[slug], [slug], [], []]);
    expect((await used.admin.post(contexts, { name: unique(), data: {}, tags: ['no-such-tag'] })).body).toEqual({
      tags: [expect.stringContaining('no-such-tag')],
    });
  });
  test('holds what its profile asks for', async () => {
    const { id } = await used.admin.make('/api/extras/config-context-profiles/', {
      name: unique(),
      schema: { type: 'object', required: ['ntp'] },
    });
    expect((await used.admin.post(contexts, { name: unique(), profile: id, data: { a: 1 } })).body).toEqual({
      __all__: [expect.stringMatching(/^Data does not conform to profile schema: .*ntp/)],
    });
    // It would apply to everything that other files make.
    expect(
      await used.admin.make(contexts, { name: unique(), is_active: false, profile: { id }, data: { ntp: [] } }),
    ).toMatchObject({ profile: { id } });
    expect((await used.admin.post(contexts, { name: unique(), data: [1] })).body).toEqual({
      data: ['JSON data must be in object form. Example: {"foo": 123}'],
    });
    expect(
      (await used.admin.post('/api/extras/config-context-profiles/', { name: unique(), schema: { type: 'nothing' } }))
        .body,
    ).toEqual({ schema: [expect.stringContaining('Invalid JSON schema definition')] });
    expect((await used.admin.delete(`/api/extras/config-context-profiles/${id}/`)).status).toBe(409);
  });
});

test('everybody has preferences, which are merged', async () => {
  const { client, id } = await userWith(used.admin);
  const config = '/api/users/config/';
  expect(await client.read(config)).toEqual({});
  expect((await client.patch(config, { pagination: { per_page: 100 }, ui: { theme: 'dark' } })).body).toEqual({
    pagination: { per_page: 100 },
    ui: { theme: 'dark' },
  });
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => client.patch(config, { ui: { [name]: [1] } })));
  expect(await client.read(config)).toEqual({
    pagination: { per_page: 100 },
    ui: { theme: 'dark', a: [1], b: [1], c: [1], d: [1] },
  });
  expect((await client.patch(config, { ui: { theme: null, a: { x: 1 } } })).body.ui).toMatchObject({
    theme: null,
    a: { x: 1 },
  });
  expect((await client.patch(config, [1])).status).toBe(400);
  expect((await client.post(config, {})).status).toBe(405);
  expect((await client.as().get(config)).status).toBe(403);
  expect(await used.admin.read('/api/users/')).toMatchObject({
    config: expect.stringMatching(/\/api\/users\/config\/$/),
  });
  expect((await used.admin.delete(`/api/users/users/${id}/`)).status).toBe(204);
});

test('everybody has a dashboard', async () => {
  const { client } = await userWith(used.admin);
  const path = '/api/extras/dashboard/';
  expect(await client.read(path)).toEqual({ layout: null, config: null });
  expect((await client.put(path, { layout: [{ id: 'x' }], config: { x: { title: 'X' } } })).body).toEqual({
    layout: [{ id: 'x' }],
    config: { x: { title: 'X' } },
  });
  expect((await client.patch(path, { layout: [] })).body).toEqual({ layout: [], config: { x: { title: 'X' } } });
  expect((await client.delete(path)).status).toBe(204);
  expect(await client.read(path)).toEqual({ layout: null, config: null });
});

test('every type of objects is listed, with what it can do', async () => {
  const types = '/api/core/object-types/';
  const {
    results: [site],
  } = await used.admin.read(`${types}?app_label=dcim&model=site`);
  expect(site).toEqual({
    id: expect.any(Number),
    url: `${used.system.base}${types}${site.id}/`,
    display: 'DCIM > Site',
    app_label: 'dcim',
    app_name: 'DCIM',
    model: 'site',
    model_name: 'site',
    model_name_plural: 'sites',
    public: true,
    features: expect.arrayContaining(['journaling', 'contacts', 'image_attachments', 'custom_fields']),
    is_plugin_model: false,
    rest_api_endpoint: '/api/dcim/sites/',
    description: null,
  });
  expect(await used.admin.read(`${types}${site.id}/`)).toEqual(site);
  expect(await used.admin.column(`${types}?features=image_att&limit=1000`, 'model')).toContain('device');
  expect(await used.admin.column(`${types}?features=image_att&limit=1000`, 'model')).not.toContain('tag');
  expect((await used.admin.post(types, {})).status).toBe(405);
});

test('tagged objects of all services are listed', async () => {
  const slug = unique('tagged');
  const tag = await used.admin.make('/api/extras/tags/', { name: slug, slug });
  const site = await used.admin.make('/api/dcim/sites/', { name: slug, slug, tags: [tag.id] });
  const tenant = await used.admin.make('/api/tenancy/tenants/', { name: slug, slug, tags: [{ slug }] });
  const list = `/api/extras/tagged-objects/?tag=${slug}`;
  const { results } = await eventually(async () => {
    const page = await used.admin.read(list);
    expect(page.count).toBe(2);
    return page;
  });
  expect(results).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        display: `${slug} tagged with ${slug}`,
        object_type: 'dcim.site',
        object_id: site.id,
        object: expect.objectContaining({ slug }),
        tag: expect.objectContaining({ id: tag.id }),
      }),
    ]),
  );
  expect(await used.admin.column(`${list}&object_type=tenancy.tenant`, 'object_id')).toEqual([tenant.id]);
  expect(
    await used.admin.column(`/api/extras/tagged-objects/?q=${slug.toUpperCase()}&object_id=${site.id}`, 'object_type'),
  ).toContain('dcim.site');
  await used.admin.patch(`/api/dcim/sites/${site.id}/`, { tags: [] });
  await used.admin.delete(`/api/tenancy/tenants/${tenant.id}/`);
  await eventually(async () => expect((await used.admin.read(list)).count).toBe(0));
});
