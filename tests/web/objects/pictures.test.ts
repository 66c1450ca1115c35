import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
const equipment = new Equipment(() => used.admin);
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

const shownAt = async (path: string, session = admin): Promise<string> => {
  const { status, html } = await session.get(path);
  expect([path, status]).toEqual([path, 200]);
  return html;
};

describe('the elevation of a rack', () => {
  const rackWith = async (more: object = {}): Promise<{ rack: Body; site: Body; device: Body }> => {
    const site = await equipment.site();
    const rack = await equipment.rack(site, { u_height: 10 });
    const type = await equipment.deviceType({ u_height: 2, is_full_depth: false });
    const place = { site: site.id, rack: rack.id, device_type: type.id, position: 4, face: 'front' };
    return { rack, site, device: await equipment.device({ ...place, ...more }) };
  };

  test('shows devices where they stand, and leads from what is free to a filled form', async () => {
    const { rack, site, device } = await rackWith();
    const page = await shownAt(`/dcim/racks/${rack.id}/`);
    expect(page).toMatch(
      new RegExp(`href="/dcim/devices/${device.id}/"[^>]*data-position="4" data-height="2"[^>]*data-device`),
    );
    const add = (position: number, face: string) =>
      `/dcim/devices/add/?site=${site.id}&amp;rack=${rack.id}&amp;position=${position}&amp;face=${face}"`;
    expect(page).toContain(add(3, 'front'));
    expect(page).toContain(add(5, 'rear'));
    expect(page).not.toContain(add(4, 'front'));
    expect(page).not.toContain(add(5, 'front'));
    expect(page).toContain('20 % – 2 of 10 units');
  });

  test('escapes names', async () => {
    const { rack } = await rackWith({ name: `"><img src=x>${unique()}` });
    const page = await shownAt(`/dcim/racks/${rack.id}/elevation/`);
    expect(page).not.toContain('<img');
  });

  test('moves devices without a script, and says what stands in the way', async () => {
    const { rack, device } = await rackWith();
    const path = `/dcim/racks/${rack.id}/elevation/`;
    const form = {
      csrf_token: await admin.csrfToken(path),
      device: String(device.id),
      rack: String(rack.id),
      face: 'rear',
    };
    expect(await admin.post(path, { ...form, position: '8' })).toMatchObject({
      status: 303,
      location: `${path}#device-${device.id}`,
    });
    const moved = await used.admin.read(`/api/dcim/devices/${device.id}/`);
    expect([moved.position, moved.face.value]).toEqual([8, 'rear']);
    const refused = await admin.post(path, { ...form, position: '10' });
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(/role="alert">U10.0 is already occupied[\s\S]*name="position"[^>]*value="10"/);
  });

  test('says that something is there which somebody may not see, and no more', async () => {
    const { rack, device } = await rackWith({ name: unique('secret') });
    const { name } = await userWith(used.admin, { types: ['dcim.rack'], actions: ['view'] });
    const page = await shownAt(`/dcim/racks/${rack.id}/`, await logIn(used.system.base, name, 'Correct-Horse-9'));
    expect(page).not.toContain(device.name);
    expect(page.match(/class="unseen"/g)).toHaveLength(4);
    expect(page).not.toContain('/dcim/devices/add/');
  });

  test('beside others as well, and asks as much for one rack as for several', async () => {
    const { rack, site, device } = await rackWith({ name: unique('secret') });
    const other = await equipment.rack(site, { u_height: 5 });
    const { name } = await userWith(used.admin, { types: ['dcim.rack', 'dcim.site'], actions: ['view'] });
    const page = await shownAt(
      `/dcim/rack-elevations/?site_id=${site.id}&face=both`,
      await logIn(used.system.base, name, 'Correct-Horse-9'),
    );
    expect(page).toContain(`data-rack="${other.id}"`);
    expect(page).not.toContain(device.name);
    expect(page.match(/class="unseen"/g)).toHaveLength(4);
    // Units in use count, even if the user may not see what uses them.
    expect(page).toContain('20 % – 2 of 10 units');
    expect(page).toContain(`data-rack="${rack.id}"`);
  });

  test('stands beside others, by the filters of the list', async () => {
    const { rack, site, device } = await rackWith();
    const other = await rackWith();
    const page = await shownAt(`/dcim/rack-elevations/?site_id=${site.id}`);
    expect(page).toContain(`aria-label="${rack.display}, front"`);
    expect(page).toContain(`href="/dcim/devices/${device.id}/"`);
    expect(page).not.toContain(`/dcim/racks/${other.rack.id}/"`);
    expect(await shownAt(`/dcim/rack-elevations/?site_id=${site.id}&face=both`)).toContain(`"${rack.display}, rear"`);
    expect((await admin.get('/dcim/rack-elevations/?site_id=x')).status).toBe(400);
  });
});

