import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { nextAsn, nextNetwork, nextVid, unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

// What is deleted with an object, what loses its reference to it, and what prevents the deletion, within one service
// and across several.

const used = useSystem();
const lab = new Equipment(() => used.admin);
type Thing = readonly [path: string, object: Body];

const make = async (path: string, body: object): Promise<Thing> => [path, await lab.make(path, body)];
const remove = ([path, { id }]: Thing): Promise<Answer> => used.admin.delete(`/api/${path}/${id}/`);
const read = ([path, { id }]: Thing): Promise<Body> => lab.read(`${path}/${id}`);
const there = async ([path, { id }]: Thing): Promise<boolean> =>
  (await used.admin.get(`/api/${path}/${id}/`)).status === 200;

/**
 * Expects an object to be deleted, with those in `along`; those in `loses`, as `[thing, field]`, lose the reference.
 */
async function goes(
  what: Thing,
  { along = [], loses = [] }: { along?: Thing[]; loses?: (readonly [Thing, string])[] },
): Promise<void> {
  const answer = await remove(what);
  expect([what[0], answer.status, answer.text]).toEqual([what[0], 204, '']);
  for (const one of along) await eventually(async () => expect([one[0], await there(one)]).toEqual([one[0], false]));
  for (const [one, field] of loses)
    await eventually(async () => {
      const value = (await read(one))[field];
      expect([one[0], field, Array.isArray(value) ? value.length : value]).toEqual([
        one[0],
        field,
        Array.isArray(value) ? 0 : null,
      ]);
    });
}

/** Expects an object to stay, as the named others, in whatever services, prevent its deletion. */
async function stays(what: Thing, ...because: Thing[]): Promise<void> {
  const answer = await remove(what);
  const [, count, names] =
    /^Unable to delete object\. (\d+) dependent objects were found: (.*)$/s.exec(answer.body?.detail ?? '') ?? [];
  expect([what[0], answer.status, Number(count)]).toEqual([what[0], 409, because.length]);
  for (const [path, { id }] of because) expect(names).toContain(`${(await lab.read(`${path}/${id}`)).display} (${id})`);
  expect(await there(what)).toBe(true);
}

let provider: Thing;
let circuitType: Thing;
let clusterType: Thing;
beforeAll(async () => {
  provider = await make('circuits/providers', lab.named('provider'));
  circuitType = await make('circuits/circuit-types', lab.named('type'));
  clusterType = await make('virtualization/cluster-types', lab.named('type'));
}, 200_000);

const region = (more: object = {}) => make('dcim/regions', lab.named('region', more));
const siteGroup = (more: object = {}) => make('dcim/site-groups', lab.named('group', more));
const site = (more: object = {}) => make('dcim/sites', lab.named('site', more));
const location = ([, { id }]: Thing, more: object = {}) =>
  make('dcim/locations', lab.named('location', { site: id, ...more }));
const prefix = (type: string, [, { id }]: Thing) =>
  make('ipam/prefixes', { prefix: `${nextNetwork().four}.0/24`, scope_type: type, scope_id: id });
const vlanGroup = (type: string, [, { id }]: Thing) =>
  make('ipam/vlan-groups', lab.named('vlans', { scope_type: type, scope_id: id }));
const vlan = (more: object = {}) => make('ipam/vlans', { vid: nextVid(), name: unique('vlan'), ...more });
const cluster = (more: object = {}) =>
  make('virtualization/clusters', { name: unique('cluster'), type: clusterType[1].id, ...more });
const circuit = () =>
  make('circuits/circuits', { cid: unique('c'), provider: provider[1].id, type: circuitType[1].id });
const termination = async (type: string, [, { id }]: Thing) =>
  make('circuits/circuit-terminations', {
    circuit: (await circuit())[1].id,
    term_side: 'A',
    termination_type: type,
    termination_id: id,
  });
const address = (type: string, [, { id }]: Thing) =>
  make('ipam/ip-addresses', {
    address: `${nextNetwork().four}.7/24`,
    assigned_object_type: type,
    assigned_object_id: id,
  });

describe('where circuits end', () => {
  test.each(['region', 'sitegroup'] as const)('goes with its %s, which sites lose', async (kind) => {
    const place = kind === 'region' ? await region() : await siteGroup();
    const below = kind === 'region' ? await region({ parent: place[1].id }) : await siteGroup({ parent: place[1].id });
    const inside = await site(kind === 'region' ? { region: below[1].id } : { group: below[1].id });
    await goes(place, {
      along: [below, await termination(`dcim.${kind}`, place), await termination(`dcim.${kind}`, below)],
      loses: [[inside, kind === 'region' ? 'region' : 'group']],
    });
  });
  test('goes with its site, and with its location', async () => {
    const at = await site();
    const room = await location(at);
    const inner = await location(at, { parent: room[1].id });
    await goes(room, { along: [inner, await termination('dcim.location', inner)] });
    await goes(at, { along: [await termination('dcim.site', at)] });
  });
  test('keeps its provider network', async () => {
    const network = await make('circuits/provider-networks', { name: unique('net'), provider: provider[1].id });
    const end = await termination('circuits.providernetwork', network);
    await stays(network, end);
    await goes(end, {});
    await goes(network, {});
  });
  test('is deleted with its circuit, and its cable loses the end there', async () => {
    const at = await site();
    const end = await termination('dcim.site', at);
    const port = await lab.interface(await lab.device({ site: at[1].id }));
    await make('dcim/cables', {
      a_terminations: [{ object_type: 'circuits.circuittermination', object_id: end[1].id }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: port.id }],
    });
    await eventually(async () => expect((await read(end)).cable).not.toBeNull());
    await goes(['circuits/circuits', end[1].circuit], { along: [end] });
  });
});

