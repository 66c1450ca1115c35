// A small data centre is documented in pages alone; at the end the API has everything that was clicked and typed.
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, picture, useBrowser, windowOf } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';
import { nextNetwork, nextVid, unique } from '../../support/unique.ts';

const types = (maker: string, model: string): string => `manufacturer: ${maker}
model: ${model}
slug: ${model}
u_height: 1
is_full_depth: true
console-ports:
  - name: con0
    type: rj-45
power-ports:
  - name: PSU0
    type: iec-60320-c14
    maximum_draw: 150
interfaces:
  - name: xe-0/0/0
    type: 10gbase-x-sfpp
  - name: xe-0/0/1
    type: 10gbase-x-sfpp
  - name: me0
    type: 1000base-t
    mgmt_only: true
`;

inBrowser('a small data centre', () => {
  const used = useSystem();
  const browser = useBrowser();
  const read = (path: string) => used.admin.read(`/api/${path}`);
  const name = unique('dc');
  const { four } = nextNetwork();
  const vid = nextVid();
  let one: Person;
  let site: number;
  let rack: number;
  const devices: number[] = [];
  beforeAll(async () => {
    one = new Person(await windowOf(browser, used.system.base));
  });
  const inOrder = () => expect(one.errors.splice(0)).toEqual([]);

  test('a site with a location and racks, made in a row', async () => {
    site = await one.add('/dcim/sites/', { Name: name, Facility: 'F1' });
    expect(await one.heading()).toBe(name);
    await one.add('/dcim/locations/', { Name: `${name} room` }, { Site: name });
    await one.page.goto('/dcim/racks/add/');
    await one.pick('Site', name);
    // The picker of locations offers those of the site that was chosen.
    await one.pick('Location', `${name} room`);
    await one.fill({ Name: `${name}-[1-3]`, u_height: '12' });
    await one.press('Save');
    const { results } = await read(`dcim/racks/?site_id=${site}`);
    expect(results.map((each: { name: string }) => each.name)).toEqual([1, 2, 3].map((i) => `${name}-${i}`));
    expect(results[0]).toMatchObject({ u_height: 12, location: { name: `${name} room` }, site: { id: site } });
    expect(await one.text()).toContain('1–3 of 3');
    await one.follow(`${name}-1`);
    rack = results[0].id;
    expect(new URL(one.page.url()).pathname).toBe(`/dcim/racks/${rack}/`);
    inOrder();
  });

  test('a manufacturer, a role, and a type from the library', async () => {
    await one.add('/dcim/manufacturers/', { Name: name });
    await one.add('/dcim/device-roles/', { Name: name });
    await one.page.goto('/dcim/device-types/');
    await one.follow('Import');
    await one.field('CSV, JSON or YAML').fill(types(name, name));
    await one.press('Check only');
    expect(await one.text()).toContain('1 objects would be made. Nothing has been written.');
    await one.press('Import');
    expect(await one.text()).toContain('1 objects were made.');
    await one.follow(new RegExp(name));
    expect(await one.heading()).toContain(name);
    inOrder();
  });

  test('two devices, placed where the rack is free, one of them moved by keyboard', async () => {
    for (const unit of [1, 5]) {
      await one.page.goto(`/dcim/racks/${rack}/`);
      await one.gone(() => one.main.locator(`a[href*="position=${unit}&"][href*="face=front"]`).first().click());
      expect(await one.field('Position').inputValue()).toBe(String(unit));
      await one.fill({ Name: `${name}-sw${unit}` });
      await one.pick('Role', name);
      await one.pick('Device type', name);
      devices.push(await one.saved());
    }
    await one.page.goto(`/dcim/racks/${rack}/elevation/`);
    await one.main.locator(`a[href="/dcim/devices/${devices[1]}/"]`).first().focus();
    await one.page.keyboard.press('m');
    await one.page.keyboard.press('ArrowUp');
    await one.page.keyboard.press('ArrowUp');
    await one.gone(() => one.page.keyboard.press('Enter'));
    expect(await read(`dcim/devices/${devices[1]}/`)).toMatchObject({ position: 7, face: { value: 'front' } });
    await picture(one.page, 'story-rack');
    inOrder();
  });

  test('a network, an address on an interface that the device goes by, and a VLAN', async () => {
    await one.add('/ipam/prefixes/', { Prefix: `${four}.0/24`, Description: name });
    const vlan = await one.add('/ipam/vlans/', { vid: String(vid), Name: name }, { Site: name });
    expect(await read(`ipam/vlans/${vlan}/`)).toMatchObject({ vid, name, site: { id: site } });
    const [port] = (await read(`dcim/interfaces/?device_id=${devices[0]}&name=me0`)).results;
    await one.page.goto('/ipam/ip-addresses/add/');
    await one.fill({ Address: `${four}.1/24`, assigned_object_type: 'dcim.interface' });
    await one.pick('assigned_object_id', 'me0');
    const address = await one.saved();
    const made = await read(`ipam/ip-addresses/${address}/`);
    expect(made).toMatchObject({ address: `${four}.1/24`, assigned_object_type: 'dcim.interface' });
    expect(port).toBeDefined();
    inOrder();
  });

  test('a cable between the devices, whose trace leads to both', async () => {
    const [a] = (await read(`dcim/interfaces/?device_id=${devices[0]}&name=xe-0/0/0`)).results;
    await one.page.goto('/dcim/cables/');
    await one.follow(/^Add /);
    for (const [side, unit] of [
      ['a', 1],
      ['b', 5],
    ]) {
      const end = `${side}_terminations.0`;
      await one.fill({ [`${end}.object_type`]: 'Interface' });
      // The device limits which interfaces are offered.
      await one.pick(`${end}._in`, `${name}-sw${unit}`);
      await one.pick(`${end}.object_id`, 'xe-0/0/0');
    }
    await one.fill({ Label: name });
    await one.saved();
    await one.page.goto(`/dcim/interfaces/${a.id}/`);
    await one.follow('Trace');
    expect(await one.text()).toContain('The path is complete');
    for (const device of devices)
      expect(await one.main.locator(`a[href="/dcim/devices/${device}/"]`).count()).toBeGreaterThan(0);
    await picture(one.page, 'story-trace');
    inOrder();
  });

  test('a circuit with an end at the site', async () => {
    await one.add('/circuits/providers/', { Name: name });
    await one.add('/circuits/circuit-types/', { Name: name });
    const circuit = await one.add('/circuits/circuits/', { cid: name }, { Provider: name, Type: name });
    await one.page.goto('/circuits/circuit-terminations/');
    await one.follow(/^Add /);
    await one.pick('Circuit', name);
    await one.fill({ term_side: 'A', termination_type: 'Site' });
    await one.pick('termination_id', name);
    await one.saved();
    expect(await read(`circuits/circuits/${circuit}/`)).toMatchObject({
      cid: name,
      termination_a: { termination: { id: site } },
    });
    inOrder();
  });

  test('and whom to call', async () => {
    await one.add('/tenancy/contact-roles/', { Name: name });
    await one.add('/tenancy/contacts/', { Name: `${name} Ada`, Phone: '+41 44 000 00 00' });
    await one.page.goto(`/dcim/sites/${site}/`);
    await one.follow(/^Contacts/);
    await one.pick('Contact', `${name} Ada`);
    await one.pick('Role', name);
    await one.press('Add');
    expect(await one.shown(one.main.getByRole('table'))).toContain(`${name} Ada`);
    expect((await read(`tenancy/contact-assignments/?object_type=dcim.site&object_id=${site}`)).count).toBe(1);
    inOrder();
  });

  test('all of it is found again', async () => {
    await one.page.goto('/');
    await one.page.keyboard.press('/');
    await one.page.keyboard.type(name);
    await one.gone(() => one.page.keyboard.press('Enter'));
    const found = await one.text();
    for (const text of [`${name} room`, `${name}-1`, `${name}-sw1`, `${name} Ada`]) expect(found).toContain(text);
    await picture(one.page, 'story-search');
    inOrder();
  });
});
