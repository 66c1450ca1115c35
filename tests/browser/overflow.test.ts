// The longest possible names, without a place to break them, and names that are written from right to left: no page is
// wider than a phone, no element covers another, and each text runs in its own direction.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { inBrowser, picture, useBrowser, type Window, windowOf } from '../support/browser/browser.ts';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { eventually } from '../support/eventually.ts';
import { beyondEdge, NARROW } from '../support/browser/looked.ts';
import { useSystem } from '../support/system.ts';
import { nextNetwork, nextVid, unique } from '../support/unique.ts';

const used = useSystem();
const browser = useBrowser();
const equipment = new Equipment(() => used.admin);

const KINDS = {
  'as long as they may be': (most: number, mark: string) => mark + 'W'.repeat(most - mark.length),
  Arabic: (most: number, mark: string) => `مركز البيانات الرئيسي (٣) ${mark}`.slice(0, most),
  Hebrew: (most: number, mark: string) => `${mark} חדר השרתים, קומה 2 – ארון`.slice(0, most),
};

/** Creates objects with such names, and returns the addresses of all pages on which names stand side by side. */
async function world(name: (most: number, mark: string) => string): Promise<string[]> {
  const mark = unique('w');
  const named = (most: number) => ({ name: name(most, unique('n')), slug: unique('s') });
  const description = name(200, mark);
  const make = (path: string, body: object) => used.admin.make(`/api/${path}/`, body);
  const tag = await make('extras/tags', { ...named(100), description });
  const field = mark.replaceAll('-', '_');
  const object_types = ['dcim.site'];
  const label = name(50, mark);
  await make('extras/custom-fields', {
    name: field,
    label,
    group_name: label,
    type: 'text',
    object_types,
    description,
  });
  const region = await make('dcim/regions', { ...named(100), description });
  const tenant = await make('tenancy/tenants', named(100));
  const site: Body = await eventually(() =>
    make('dcim/sites', {
      ...named(100),
      region: region.id,
      tenant: tenant.id,
      tags: [tag.id],
      description,
      facility: name(50, mark),
      comments: `# ${description}\n\n- ${description}\n\n| ${mark} |\n|-|\n| ${description} |\n\n\`${description}\`\n\n    ${description}`,
      physical_address: description,
      latitude: 1,
      longitude: 1,
      custom_fields: { [field]: description },
    }),
  );
  await used.admin.patch(`/api/dcim/sites/${site.id}/`, {
    facility: name(50, unique('f')),
    changelog_message: description,
  });
  await make('extras/journal-entries', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: site.id,
    comments: description,
  });
  // Only on the page of this site.
  const about = (text: string) => `{% if object.id == ${site.id} %}${text}{% endif %}`;
  await make('extras/custom-links', {
    name: unique('link'),
    object_types,
    enabled: true,
    link_text: about(name(100, mark)),
    link_url: 'https://example.com/',
  });
  const contact = await make('tenancy/contacts', { name: name(100, mark), title: name(100, mark), description });
  const role = await make('tenancy/contact-roles', named(100));
  await make('tenancy/contact-assignments', {
    object_type: 'dcim.site',
    object_id: site.id,
    contact: contact.id,
    role: role.id,
  });
  const rack = await make('dcim/racks', { site: site.id, name: name(100, mark), u_height: 6 });
  const devices = await Promise.all(
    [1, 3].map((position) =>
      equipment.device({ site: site.id, rack: rack.id, position, face: 'front', name: name(64, unique('d')) }),
    ),
  );
  const ports = await Promise.all(devices.map((device) => equipment.interface(device, { name: name(64, mark) })));
  const [a, b] = ports.map(({ id }) => [{ object_type: 'dcim.interface', object_id: id }]);
  await make('dcim/cables', { a_terminations: a, b_terminations: b, label: name(100, mark) });
  const { four } = nextNetwork();
  const prefix = await make('ipam/prefixes', { prefix: `${four}.0/24`, description, tenant: tenant.id });
  await make('ipam/prefixes', { prefix: `${four}.0/26`, description, tenant: tenant.id });
  await make('ipam/ip-addresses', { address: `${four}.1/26`, description });
  const group = await make('ipam/vlan-groups', { ...named(100), description });
  await make('ipam/vlans', { vid: nextVid(), name: name(64, mark), group: group.id, description });
  const of = (home: string, ...tabs: string[]) => ['', ...tabs].map((tab) => home + tab);
  return [
    '/',
    `/dcim/sites/?id=${site.id}&columns=name,description,facility,tags,tenant,region,physical_address,cf_${field}`,
    `/dcim/sites/?id=${site.id}&_show=filters`,
    ...of(`/dcim/sites/${site.id}/`, 'edit/', 'delete/', 'changelog/', 'journal/', 'contacts/', 'images/', 'topology/'),
    `/dcim/racks/${rack.id}/elevation/`,
    `/dcim/rack-elevations/?site_id=${site.id}`,
    ...of(`/dcim/devices/${devices[0]!.id}/`, 'edit/'),
    ...of(`/dcim/interfaces/${ports[0]!.id}/`, 'trace/'),
    `/dcim/cables/?site_id=${site.id}`,
    `/dcim/topology/?site_id=${site.id}`,
    ...of(`/ipam/prefixes/${prefix.id}/`, 'edit/'),
    `/ipam/vlan-groups/${group.id}/`,
    `/tenancy/contacts/${contact.id}/`,
    `/extras/tags/${tag.id}/`,
    '/circuits/map/',
    `/search/?q=${mark}`,
    `/core/changelog/?changed_object_type=dcim.site&changed_object_id=${site.id}`,
    `/api/dcim/sites/${site.id}/`,
  ];
}

inBrowser('in a browser', () => {
  let window: Window;
  beforeAll(async () => {
    window = await windowOf(browser, used.system.base);
  });

  describe.each(Object.entries(KINDS))('names, %s', (kind, name) => {
    let paths: string[];
    beforeAll(async () => {
      paths = await world(name);
    });

    test.each([NARROW, { width: 1280, height: 900 }])(
      'make no page wider than the window ($width pixels)',
      async (size) => {
        const { page } = window;
        await page.setViewportSize(size);
        const found: Record<string, string[]> = {};
        for (const path of paths) {
          const answer = await page.goto(path);
          const faults = await beyondEdge(page);
          if (answer?.status() !== 200) faults.push(`status ${answer?.status()}`);
          if (faults.length) found[path] = faults;
          await picture(page, `${kind.slice(0, 6)}-${size.width}${path.replaceAll(/[/?&=,]+/g, '-').slice(0, 60)}`);
        }
        expect(found).toEqual({});
      },
    );

    test('can be read whole where they are what the page is about', async () => {
      const { page } = window;
      await page.setViewportSize(NARROW);
      await page.goto(paths.find((path) => /^\/dcim\/sites\/\d+\/$/.test(path))!);
      const cut = await page
        .locator('h1, dd, dt, .tabs a, .tag')
        .evaluateAll((all) =>
          (all as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
            .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
            .map(({ textContent }) => textContent.trim().slice(0, 40)),
        );
      expect(cut).toEqual([]);
    });
  });

  test('what is typed from right to left stands so in its field', async () => {
    const { page } = window;
    await page.goto('/dcim/sites/add/');
    for (const field of ['name', 'comments']) {
      const style = await page.evaluate<string>(`getComputedStyle(document.getElementById('f-${field}')).unicodeBidi`);
      expect([field, style]).toEqual([field, 'plaintext']);
    }
  });
});