describe('what is meant for a place', () => {
  test('goes with it, in every service, and may keep it', async () => {
    const place = await region();
    const within = await cluster({ scope_type: 'dcim.region', scope_id: place[1].id });
    const machine = await make('virtualization/virtual-machines', { name: unique('vm'), cluster: within[1].id });
    const group = await vlanGroup('dcim.region', place);
    const inside = await vlan({ group: group[1].id });
    await stays(place, machine, inside);
    await goes(machine, {});
    await stays(place, inside);
    await goes(inside, {});
    await goes(place, { along: [within, group, await prefix('dcim.region', place)] });
  });
  test('goes with a site and its locations', async () => {
    const at = await site();
    const room = await location(at);
    const inner = await location(at, { parent: room[1].id });
    await goes(at, {
      along: [
        room,
        inner,
        await prefix('dcim.site', at),
        await prefix('dcim.location', inner),
        await vlanGroup('dcim.location', room),
        await cluster({ scope_type: 'dcim.location', scope_id: inner[1].id }),
      ],
    });
  });
  test('a group of VLANs goes with its rack, and only loses its group of racks', async () => {
    const at = await site();
    const racks = await make('dcim/rack-groups', lab.named('racks'));
    const rack = await make('dcim/racks', { name: unique('rack'), site: at[1].id });
    const kept = await vlanGroup('dcim.rackgroup', racks);
    await goes(rack, { along: [await vlanGroup('dcim.rack', rack)] });
    await goes(racks, {
      loses: [
        [kept, 'scope'],
        [kept, 'scope_id'],
        [kept, 'scope_type'],
      ],
    });
  });
  test('a group of VLANs goes with its cluster, whose machines keep it, and which a device loses', async () => {
    const of = await cluster();
    const group = await vlanGroup('virtualization.cluster', of);
    const device = ['dcim/devices', await lab.device({ cluster: of[1].id })] as const;
    const machine = await make('virtualization/virtual-machines', { name: unique('vm'), cluster: of[1].id });
    await stays(of, machine);
    await goes(machine, {});
    await goes(of, { along: [group], loses: [[device, 'cluster']] });
  });
});

describe('equipment', () => {
  test('a device takes its interfaces along, and what is assigned to those in other services', async () => {
    const device = await lab.device();
    const port = ['dcim/interfaces', await lab.interface(device)] as const;
    const group = await make('ipam/fhrp-groups', { protocol: 'vrrp2', group_id: 1 });
    const mac = await make('dcim/mac-addresses', {
      mac_address: '02:00:00:00:00:01',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port[1].id,
    });
    const assigned = await make('ipam/fhrp-group-assignments', {
      group: group[1].id,
      interface_type: 'dcim.interface',
      interface_id: port[1].id,
      priority: 1,
    });
    const service = await make('ipam/services', {
      name: unique('s'),
      protocol: 'tcp',
      ports: [80],
      parent_object_type: 'dcim.device',
      parent_object_id: device.id,
    });
    await goes(['dcim/devices', device], {
      along: [port, mac, assigned, service, await address('dcim.interface', port)],
    });
    expect(await there(group)).toBe(true);
  });
  test('an interface takes its address along, and the device loses it', async () => {
    const device = await lab.device();
    const port = ['dcim/interfaces', await lab.interface(device)] as const;
    const ip = await address('dcim.interface', port);
    await lab.patch(`dcim/devices/${device.id}`, { primary_ip4: ip[1].id });
    await goes(port, { along: [ip], loses: [[['dcim/devices', device], 'primary_ip4']] });
  });
  test('an interface is kept by those below it, and lost by those beside it', async () => {
    const device = await lab.device();
    const upper = ['dcim/interfaces', await lab.interface(device)] as const;
    const below = ['dcim/interfaces', await lab.interface(device, { type: 'virtual', parent: upper[1].id })] as const;
    await stays(upper, below);
    await goes(below, {});
    const beside = ['dcim/interfaces', await lab.interface(device, { bridge: upper[1].id })] as const;
    await goes(upper, { loses: [[beside, 'bridge']] });
  });
  test('a rack takes its reservations along, and is kept by its devices', async () => {
    const at = await site();
    const rack = await make('dcim/racks', { name: unique('rack'), site: at[1].id });
    const device = ['dcim/devices', await lab.device({ site: at[1].id, rack: rack[1].id })] as const;
    const reserved = await make('dcim/rack-reservations', {
      rack: rack[1].id,
      units: [1],
      user: (await userWith(used.admin)).id,
      description: 'x',
    });
    await stays(rack, device);
    await goes(device, {});
    await goes(rack, { along: [reserved] });
  });
  test('a virtual machine takes its interfaces, their addresses and its disks along', async () => {
    const machine = await make('virtualization/virtual-machines', { name: unique('vm'), site: (await site())[1].id });
    const port = await make('virtualization/interfaces', { virtual_machine: machine[1].id, name: 'eth0' });
    const disk = await make('virtualization/virtual-disks', {
      virtual_machine: machine[1].id,
      name: unique('disk'),
      size: 1,
    });
    await goes(machine, { along: [port, disk, await address('virtualization.vminterface', port)] });
  });
});

