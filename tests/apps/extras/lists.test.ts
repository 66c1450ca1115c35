import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const filters = '/api/extras/saved-filters/';
const templates = '/api/extras/export-templates/';

async function threeSites(): Promise<string> {
  const mark = unique('list');
  for (const [name, status] of [
    ['a', 'active'],
    ['b', 'planned'],
    ['c', 'active'],
  ])
    await used.admin.make(sites, { name: `${mark} ${name}`, slug: `${mark}-${name}`, status });
  return mark;
}

describe('saved filters', () => {
  test('stand for their parameters, in lists of every service', async () => {
    const mark = await threeSites();
    const slug = unique('saved');
    const filter = await used.admin.make(filters, {
      name: slug,
      slug,
      object_types: ['dcim.site', 'tenancy.tenant'],
      parameters: { slug__isw: mark, status: ['active'] },
    });
    await eventually(async () =>
      expect(await used.admin.column(`${sites}?filter=${slug}`, 'slug')).toEqual([`${mark}-a`, `${mark}-c`]),
    );
    expect(await used.admin.column(`${sites}?filter_id=${filter.id}&ordering=-name`, 'slug')).toEqual([
      `${mark}-c`,
      `${mark}-a`,
    ]);
    const page = await used.admin.read(`${sites}?filter=${slug}&limit=1`);
    expect([page.count, page.next]).toEqual([2, expect.stringContaining(`filter=${slug}`)]);
    await eventually(async () => expect((await used.admin.read(`/api/tenancy/tenants/?filter=${slug}`)).count).toBe(0));
    await used.admin.patch(`${filters}${filter.id}/`, { parameters: { slug__isw: mark, status: ['planned'] } });
    await eventually(async () =>
      expect(await used.admin.column(`${sites}?filter=${slug}`, 'slug')).toEqual([`${mark}-b`]),
    );
  });
  test('belong to somebody unless they are shared', async () => {
    const slug = unique('mine');
    const { client, id } = await userWith(used.admin, { actions: ['view'], types: ['extras.savedfilter'] });
    await used.admin.make(filters, {
      name: slug,
      slug,
      object_types: ['dcim.site'],
      parameters: { name: 'x' },
      shared: false,
      user: id,
    });
    expect(await client.column(`${filters}?usable=true&slug=${slug}`)).toEqual([slug]);
    expect(await used.admin.column(`${filters}?usable=true&slug=${slug}`)).toEqual([]);
    expect(await used.admin.column(`${filters}?usable=false&slug=${slug}`)).toEqual([slug]);
  });
  test('that are private are there for their user and superusers alone', async () => {
    const mark = await threeSites();
    const slug = unique('private');
    const grant = {
      actions: ['view', 'change', 'delete'],
      types: ['extras.savedfilter', 'extras.tableconfig', 'dcim.site'],
    };
    const [owner, other] = [await userWith(used.admin, grant), await userWith(used.admin, grant)];
    const configs = '/api/extras/table-configs/';
    const filter = await used.admin.make(filters, {
      name: slug,
      slug,
      object_types: ['dcim.site'],
      parameters: { slug: `${mark}-b` },
      shared: false,
      user: owner.id,
    });
    const config = await used.admin.make(configs, {
      name: slug,
      object_type: 'dcim.site',
      table: 'SiteTable',
      columns: ['name'],
      shared: false,
      user: owner.id,
    });
    for (const [list, id] of [
      [filters, filter.id],
      [configs, config.id],
    ] as const) {
      for (const query of ['', '&brief=1', '&fields=id', '&limit=1']) {
        const counts = await Promise.all(
          [owner.client, used.admin, other.client].map(async (client) => {
            const { count, results } = await client.read(`${list}?name=${slug}${query}`);
            return [count, results.length];
          }),
        );
        expect(counts).toEqual([
          [1, 1],
          [1, 1],
          [0, 0],
        ]);
      }
      const at = `${list}${id}/`;
      expect([(await owner.client.get(at)).status, (await other.client.get(at)).status]).toEqual([200, 404]);
      expect([
        (await other.client.patch(at, { enabled: true })).status,
        (await other.client.delete(at)).status,
        (await other.client.delete(list, [{ id }])).status,
      ]).toEqual([404, 404, 400]);
      expect((await owner.client.patch(at, { enabled: true })).status).toBe(200);
    }
    for (const query of [`filter=${slug}`, `filter_id=${filter.id}`]) {
      for (const client of [owner.client, used.admin])
        await eventually(async () =>
          expect(await client.column(`${sites}?slug__isw=${mark}&${query}`, 'slug')).toEqual([`${mark}-b`]),
        );
      expect((await other.client.column(`${sites}?slug__isw=${mark}&${query}`, 'slug')).length).toBe(3);
    }
    await owner.client.patch(`${filters}${filter.id}/`, { shared: true });
    expect((await other.client.read(`${filters}?slug=${slug}`)).count).toBe(1);
    await eventually(async () =>
      expect((await other.client.column(`${sites}?slug__isw=${mark}&filter=${slug}`, 'slug')).length).toBe(1),
    );
  });
  test('hold parameters', async () => {
    const slug = unique('bad');
    const { body } = await used.admin.post(filters, { name: slug, slug, object_types: [], parameters: ['status'] });
    expect(body).toEqual({
      object_types: ['This list may not be empty.'],
      parameters: ['Filter parameters must be stored as a dictionary of keyword arguments.'],
    });
    expect(
      (await used.admin.post(filters, { name: slug, slug, object_types: ['dcim.site'], parameters: {} })).body,
    ).toEqual({ parameters: ['This field cannot be blank.'] });
  });
});

describe('export templates', () => {
  test('write a whole list', async () => {
    const mark = await threeSites();
    const name = unique('csv');
    await used.admin.make(templates, {
      name,
      object_types: ['dcim.site'],
      template_code: '{% for site in queryset %}\n{{ site.name }},{{ site.status.value }}\n{% endfor %}',
      environment_params: { trim_blocks: true },
      mime_type: 'text/csv',
      file_name: 'sites',
      file_extension: 'csv',
    });
    const { headers, text } = await eventually(async () => {
      const answer = await used.admin.get(`${sites}?slug__isw=${mark}&limit=1&export=${name}`);
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(text).toBe(`${mark} a,active\n${mark} b,planned\n${mark} c,active\n`);
    expect([
      headers.get('content-type'),
      headers.get('content-disposition'),
      headers.get('x-content-type-options'),
    ]).toEqual(['text/csv', 'attachment; filename="sites.csv"', 'nosniff']);
  });
  test('are for their types, and tell what is wrong with them', async () => {
    const name = unique('wrong');
    await used.admin.make(templates, { name, object_types: ['dcim.site'], template_code: '{% for x in %}' });
    await eventually(async () =>
      expect(await used.admin.get(`${sites}?export=${name}`)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^The export template could not be rendered: /) },
      }),
    );
    expect((await used.admin.get(`/api/dcim/regions/?export=${name}`)).status).toBe(404);
  });
  test('show what the requester may see', async () => {
    const mark = await threeSites();
    const name = unique('names');
    const { client } = await userWith(used.admin, { actions: ['view'], constraints: { slug: `${mark}-b` } });
    await used.admin.make(templates, {
      name,
      object_types: ['dcim.site'],
      template_code: '{% for site in queryset %}{{ site.slug }};{% endfor %}',
    });
    await eventually(async () => expect((await client.get(`${sites}?export=${name}`)).text).toBe(`${mark}-b;`));
  });
});
