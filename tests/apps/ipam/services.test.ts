import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const GROUPS = '/api/ipam/fhrp-groups/';
const SERVICES = '/api/ipam/services/';

test('a group is called after its protocol and its first address, and takes its addresses along', async () => {
  const group = await used.admin.make(GROUPS, { protocol: 'vrrp2', group_id: 7, auth_type: 'md5' });
  const vrf = await used.admin.make('/api/ipam/vrfs/', { name: unique('vrf') });
  expect(group).toMatchObject({ display: 'VRRPv2: 7', protocol: 'vrrp2', auth_type: 'md5', ip_addresses: [] });
  const assigned = { vrf: vrf.id, assigned_object_type: 'ipam.fhrpgroup', assigned_object_id: group.id };
  const [second, first] = await used.admin.make('/api/ipam/ip-addresses/', [
    { address: '10.1.1.9/24', ...assigned },
    { address: '10.1.1.1/24', ...assigned },
  ]);
  expect(await used.admin.read(`${GROUPS}${group.id}/`)).toMatchObject({
    display: 'VRRPv2: 7 (10.1.1.1/24)',
    ip_addresses: [{ id: first.id }, { id: second.id }],
  });
  await used.admin.patch(`/api/ipam/ip-addresses/${first.id}/`, {
    assigned_object_type: null,
    assigned_object_id: null,
  });
  expect(await used.admin.read(`${GROUPS}${group.id}/`)).toMatchObject({ display: 'VRRPv2: 7 (10.1.1.9/24)' });
  const host = await used.admin.make('/api/ipam/ip-addresses/', { address: '10.1.1.20/24', vrf: vrf.id });
  expect(await used.admin.column(`${GROUPS}?related_ip=${host.id}`, 'id')).toEqual([group.id]);
  expect(await used.admin.column(`/api/ipam/ip-addresses/?fhrpgroup_id=${group.id}`, 'id')).toEqual([second.id]);
  await used.admin.delete(`${GROUPS}${group.id}/`);
  expect((await used.admin.get(`/api/ipam/ip-addresses/${second.id}/`)).status).toBe(404);
});

test('services listen on ports, and are sorted by the lowest', async () => {
  const group = await used.admin.make(GROUPS, { name: unique('group'), protocol: 'other', group_id: 1 });
  const parent = { parent_object_type: 'ipam.fhrpgroup', parent_object_id: group.id };
  const address = await used.admin.make('/api/ipam/ip-addresses/', {
    address: '10.1.1.1/24',
    vrf: (await used.admin.make('/api/ipam/vrfs/', { name: unique('vrf') })).id,
  });
  const [web] = await used.admin.make(SERVICES, [
    { name: 'web', protocol: 'tcp', ports: [443, 81, 80, 82], ipaddresses: [address.id], ...parent },
    { name: 'ssh', protocol: 'tcp', ports: [22], ...parent },
  ]);
  expect(web).toMatchObject({
    display: 'web (TCP/80-82, 443)',
    ports: [443, 81, 80, 82],
    parent: { id: group.id },
    ipaddresses: [{ id: address.id, family: { value: 4 } }],
  });
  expect(await used.admin.column(`${SERVICES}?fhrpgroup=${group.name}`)).toEqual(['ssh', 'web']);
  expect(await used.admin.column(`${SERVICES}?fhrpgroup_id=${group.id}&port=81`)).toEqual(['web']);
  expect(await used.admin.column(`${SERVICES}?ip_address_id=${address.id}`)).toEqual(['web']);
  expect(await used.admin.column(`/api/ipam/ip-addresses/?service_id=${web.id}`, 'id')).toEqual([address.id]);
  expect((await used.admin.post(SERVICES, { name: 'x', ports: [], ...parent })).body).toEqual({
    protocol: ['This field cannot be blank.'],
    ports: ['This field cannot be blank.'],
  });
  expect((await used.admin.post(SERVICES, { name: 'x', protocol: 'tcp', ports: [0, 65_536], ...parent })).body).toEqual(
    {
      ports: {
        0: ['Ensure this value is greater than or equal to 1.'],
        1: ['Ensure this value is less than or equal to 65535.'],
      },
    },
  );
});

test('an interface takes part in a group once', async () => {
  const slug = unique('cluster');
  const type = await used.admin.make('/api/virtualization/cluster-types/', { name: slug, slug });
  const cluster = await used.admin.make('/api/virtualization/clusters/', { name: slug, type: type.id });
  const machine = await used.admin.make('/api/virtualization/virtual-machines/', { name: slug, cluster: cluster.id });
  const at = await used.admin.make('/api/virtualization/interfaces/', { name: 'eth0', virtual_machine: machine.id });
  const group = await used.admin.make(GROUPS, { protocol: 'hsrp', group_id: 3 });
  const body = { group: group.id, interface_type: 'virtualization.vminterface', interface_id: at.id, priority: 100 };
  const PATH = '/api/ipam/fhrp-group-assignments/';
  const made = await used.admin.make(PATH, body);
  expect(made).toMatchObject({ display: 'eth0: HSRP: 3 (100)', interface: { id: at.id }, group: { id: group.id } });
  expect((await used.admin.post(PATH, body)).body).toEqual({
    __all__: ['FHRP group assignment with this Interface type, Interface id and Group already exists.'],
  });
  expect(await used.admin.column(`${PATH}?virtual_machine=${slug}`, 'id')).toEqual([made.id]);
  expect((await used.admin.patch(`${PATH}${made.id}/`, { priority: 256 })).body).toEqual({
    priority: ['Ensure this value is less than or equal to 255.'],
  });
});

test('a range of AS numbers begins below its end', async () => {
  const slug = unique('range');
  const rir = await used.admin.make('/api/ipam/rirs/', { name: slug, slug });
  const { body } = await used.admin.post('/api/ipam/asn-ranges/', {
    name: slug,
    slug,
    rir: rir.id,
    start: 65_000,
    end: 64_512,
  });
  expect(body).toEqual({ __all__: ['Starting ASN (65000) must be lower than ending ASN (64512).'] });
  expect(
    await used.admin.make('/api/ipam/asn-ranges/', { name: slug, slug, rir: rir.id, start: 64_512, end: 65_000 }),
  ).toMatchObject({ display: `${slug} (64512-65000)` });
});

test('services are application services in messages, and services in addresses and the names of their classes', async () => {
  const templates = '/api/ipam/service-templates/';
  const name = unique('service');
  await used.admin.make(templates, { name, protocol: 'tcp', ports: [80] });
  expect(await used.admin.post(templates, { name, protocol: 'tcp', ports: [80] })).toMatchObject({
    status: 400,
    body: { name: ['application service template with this name already exists.'] },
  });
  expect((await used.admin.get(`${templates}999999999/`)).body).toEqual({
    detail: 'No ServiceTemplate matches the given query.',
  });
  expect((await used.admin.read('/api/core/object-types/?app_label=ipam&model=service')).results).toMatchObject([
    {
      display: 'IPAM > Application Service',
      model_name: 'application service',
      model_name_plural: 'application services',
    },
  ]);
});
