// What import pages accept besides the fields of the API: ways to name objects, and columns of NetBox's import forms.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { nextNetwork, unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session, type Visited } from '../../support/pages/visitor.ts';

const used = useSystem();
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

async function imported(list: string, text: string, who = admin): Promise<Visited> {
  const path = `/${list}/import/`;
  return who.post(path, { csrf_token: await who.csrfToken(path), text });
}
/** Line, field and error. */
const problemsIn = ({ html }: Visited): string[][] =>
  [...html.matchAll(/<tr>((?:<td[^>]*>[^<]*<\/td>)+)<\/tr>/g)].map(([, cells]) =>
    // For a place within a line, only the line.
    [...cells!.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell], i) => (i ? cell! : cell!.split(':')[0]!)),
  );
async function fine(list: string, text: string, who = admin): Promise<Visited> {
  const answer = await imported(list, text, who);
  expect([answer.status, problemsIn(answer)]).toEqual([200, []]);
  return answer;
}
const make = (path: string, body: object): Promise<Body> => used.admin.make(`/api/${path}/`, body);
const found = async (path: string, query: Record<string, string | number>): Promise<Body[]> => {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) asked.set(name, String(value));
  return (await used.admin.read(`/api/${path}/?${asked}`)).results;
};
const slugged = (path: string, name: string, more: object = {}): Promise<Body> =>
  make(path, { name, slug: name, ...more });

interface Place {
  site: Body;
  device: Body;
  other: Body;
}
/** Two devices at a site, called `<word>-1` and `<word>-2`. */
async function devices(word: string): Promise<Place> {
  const [site, role, maker] = await Promise.all([
    slugged('dcim/sites', word),
    slugged('dcim/device-roles', word),
    slugged('dcim/manufacturers', word),
  ]);
  const type = await make('dcim/device-types', { manufacturer: maker.id, model: word, slug: word });
  const [device, other] = await Promise.all(
    [1, 2].map((n) =>
      make('dcim/devices', { name: `${word}-${n}`, device_type: type.id, role: role.id, site: site.id }),
    ),
  );
  return { site, device: device!, other: other! };
}