describe('address space', () => {
  const prefix = (text: string, more: object = {}): Promise<Body> =>
    used.admin.make('/api/ipam/prefixes/', { prefix: text, ...more });
  const vrf = (): Promise<Body> => used.admin.make('/api/ipam/vrfs/', { name: unique('vrf') });

  test('is shown as a tree, with the free blocks between', async () => {
    const { id } = await vrf();
    const root = await prefix('10.9.0.0/24', { vrf: id, status: 'container' });
    const child = await prefix('10.9.0.64/26', { vrf: id, status: 'container' });
    await prefix('10.9.0.64/27', { vrf: id });
    // The same network in another VRF does not count here.
    await prefix('10.9.0.0/26', { vrf: (await vrf()).id });
    const page = await shownAt(`/ipam/prefixes/${root.id}/prefixes/`);
    const rows = [...page.matchAll(/class="depth-(\d)"><a href="([^"]+)"[^>]*>([^<]+)</g)].map(
      ([, depth, href, text]) => `${depth} ${text} ${href!.replaceAll('&amp;', '&')}`,
    );
    const add = (net: string) => `/ipam/prefixes/add/?prefix=${encodeURIComponent(net)}&vrf=${id}`;
    expect(rows).toEqual([
      `0 10.9.0.0/26 ${add('10.9.0.0/26')}`,
      `0 10.9.0.64/26 /ipam/prefixes/${child.id}/`,
      expect.stringMatching(/^1 10.9.0.64\/27 \/ipam\/prefixes\/\d+\/$/),
      `1 10.9.0.96/27 ${add('10.9.0.96/27')}`,
      `0 10.9.0.128/25 ${add('10.9.0.128/25')}`,
    ]);
    expect(page).toMatch(/10\.9\.0\.64\/26<[\s\S]*?<span>50 %<[\s\S]*?10\.9\.0\.64\/27</);
    expect(await shownAt(`/ipam/prefixes/${root.id}/`)).toContain('<span>25 %<');
  });

  test('of a small prefix is a map, each address a link', async () => {
    const { id } = await vrf();
    const net = await prefix('10.9.1.0/29', { vrf: id });
    const address = await used.admin.make('/api/ipam/ip-addresses/', {
      address: '10.9.1.1/29',
      vrf: id,
      description: '"><b>',
    });
    await used.admin.make('/api/ipam/ip-ranges/', {
      start_address: '10.9.1.4/29',
      end_address: '10.9.1.5/29',
      vrf: id,
    });
    const page = await shownAt(`/ipam/prefixes/${net.id}/ip-addresses/`);
    expect(page).toContain(`<li class="used"><a href="/ipam/ip-addresses/${address.id}/"`);
    expect(page).toContain(
      `<li class="free"><a href="/ipam/ip-addresses/add/?address=10.9.1.2%2F29&amp;vrf=${id}" title="10.9.1.2: free"`,
    );
    expect(page.match(/<li class="range"><a /g)).toHaveLength(2);
    expect(page.match(/<li class="end"><span title/g)).toHaveLength(2);
    expect(page).not.toContain('<b>');
    expect((await admin.get(`/ipam/prefixes/${net.id}/`)).html).toContain('<span>17 %<');
    const large = await prefix('10.9.64.0/21', { vrf: id });
    expect(await shownAt(`/ipam/prefixes/${large.id}/`)).not.toContain(`${large.id}/ip-addresses/`);
    const { status, location } = await admin.get(`/ipam/prefixes/${large.id}/ip-addresses/`);
    expect([status, location]).toEqual([303, `/ipam/ip-addresses/?parent=10.9.64.0/21&vrf_id=${id}`]);
  });

  test('of a range says how far it is in use', async () => {
    const { id } = await vrf();
    const range = { start_address: '10.9.2.10/24', end_address: '10.9.2.13/24', vrf: id };
    const made = await used.admin.make('/api/ipam/ip-ranges/', range);
    await used.admin.make('/api/ipam/ip-addresses/', { address: '10.9.2.12/24', vrf: id });
    const page = await shownAt(`/ipam/ip-ranges/${made.id}/`);
    expect(page).toContain('25 % – 1 of 4 addresses');
    expect(page).toContain(`/ipam/ip-addresses/add/?address=10.9.2.10%2F24&amp;vrf=${id}"`);
  });

  test('of an aggregate is that of all routing tables', async () => {
    const rir = await used.admin.make('/api/ipam/rirs/', equipment.named('rir'));
    const net = `2001:db8:${(Date.now() % 65_536).toString(16)}::/48`;
    const aggregate = await used.admin.make('/api/ipam/aggregates/', { prefix: net, rir: rir.id });
    const half = await prefix(net.replace('/48', '/49'), { vrf: (await vrf()).id });
    const page = await shownAt(`/ipam/aggregates/${aggregate.id}/prefixes/`);
    expect(page).toContain(`href="/ipam/prefixes/${half.id}/"`);
    expect(page).toContain('50 % – covered by prefixes');
    expect(page).toMatch(/aria-label="Add a prefix in 2001:db8:[0-9a-f]+:8000::\/49"/);
  });

  test('of a group of VLANs are its numbers', async () => {
    const group = await used.admin.make('/api/ipam/vlan-groups/', equipment.named('group', { vid_ranges: [[10, 19]] }));
    const vlan = await used.admin.make('/api/ipam/vlans/', { vid: 12, name: unique('vlan'), group: group.id });
    const path = `/ipam/vlan-groups/${group.id}/vlans/`;
    const page = await shownAt(path);
    expect(page).toContain(`<a href="/ipam/vlans/${vlan.id}/">${vlan.name}</a>`);
    expect(page).toContain(
      `<a href="/ipam/vlans/add/?group=${group.id}&amp;vid=13" aria-label="Add VLAN 13">13–19</a>`,
    );
    // A user who may see no VLANs learns neither their names nor which numbers are free.
    const { name } = await userWith(used.admin, { types: ['ipam.vlangroup'], actions: ['view'] });
    const other = await (await logIn(used.system.base, name, 'Correct-Horse-9')).get(path);
    expect([other.status, other.html.includes(vlan.name)]).toEqual([200, false]);
    expect(other.html).not.toMatch(/>10–19</);
  });
});
