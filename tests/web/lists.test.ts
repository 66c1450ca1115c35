import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
let admin: Session;
const sites = '/dcim/sites/';
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

const text = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const rowsIn = (html: string): string[] =>
  [...html.matchAll(/<tr[^>]*>.*?<\/tr>/gs)].slice(1).map(([row]) => text(row!));
const headsIn = (html: string): string[] =>
  [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, head]) => text(head!).trim());

async function someSites(count: number, more: Record<string, unknown> = {}): Promise<string[]> {
  const prefix = unique('s');
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  await used.admin.post(
    '/api/dcim/sites/',
    names.map((name) => ({ name, slug: name, ...more })),
  );
  return names;
}

describe('filters', () => {
  test('come as their form says them, in an address that can be kept', async () => {
    const found = await admin.get(
      `${sites}?_filter=1&name=ber&_lookup.name=ic&status=active&region_id=&_lookup.region_id=`,
    );
    expect([found.status, found.location]).toEqual([303, `${sites}?name__ic=ber&status=active`]);
    expect((await admin.get(`${sites}?_filter=1&name=`)).location).toBe(sites);
  });

  test('are shown as chips by what they mean, each with the list without it', async () => {
    const region = unique('r');
    const { id } = await used.admin.make('/api/dcim/regions/', { name: `<b>${region}</b>`, slug: region });
    const [name] = await someSites(1, { region: id });
    const { html } = await admin.get(`${sites}?region_id=${id}&status=active&name__ic=${name}&tenant_id=null`);
    const chips = /<ul class="chips".*?<\/ul>/s.exec(html)![0];
    expect(text(chips)).toContain(`Region: &lt;b&gt;${region}&lt;/b&gt; ×`);
    expect(text(chips)).toContain('Status: Active ×');
    expect(text(chips)).toContain(`Name contains ${name} ×`);
    expect(text(chips)).toContain('Tenant is not set');
    expect(chips).toContain(`href="${sites}?region_id=${id}&amp;name__ic=${name}&amp;tenant_id=null"`);
    expect(rowsIn(html)).toHaveLength(1);
  });

  test('that are unknown or wrong are refused as the API refuses them, without a list', async () => {
    for (const [query, said] of [
      ['nonsense=1', 'Nonsense: Unknown filter.'],
      ['region_id=999999999', 'Region: Select a valid choice'],
    ] as const) {
      const { status, html } = await admin.get(`${sites}?${query}`);
      expect([status, html.includes('<table')]).toEqual([400, false]);
      expect(text(html)).toContain(said);
    }
  });

  test('have a form with what is applied, and a picker finds objects without scripts', async () => {
    const region = unique('r');
    const { id } = await used.admin.make('/api/dcim/regions/', { name: region, slug: region });
    const filled = (await admin.get(`${sites}?_show=filters&name__isw=x&status=planned`)).html;
    expect(filled).toMatch(/<option value="isw" selected>/);
    expect(filled).toMatch(/name="name" value="x"/);
    expect(filled).toMatch(/<option value="planned" selected>Planned/);
    const { status, html } = await admin.get(
      `${sites}?_filter=1&_find=region_id&find.region_id=${region}&status=planned`,
    );
    expect(status).toBe(200);
    expect(html).toContain(`<option value="${id}">${region}</option>`);
    expect(html).toMatch(/<option value="planned" selected>Planned/);
  });

  test('of custom fields are there with their lookups', async () => {
    const field = unique('f').replaceAll('-', '_');
    await used.admin.make('/api/extras/custom-fields/', {
      name: field,
      label: 'Floor & more',
      type: 'integer',
      object_types: ['dcim.site'],
    });
    const [name] = await someSites(1, { custom_fields: { [field]: 7 } });
    const { html } = await admin.get(`${sites}?cf_${field}__gte=7&_show=filters&columns=name,cf_${field}`);
    expect(html).toContain('Floor &amp; more');
    expect(html).toMatch(new RegExp(`<input[^>]*name="cf_${field}" value="7"`));
    expect(rowsIn(html)).toEqual([expect.stringMatching(new RegExp(`${name} +7 `))]);
  });

  test('are saved under a name, and refused without losing it', async () => {
    const [name] = await someSites(2);
    const csrfToken = await admin.csrfToken(sites);
    const label = unique('Filter');
    const given = { csrf_token: csrfToken, name: label, shared: 'on' };
    const { location } = await admin.post(`${sites}save-filter/?name=${name}`, given);
    expect(location).toBe(`${sites}?filter=${label.toLowerCase()}`);
    const { html } = await admin.get(location!);
    expect(rowsIn(html)).toHaveLength(1);
    expect(text(html)).toContain(`Saved filter: ${label}`);
    const again = await admin.post(`${sites}save-filter/?name=${name}`, given);
    expect(again.status).toBe(400);
    expect(again.html).toContain(`value="${label}"`);
    expect(text(again.html)).toMatch(/already exists/);
  });
});