describe('an object is named', () => {
  test('by its name among what the row says, never by a column of another type', async () => {
    const word = unique('dev');
    const { device, other } = await devices(word);
    for (const one of [device, other]) await make('dcim/interfaces', { device: one.id, name: 'ae0', type: 'lag' });
    await fine('dcim/interfaces', `device,name,type,lag\n${word}-2,et1,1000base-t,ae0`);
    const [port] = await found('dcim/interfaces', { device_id: other.id, name: 'et1' });
    const [lag] = await found('dcim/interfaces', { device_id: other.id, name: 'ae0' });
    expect(port!.lag.id).toBe(lag!.id);
    const wrong = await imported('dcim/interfaces', `device,name,type,lag\n${word}-2,et2,1000base-t,ae9`);
    expect(problemsIn(wrong)).toEqual([
      ['2', 'LAG parent', `There is no object “ae9” for LAG parent within device ${word}-2, or you may not see it.`],
    ]);
  });

  test('by a number only as the column means it; an id stands where the header says so', async () => {
    const { four } = nextNetwork();
    const group = await slugged('ipam/vlan-groups', unique('group'));
    const vlan = await make('ipam/vlans', { vid: 3_041, name: unique('vlan'), group: group.id });
    const other = await imported('ipam/prefixes', `prefix,vlan\n${four}.0/24,${vlan.id + 100_000}`);
    expect(problemsIn(other)[0]![2]).toContain('A number is looked for as vid here; an id stands in a column vlan.id.');
    await fine('ipam/prefixes', `prefix,vlan_group,vlan\n${four}.0/24,${group.name},3041`);
    await fine('ipam/prefixes', `prefix,vlan.id\n${four}.0/25,${vlan.id}`);
    await fine('ipam/prefixes', `[{"prefix": "${four}.128/25", "vlan": {"id": ${vlan.id}}}]`);
    for (const length of ['0/24', '0/25', '128/25'])
      expect((await found('ipam/prefixes', { prefix: `${four}.${length}` }))[0]!.vlan.id).toBe(vlan.id);
  });

  test('where several have the name, the row is told which, and how to say it', async () => {
    const word = unique('room');
    const sites = await Promise.all(['a', 'b'].map((end) => slugged('dcim/sites', `${word}-${end}`)));
    const rooms = await Promise.all(sites.map((site) => slugged('dcim/locations', word, { site: site.id })));
    const answer = await imported('dcim/locations', `name,slug,site,parent\n${word}-x,${word}-x,${word}-a,${word}`);
    expect(problemsIn(answer)).toEqual([]);
    const circuits = await imported('dcim/racks', `name,location\n${word},${word}`);
    const [problem] = problemsIn(circuits).filter(([, field]) => field === 'Location');
    for (const { id } of rooms) expect(problem![2]).toContain(`(id ${id})`);
    expect(problem![2]).toContain('Say which by site / location.id.');
  });

  test('by an attribute that there is', async () => {
    const answer = await imported('dcim/sites', 'name,slug,region.foo\na,b,c');
    expect(problemsIn(answer)).toEqual([['1', 'region.foo', 'There is no field “region.foo”.']]);
  });

  test('or not at all, where that may be empty', async () => {
    const word = unique('own');
    await fine('users/owners', `name,users\n${word},admin`);
    expect((await found('users/owners', { name: word }))[0]).toMatchObject({
      group: null,
      users: [{ username: 'admin' }],
    });
  });

  test('only where the user may view it', async () => {
    const word = unique('hid');
    await slugged('dcim/regions', word);
    const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'add'] });
    const reader = await logIn(used.system.base, name, 'Correct-Horse-9');
    const answer = await imported('dcim/sites', `name,slug,region\n${word},${word},${word}`, reader);
    expect(problemsIn(answer)).toEqual([
      ['2', 'Region', `There is no object “${word}” for Region, or you may not see it.`],
    ]);
  });

  test('by a row of the same file that is made before it, whatever the order', async () => {
    const word = unique('reg');
    await fine(
      'dcim/regions',
      `name,slug,parent\n${word}-c,${word}-c,${word}-b\n${word}-b,${word}-b,${word}-a\n${word}-a,${word}-a,`,
    );
    const [leaf] = await found('dcim/regions', { name: `${word}-c` });
    expect([leaf!.parent.name, leaf!._depth]).toEqual([`${word}-b`, 2]);
    const round = await imported(
      'dcim/regions',
      `name,slug,parent\n${word}-x,${word}-x,${word}-y\n${word}-y,${word}-y,${word}-x`,
    );
    expect(problemsIn(round)[0]![2]).toContain('in a circle');
    expect(await found('dcim/regions', { name: `${word}-x` })).toEqual([]);
  });
});