describe('numbers and people', () => {
  test('a VLAN is kept by its prefix, and lost by interfaces of two services', async () => {
    const one = await vlan();
    const net = await make('ipam/prefixes', { prefix: '10.99.0.0/24', vlan: one[1].id });
    await stays(one, net);
    await goes(net, {});
    const port = [
      'dcim/interfaces',
      await lab.interface(await lab.device(), { mode: 'tagged', tagged_vlans: [one[1].id] }),
    ] as const;
    const machine = await make('virtualization/virtual-machines', { name: unique('vm'), site: (await site())[1].id });
    const virtual = await make('virtualization/interfaces', {
      virtual_machine: machine[1].id,
      name: 'eth0',
      mode: 'access',
      untagged_vlan: one[1].id,
    });
    await goes(one, {
      loses: [
        [port, 'tagged_vlans'],
        [virtual, 'untagged_vlan'],
      ],
    });
  });
  test('a VRF is kept by what is in it, and lost by interfaces', async () => {
    const vrf = await make('ipam/vrfs', { name: unique('vrf') });
    const net = await make('ipam/prefixes', { prefix: '10.98.0.0/24', vrf: vrf[1].id });
    const port = ['dcim/interfaces', await lab.interface(await lab.device(), { vrf: vrf[1].id })] as const;
    await stays(vrf, net);
    await goes(net, {});
    await goes(vrf, { loses: [[port, 'vrf']] });
  });
  test('an AS number is lost by sites and providers, and keeps its registry', async () => {
    const rir = await make('ipam/rirs', lab.named('rir'));
    const asn = await make('ipam/asns', { asn: nextAsn(), rir: rir[1].id });
    const at = await site({ asns: [asn[1].id] });
    const by = await make('circuits/providers', lab.named('p', { asns: [asn[1].id] }));
    await stays(rir, asn);
    await goes(asn, {
      loses: [
        [at, 'asns'],
        [by, 'asns'],
      ],
    });
    await goes(rir, {});
  });
  test('a user is kept by reservations in another service; what is only his goes along', async () => {
    const { id } = await userWith(used.admin);
    const user = ['users/users', { id }] as const;
    const at = await site();
    const bookmark = await make('extras/bookmarks', { object_type: 'dcim.site', object_id: at[1].id, user: id });
    const reserved = await make('dcim/rack-reservations', {
      rack: (await make('dcim/racks', { name: unique('rack'), site: at[1].id }))[1].id,
      units: [1],
      user: id,
      description: 'x',
    });
    await stays(user, reserved);
    await goes(reserved, {});
    await goes(user, { along: [bookmark] });
  });
  test('a contact is kept by its assignments, which go with what they are about', async () => {
    const contact = await make('tenancy/contacts', { name: unique('c') });
    const at = await site();
    const assigned = await make('tenancy/contact-assignments', {
      object_type: 'dcim.site',
      object_id: at[1].id,
      contact: contact[1].id,
      role: (await make('tenancy/contact-roles', lab.named('role')))[1].id,
    });
    await stays(contact, assigned);
    await goes(at, { along: [assigned] });
    await goes(contact, {});
  });
  test('an owner is kept by what it owns in every service', async () => {
    const owner = await make('users/owners', {
      name: unique('owner'),
      group: (await make('users/owner-groups', { name: unique('group') }))[1].id,
    });
    const of = { owner: owner[1].id };
    await stays(
      owner,
      await site(of),
      await make('ipam/vrfs', { name: unique('vrf'), ...of }),
      await make('tenancy/tenants', lab.named('t', of)),
      await cluster(of),
      await make('circuits/providers', lab.named('p', of)),
      await make('extras/config-contexts', { name: unique('context'), data: { a: 1 }, ...of }),
    );
  });
});