describe('columns', () => {
  test('are those that a user has chosen, in their order, until they want the usual ones', async () => {
    const { name } = await userWith(used.admin, { actions: ['view'] });
    await someSites(1);
    const user = await logIn(used.system.base, name, 'Correct-Horse-9');
    const csrfToken = await user.csrfToken(`${sites}?_show=columns`);
    const usual = headsIn((await user.get(sites)).html);
    const form = new URLSearchParams([
      ['csrf_token', csrfToken],
      ...['slug', 'name', 'id', 'nonsense'].map((one) => ['columns', one]),
    ] as [string, string][]);
    const kept = await fetch(`${used.system.base}${sites}columns/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: user.cookie },
      body: form,
    });
    expect([kept.status, kept.headers.get('location')]).toEqual([303, sites]);
    expect(headsIn((await user.get(sites)).html)).toEqual(['Slug', 'Name', 'ID']);
    expect(headsIn((await user.get(`${sites}?columns=name,status`)).html)).toEqual(['Name', 'Status']);
    await user.post(`${sites}columns/`, { csrf_token: csrfToken, _reset: '1' });
    expect(headsIn((await user.get(sites)).html)).toEqual(usual);
  });

  test('of a table config are shown by its number', async () => {
    const { id } = await used.admin.make('/api/extras/table-configs/', {
      name: unique('t'),
      object_type: 'dcim.site',
      table: 'SiteTable',
      columns: ['name', 'slug'],
    });
    await someSites(1);
    expect(headsIn((await admin.get(`${sites}?tableconfig_id=${id}`)).html).slice(0, 2)).toEqual(['Name', 'Slug']);
  });
});

describe('an export', () => {
  test('holds what the filters select, formulas as texts', async () => {
    const [name] = await someSites(2, { description: '=HYPERLINK("http://x")', latitude: -8.5 });
    const csv = await admin.get(`${sites}?name=${name}&export=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="cadastre_sites.csv"');
    const [head, line, ...rest] = csv.html.trimEnd().split('\n');
    expect(head).toMatch(/^id,display,name,slug,status/);
    expect(line).toContain(`,${name},${name},active,`);
    expect(line).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(line).toContain(',-8.5,');
    expect(rest).toEqual([]);
    expect((await admin.get(`${sites}?name=${name}&export=table&columns=name,slug`)).html).toBe(
      `name,slug\n${name},${name}\n`,
    );
    const json = JSON.parse((await admin.get(`${sites}?name=${name}&export=json`)).html) as unknown[];
    expect(json).toMatchObject([{ name, status: { value: 'active' } }]);
    expect((await admin.get(`${sites}?name=${name}&export=yaml`)).html).toMatch(/^- id: \d+\n/);
    expect(JSON.parse((await admin.get(`${sites}?name=${unique()}&export=json`)).html)).toEqual([]);
  });

  test('is more than one page of the API, each object once', async () => {
    const region = unique('r');
    const { id } = await used.admin.make('/api/dcim/regions/', { name: region, slug: region });
    const names = await someSites(1_203, { region: id });
    const { html } = await admin.get(`${sites}?region_id=${id}&export=table&columns=name&ordering=-name`);
    expect(html.trimEnd().split('\n').slice(1).sort()).toEqual(names.sort());
  });

  test('is made by a template, and what the API refuses is a page', async () => {
    const template = unique('template');
    await used.admin.make('/api/extras/export-templates/', {
      name: template,
      object_types: ['dcim.site'],
      template_code: '{% for one in queryset %}[{{ one.name }}]{% endfor %}',
      mime_type: 'text/html',
    });
    const [name] = await someSites(1);
    const made = await admin.get(`${sites}?name=${name}&export=${template}`);
    expect(made.html).toBe(`[${name}]`);
    expect(made.headers.get('content-security-policy')).toContain('sandbox');
    expect((await admin.get(`${sites}?_show=export`)).html).toContain(template);
    expect((await admin.get(`${sites}?export=nonsense`)).status).toBe(404);
    const wrong = await admin.get(`${sites}?region_id=999999999&export=csv`);
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });

  test('shows nobody more than the API does', async () => {
    const [seen, hidden] = await someSites(2);
    const { name } = await userWith(used.admin, { actions: ['view'], constraints: { name: seen } });
    const user = await logIn(used.system.base, name, 'Correct-Horse-9');
    for (const format of ['csv', 'json', 'yaml', 'table']) {
      const { html } = await user.get(`${sites}?export=${format}`);
      expect([format, html.includes(seen!), html.includes(hidden!)]).toEqual([format, true, false]);
    }
    const { html } = await user.get(sites);
    expect([html.includes('name="pk"'), html.includes('Delete selected'), rowsIn(html).length]).toEqual([
      false,
      false,
      1,
    ]);
  });
});

describe('the order', () => {
  test('is by a column, also by counts and as bookmarks of old say it', async () => {
    const names = await someSites(3);
    const prefix = names[0]!.slice(0, -2);
    const listed = async (query: string) =>
      rowsIn((await admin.get(`${sites}?name__isw=${prefix}&columns=name&${query}`)).html).map(
        (row) => row.match(/\S+-\d/)?.[0],
      );
    expect(await listed('ordering=-name')).toEqual([...names].reverse());
    expect(await listed('sort=-name')).toEqual([...names].reverse());
    expect(
      (await admin.get(`${sites}?name__isw=${prefix}&columns=name,device_count&ordering=-device_count`)).status,
    ).toBe(200);
    const { html } = await admin.get(`${sites}?name__isw=${prefix}&limit=2`);
    expect(html).toContain(`href="${sites}?name__isw=${prefix}&amp;limit=2&amp;offset=2"`);
    expect(html).toContain('All 3 that match, on all pages');
  });
});
