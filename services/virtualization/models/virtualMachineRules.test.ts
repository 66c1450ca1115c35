import type { RuleContext, Values } from '@cadastre/model';
import { expect, test } from '@jest/globals';
import { diskIsSumOfDisks, hasPlace, likeItsType, primaryAddressesAreItsOwn } from './virtualMachineRules.ts';

const things: Record<string, Values> = {
  'virtualization.cluster 1': { id: 1, _site: 10 },
  'virtualization.cluster 2': { id: 2, _site: null },
  'dcim.device 1': { id: 1, site: 10, cluster: 1 },
  'dcim.device 2': { id: 2, site: 20, cluster: null },
  'virtualization.virtualmachinetype 1': { id: 1, default_platform: 3, default_vcpus: '2.00', default_memory: null },
  'virtualization.vminterface 5': { id: 5, virtual_machine: 7 },
  'virtualization.vminterface 6': { id: 6, virtual_machine: 8 },
  'ipam.ipaddress 1': {
    id: 1,
    address: '10.0.0.1/24',
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: 5,
    nat_inside: null,
  },
  'ipam.ipaddress 2': {
    id: 2,
    address: '10.0.0.2/24',
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: 6,
    nat_inside: null,
  },
  'ipam.ipaddress 3': {
    id: 3,
    address: '192.0.2.1/32',
    assigned_object_type: null,
    assigned_object_id: null,
    nat_inside: 1,
  },
  'ipam.ipaddress 4': {
    id: 4,
    address: '10.0.0.4/24',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: 5,
    nat_inside: null,
  },
};
const disks: Values[] = [{ size: 20 }, { size: 30 }];
const context = (before: Values | null = null): RuleContext => ({
  before,
  given: {},
  among: [],
  found: async () => disks,
  related: async (type, id) => things[`${type} ${id as number}`] ?? null,
  isBelow: async () => false,
  displayOf: async (type, id) => String(things[`${type} ${id}`]?.['address'] ?? `${type} ${id}`),
  requester: { userId: 1 },
  held: async () => null,
  current: async () => null,
  labelOf: () => undefined,
  featuresOf: () => undefined,
  service: () => {
    throw new Error('none');
  },
});
const nowhere = { site: null, cluster: null, device: null };

test('a new virtual machine is as its type says, unless it says otherwise', async () => {
  const fill = async (object: Values, before: Values | null = null) => {
    await likeItsType(object, context(before));
    return object;
  };
  expect(await fill({ virtual_machine_type: 1, platform: null, vcpus: null, memory: null })).toEqual({
    virtual_machine_type: 1,
    platform: 3,
    vcpus: '2.00',
    memory: null,
  });
  expect(await fill({ virtual_machine_type: 1, platform: 9, vcpus: '1', memory: 5 })).toMatchObject({
    platform: 9,
    vcpus: '1',
    memory: 5,
  });
  expect(await fill({ virtual_machine_type: 1, platform: null }, {})).toEqual({
    virtual_machine_type: 1,
    platform: null,
  });
});

test('site, cluster and device agree, and the site follows from the others', async () => {
  const place = async (object: Values) => {
    const whole: Values = { ...nowhere, ...object };
    const errors = await hasPlace(whole, context());
    return errors ? Object.keys(errors) : whole['site'];
  };
  expect([
    await place({}),
    await place({ site: 30 }),
    await place({ cluster: 1 }),
    await place({ cluster: 2 }),
    await place({ device: 2 }),
  ]).toEqual([['cluster'], 30, 10, null, 20]);
  expect([
    await place({ cluster: 1, site: 30 }),
    await place({ cluster: 2, site: 30 }),
    await place({ cluster: 1, site: 10 }),
  ]).toEqual([['cluster'], 30, 10]);
  expect([
    await place({ device: 1 }),
    await place({ device: 1, cluster: 1 }),
    await place({ device: 2, cluster: 1 }),
    await place({ device: 2, site: 30 }),
  ]).toEqual([['device'], 10, ['device'], ['device']]);
});

test('with virtual disks the disk space is theirs', async () => {
  const object: Values = { id: 7, disk: null };
  expect([await diskIsSumOfDisks(object, context({})), object['disk']]).toEqual([undefined, 50]);
  expect(await diskIsSumOfDisks({ id: 7, disk: 60 }, context({}))).toEqual({
    disk: ['The specified disk size (60) must match the aggregate size of assigned virtual disks (50).'],
  });
  expect(await diskIsSumOfDisks({ disk: 60 }, context())).toBeUndefined();
});

test('primary addresses are at its interfaces, or the outside of one there', async () => {
  const wrong = async (object: Values, before: Values = {}) =>
    primaryAddressesAreItsOwn({ id: 7, primary_ip4: null, primary_ip6: null, ...object }, context(before));
  for (const primary_ip4 of [1, 3]) expect(await wrong({ primary_ip4 })).toEqual({});
  for (const primary_ip4 of [2, 4])
    expect(await wrong({ primary_ip4 })).toEqual({
      primary_ip4: [`The specified IP address (10.0.0.${primary_ip4}/24) is not assigned to this VM.`],
    });
  expect(await wrong({ primary_ip6: 1 })).toEqual({
    primary_ip6: ['Must be an IPv6 address. (10.0.0.1/24 is an IPv4 address.)'],
  });
  expect(await wrong({ primary_ip4: 2 }, { primary_ip4: 2 })).toEqual({});
});
