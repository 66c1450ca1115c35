// A user who may see one tenant's objects, at the pages that combine most data: no page, count, picker, search result
// or export shows more than the API gives. What follows from addresses alone is in access.test.ts.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../../support/browser/browser.ts';
import type { Body, Client } from '../../support/client.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';
import { nextNetwork, unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

inBrowser('somebody of one tenant', () => {
  const used = useSystem();
  const browser = useBrowser();
  const equipment = new Equipment(() => used.admin);
  /** Stands in the name of every object of another tenant. */
  const hidden = unique('hidden');
  const own = unique('own');
  const { four } = nextNetwork();
  let client: Client;
  let one: Person;
  let site: Body;
  let rack: Body;
  let mine: Body;
  let theirs: Body;
  let parent: Body;

  beforeAll(async () => {
    const [a, b] = await Promise.all(
      [own, hidden].map((name) => equipment.make('tenancy/tenants', { name, slug: name })),
    );
    // Both stand in the same rack, are connected, and have addresses in the same network.
    site = await equipment.site({ tenant: a!.id });
    rack = await equipment.rack(site, { tenant: a!.id, u_height: 8 });
    const at = (position: number) => ({ site: site.id, rack: rack.id, position, face: 'front' });
    mine = await equipment.device({ ...at(1), tenant: a!.id, name: `${own}-device` });
    theirs = await equipment.device({ ...at(3), tenant: b!.id, name: `${hidden}-device` });
    const ports = await Promise.all([mine, theirs].map((device) => equipment.interface(device)));
    const [near, far] = ports.map(({ id }) => [{ object_type: 'dcim.interface', object_id: id }]);
    await equipment.make('dcim/cables', { a_terminations: near, b_terminations: far, label: `${hidden}-cable` });
    parent = await equipment.make('ipam/prefixes', { prefix: `${four}.0/24`, tenant: a!.id });
    for (const [tenant, name, low] of [
      [a, own, 0],
      [b, hidden, 64],
    ] as const) {
      const text = { tenant: tenant!.id, description: `${name}-net` };
      await equipment.make('ipam/prefixes', { prefix: `${four}.${low}/26`, ...text });
      await equipment.make('ipam/ip-addresses', {
        address: `${four}.${low + 1}/26`,
        dns_name: `${name}.example`,
        ...text,
      });
    }
    const types = ['dcim.site', 'dcim.rack', 'dcim.device', 'ipam.prefix', 'ipam.ipaddress'];
    const made = await userWith(
      used.admin,
      { types, actions: ['view', 'change', 'delete', 'add'], constraints: { tenant: a!.id } },
      { types: ['tenancy.tenant'], actions: ['view'], constraints: { id: a!.id } },
      { types: ['dcim.interface'], actions: ['view'], constraints: { device__tenant: a!.id } },
      { types: ['dcim.devicetype', 'dcim.devicerole', 'core.objectchange'], actions: ['view'] },
    );
    client = made.client;
    one = new Person(await windowOf(browser, used.system.base, {}, 'Correct-Horse-9', made.name));
  });

  const clean = async (path: string) => {
    await one.page.goto(path);
    const html = await one.page.content();
    expect([path, html]).toEqual([path, expect.not.stringContaining(hidden)]);
  };

  test('sees what is theirs, as many as the API counts', async () => {
    for (const path of ['dcim/devices', 'ipam/prefixes', 'ipam/ip-addresses', 'dcim/sites', 'dcim/racks']) {
      const { count } = await client.read(`/api/${path}/`);
      await clean(`/${path}/`);
      expect([path, await one.text()]).toEqual([path, expect.stringMatching(new RegExp(`1–${count} of ${count}\\b`))]);
    }
    await clean('/');
  });

  test('in pictures and on tabs sees that something is there, not what', async () => {
    await clean(`/dcim/racks/${rack.id}/`);
    expect(await one.page.locator('.unseen').count()).toBeGreaterThan(0);
    for (const path of [
      `/dcim/racks/${rack.id}/elevation/`,
      `/dcim/rack-elevations/?site_id=${site.id}`,
      `/dcim/topology/?site_id=${site.id}`,
      `/dcim/sites/${site.id}/`,
      `/dcim/sites/${site.id}/topology/`,
      `/dcim/sites/${site.id}/delete/`,
      `/dcim/devices/${mine.id}/`,
      `/dcim/devices/${mine.id}/changelog/`,
      `/ipam/prefixes/${parent.id}/`,
      '/circuits/map/',
      '/core/changelog/',
    ])
      await clean(path);
    const tabs = await one.page
      .goto(`/ipam/prefixes/${parent.id}/`)
      .then(() =>
        one.page
          .locator('nav.tabs a')
          .evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
            all.map((tab) => tab.getAttribute('href')!),
          ),
      );
    expect(tabs.length).toBeGreaterThan(1);
    for (const tab of tabs) await clean(tab);
  });

  test('finds no more by searching, typing into a picker, or addressing', async () => {
    const { page } = one;
    await page.goto('/');
    await page.keyboard.press('/');
    // In capitals, to distinguish the search term from the names that are found.
    await page.keyboard.type(hidden.toUpperCase());
    await one.gone(() => page.keyboard.press('Enter'));
    expect(await page.content()).not.toContain(hidden);
    await page.goto('/dcim/racks/add/');
    const picker = one.field('Tenant');
    await picker.click();
    await page.getByRole('option', { name: own }).waitFor();
    await picker.pressSequentially(hidden.toUpperCase());
    await page.getByText('Nothing fits.').waitFor();
    await page.goto(`/dcim/devices/${theirs.id}/`);
    expect(await one.heading()).toBe('Not found');
    expect(await page.content()).not.toContain(hidden);
  });

  test.each(['CSV, everything', 'JSON', 'YAML'])('gets no more by an export as %s', async (format) => {
    const { page } = one;
    await page.goto('/ipam/ip-addresses/');
    await one.link('Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: format, exact: true }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).toContain(`${own}.example`);
    expect(text).not.toContain(hidden);
  });
});