describe("columns of NetBox's forms", () => {
  test('addresses: an interface, and whether it is the primary one; rows with an id, too', async () => {
    const [word, { four }] = [unique('ip'), nextNetwork()];
    const { device } = await devices(word);
    await make('dcim/interfaces', { device: device.id, name: 'lo0', type: 'virtual' });
    await fine(
      'ipam/ip-addresses',
      `address,status,device,interface,is_primary,is_oob\n${four}.1/24,active,${word}-1,lo0,true,\n${four}.2/24,active,${word}-1,lo0,,true`,
    );
    const shown = await used.admin.read(`/api/dcim/devices/${device.id}/`);
    expect([shown.primary_ip4.address, shown.oob_ip.address]).toEqual([`${four}.1/24`, `${four}.2/24`]);
    const { id } = await make('ipam/ip-addresses', { address: `${four}.3/24` });
    await fine('ipam/ip-addresses', `id,device,interface,is_primary\n${id},${word}-1,lo0,true`);
    expect((await used.admin.read(`/api/dcim/devices/${device.id}/`)).primary_ip4.id).toBe(id);
    await fine('ipam/ip-addresses', `id,device,interface,is_primary\n${id},${word}-1,lo0,false`);
    expect((await used.admin.read(`/api/dcim/devices/${device.id}/`)).primary_ip4).toBeNull();
    const alone = await imported('ipam/ip-addresses', `address,is_primary\n${four}.9/24,true`);
    expect([alone.status, problemsIn(alone)[0]![2]]).toEqual([400, 'Fill in device / virtual_machine, too.']);
  });

  test('what cannot be marked is not made either', async () => {
    const [word, { four }] = [unique('ip'), nextNetwork()];
    const { other } = await devices(word);
    await make('dcim/interfaces', { device: other.id, name: 'lo0', type: 'virtual' });
    const answer = await imported(
      'ipam/ip-addresses',
      `address,device,interface,is_primary\n${four}.1/24,${word}-2,lo0,true\n${four}.2/24,${word}-2,lo9,true`,
    );
    expect(answer.status).toBe(400);
    expect(await found('ipam/ip-addresses', { address: `${four}.1/24` })).toEqual([]);
  });

  test('addresses of machines, and of FHRP groups', async () => {
    const [word, { six }] = [unique('vm'), nextNetwork()];
    const site = await slugged('dcim/sites', word);
    const machine = await make('virtualization/virtual-machines', { name: word, site: site.id });
    await fine('virtualization/interfaces', `virtual_machine,name\n${word},eth0`);
    const group = await make('ipam/fhrp-groups', { protocol: 'vrrp3', group_id: 7, name: word });
    await fine(
      'ipam/ip-addresses',
      `address,virtual_machine,interface,is_primary,fhrp_group\n${six}::1/64,${word},eth0,true,\n${six}::2/64,,,,${word}`,
    );
    expect((await used.admin.read(`/api/virtualization/virtual-machines/${machine.id}/`)).primary_ip6.address).toBe(
      `${six}::1/64`,
    );
    const [second] = await found('ipam/ip-addresses', { address: `${six}::2/64` });
    expect([second!.assigned_object_type, second!.assigned_object_id]).toEqual(['ipam.fhrpgroup', group.id]);
  });

  test('MAC addresses', async () => {
    const word = unique('mac');
    const { device } = await devices(word);
    const port = await make('dcim/interfaces', { device: device.id, name: 'et0', type: '1000base-t' });
    await fine('dcim/mac-addresses', `mac_address,device,interface,is_primary\n02:00:00:aa:bb:cc,${word}-1,et0,true`);
    expect((await used.admin.read(`/api/dcim/interfaces/${port.id}/`)).mac_address).toBe('02:00:00:AA:BB:CC');
  });

  test('cables: what each side is plugged into', async () => {
    const word = unique('cab');
    const { device, other, site } = await devices(word);
    await make('dcim/interfaces', { device: device.id, name: 'et0', type: '1000base-t' });
    await make('dcim/interfaces', { device: other.id, name: 'et0', type: '1000base-t' });
    const panel = await make('dcim/power-panels', { name: word, site: site.id });
    await make('dcim/power-feeds', { name: 'A', power_panel: panel.id });
    await make('dcim/power-ports', { device: device.id, name: 'psu' });
    await fine(
      'dcim/cables',
      `side_a_site,side_a_device,side_a_power_panel,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,label
${word},${word}-1,,dcim.interface,et0,${word}-2,dcim.interface,et0,${word}-1
,,${word},dcim.powerfeed,A,${word}-1,dcim.powerport,psu,${word}-2`,
    );
    const [patch] = await found('dcim/cables', { label: `${word}-1` });
    expect([patch!.a_terminations[0].object.device.name, patch!.b_terminations[0].object.device.name]).toEqual([
      `${word}-1`,
      `${word}-2`,
    ]);
    const wrong = await imported(
      'dcim/cables',
      `side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\n${word}-1,dcim.rack,x,${word}-2,dcim.interface,et9`,
    );
    expect(problemsIn(wrong).map(([line, field]) => [line, field])).toEqual(
      expect.arrayContaining([
        ['2', 'side_a_type'],
        ['2', 'side_b_name'],
      ]),
    );
  });

  test('front ports, inventory items, devices in bays, feeds, reservations, clusters, services, attributes, rules', async () => {
    const word = unique('any');
    const { device, other, site } = await devices(word);
    for (const one of [device, other])
      await make('dcim/rear-ports', { device: one.id, name: 'R', type: 'lc', positions: 4 });
    await fine('dcim/front-ports', `device,name,type,rear_port,rear_port_position\n${word}-2,F,lc,R,3`);
    const [front] = await found('dcim/front-ports', { device_id: other.id });
    expect((await used.admin.read(`/api/dcim/rear-ports/${front!.rear_ports[0].rear_port}/`)).device.id).toBe(other.id);
    expect(front!.rear_ports[0].rear_port_position).toBe(3);

    await fine(
      'dcim/inventory-items',
      `device,name,parent,component_type,component_name\n${word}-1,top,,,\n${word}-1,inner,top,dcim.rearport,R`,
    );
    const [inner] = await found('dcim/inventory-items', { device_id: device.id, name: 'inner' });
    expect([inner!.component.name, inner!.component.device.id, typeof inner!.parent]).toEqual([
      'R',
      device.id,
      'number',
    ]);

    const rack = await make('dcim/racks', { name: word, site: site.id, u_height: 10 });
    await make('dcim/power-panels', { name: word, site: site.id });
    await fine('dcim/power-feeds', `site,power_panel,rack,name\n${word},${word},${word},${word}`);
    expect((await found('dcim/power-feeds', { name: word }))[0]!.rack.id).toBe(rack.id);
    await fine('dcim/rack-reservations', `site,rack,units,description,user\n${word},${word},"1,2",${word},admin`);
    expect((await found('dcim/rack-reservations', { rack_id: rack.id }))[0]!.units).toEqual([1, 2]);

    await slugged('virtualization/cluster-types', word);
    await fine('virtualization/clusters', `name,type,scope_type,scope_name\n${word},${word},dcim.site,${word}`);
    expect((await found('virtualization/clusters', { name: word }))[0]!.scope.id).toBe(site.id);
    await fine(
      'ipam/services',
      `name,protocol,ports,parent_object_type,parent\n${word},tcp,"80,443",dcim.device,${word}-1`,
    );
    expect((await found('ipam/services', { name: word }))[0]).toMatchObject({
      parent_object_id: device.id,
      ports: [80, 443],
    });

    const hook = await make('extras/webhooks', { name: word, payload_url: 'https://example.com/' });
    await fine(
      'extras/event-rules',
      `name,object_types,event_types,action_type,action_object\n${word},"dcim.site,dcim.rack",object_created,webhook,${word}`,
    );
    expect((await found('extras/event-rules', { name: word }))[0]).toMatchObject({
      action_object_id: hook.id,
      object_types: ['dcim.rack', 'dcim.site'],
    });
    await fine('extras/custom-field-choices', `name,extra_choices\n${word},"a:Apple,b:Pear"`);
    expect((await found('extras/custom-field-choice-sets', { name: word }))[0]!.extra_choices).toEqual([
      ['a', 'Apple'],
      ['b', 'Pear'],
    ]);
  });

  test('are listed on the page', async () => {
    const { html } = await admin.get('/dcim/cables/import/');
    for (const name of ['side_a_device', 'side_b_name']) expect(html).toContain(`<code>${name}</code>`);
    expect(html).toContain('found by its name within side_a_site');
  });
});

describe('exports', () => {
  test('say what nobody can write; an id of another system makes a new object', async () => {
    const word = unique('ten');
    const { id } = await slugged('tenancy/tenants', word, { description: '=1+1' });
    const { html: text } = await admin.get(`/tenancy/tenants/?id=${id}&export=csv`);
    const again = await fine('tenancy/tenants', text);
    expect(again.html).toMatch(/Passed over[^<]*display, /);
    expect((await used.admin.read(`/api/tenancy/tenants/${id}/`)).description).toBe('=1+1');
    const theirs = text.replaceAll(word, `${word}-2`).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '2020-01-01T00:00:00Z');
    await fine('tenancy/tenants', theirs);
    expect((await used.admin.read(`/api/tenancy/tenants/${id}/`)).name).toBe(word);
    expect(await found('tenancy/tenants', { name: `${word}-2` })).toHaveLength(1);
    const typed = await imported('tenancy/tenants', `id,description\n99999999,x`);
    expect(problemsIn(typed)).toEqual([['2', 'id', 'There is no object with the id 99999999, or you may not see it.']]);
  });
});
