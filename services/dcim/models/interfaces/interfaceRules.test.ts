import type { RuleContext, Values } from '@cadastre/model';
import { describe, expect, test } from '@jest/globals';
import {
  notBridgedToItself,
  notItsOwnParent,
  primaryMacIsItsOwn,
  serviceVlanNeedsQinQ,
  vlansFitMode,
  vlansFollowMode,
  vlansOfItsSite,
} from './interfaceRules.ts';

const things: Record<string, Values> = {
  'dcim.device 1': { id: 1, site: 10 },
  'dcim.device 2': { id: 2, site: 20 },
  'ipam.vlan 1': { id: 1, site: 10 },
  'ipam.vlan 2': { id: 2, site: null },
  'ipam.vlan 3': { id: 3, site: 30 },
  'dcim.macaddress 1': {
    id: 1,
    mac_address: '00:00:00:00:00:01',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: 7,
  },
  'dcim.macaddress 2': {
    id: 2,
    mac_address: '00:00:00:00:00:02',
    assigned_object_type: null,
    assigned_object_id: null,
  },
};
const context = (before: Values | null = null, given: Values = {}): RuleContext => ({
  before,
  given,
  among: [],
  found: async () => [],
  related: async (type, id) => things[`${type} ${id as number}`] ?? null,
  isBelow: async () => false,
  displayOf: async (type, id) => `${type} ${id}`,
  requester: { userId: 1 },
  held: async () => null,
  current: async () => null,
  labelOf: () => undefined,
  featuresOf: () => undefined,
  service: () => {
    throw new Error('none');
  },
});
const kind = { type: 'dcim.interface', owner: 'device', ownerType: 'dcim.device', ownerLabel: 'device' };
const empty = { untagged_vlan: null, tagged_vlans: [], qinq_svlan: null, mode: null };

test('an interface is neither its own parent nor bridged to itself', () => {
  expect([
    notItsOwnParent({ id: 1, parent: 1 }, context()),
    notItsOwnParent({ id: 1, parent: 2 }, context()),
    notItsOwnParent({ parent: null }, context()),
  ]).toEqual([{ parent: ['An interface cannot be its own parent.'] }, undefined, undefined]);
  expect([
    notBridgedToItself({ id: 1, bridge: 1 }, context()),
    notBridgedToItself({ id: 1, bridge: null }, context()),
  ]).toEqual([{ bridge: ['An interface cannot be bridged to itself.'] }, undefined]);
});

test('the mode says which VLANs there may be', () => {
  const wrong = (object: Values) => Object.keys(vlansFitMode({ ...empty, ...object }, context()) as object);
  expect([wrong({ untagged_vlan: 1 }), wrong({ tagged_vlans: [1] }), wrong({ qinq_svlan: 1 })]).toEqual([
    ['untagged_vlan'],
    ['tagged_vlans'],
    ['qinq_svlan'],
  ]);
  expect([
    wrong({ mode: 'access', untagged_vlan: 1 }),
    wrong({ mode: 'access', tagged_vlans: [1] }),
    wrong({ mode: 'tagged-all', tagged_vlans: [1] }),
  ]).toEqual([[], ['tagged_vlans'], ['tagged_vlans']]);
  expect([
    wrong({ mode: 'tagged', untagged_vlan: 1, tagged_vlans: [1] }),
    wrong({ mode: 'tagged', qinq_svlan: 1 }),
    wrong({ mode: 'q-in-q', qinq_svlan: 1, tagged_vlans: [1] }),
  ]).toEqual([[], ['qinq_svlan'], []]);
  expect(serviceVlanNeedsQinQ({ ...empty, qinq_svlan: 1, mode: 'access' }, context())).toEqual({
    qinq_svlan: ['Only Q-in-Q interfaces may specify a service VLAN.'],
  });
  expect(serviceVlanNeedsQinQ({ ...empty, qinq_svlan: 1, mode: 'q-in-q' }, context())).toBeUndefined();
});

describe('tagged VLANs', () => {
  const left = (mode: string | null, from: RuleContext) => {
    const object: Values = { mode, untagged_vlan: 1, tagged_vlans: [1] };
    expect(vlansFollowMode(object, from)).toBeUndefined();
    return [object['untagged_vlan'], object['tagged_vlans']];
  };
  const modes = ['access', 'tagged-all', 'q-in-q'];

  test('stay with a new interface, and where a change names them', () => {
    for (const from of [context(), context({ id: 7 }, { tagged_vlans: [1] })]) {
      for (const mode of [...modes, 'tagged']) expect(left(mode, from)).toEqual([1, [1]]);
      expect(left(null, from)).toEqual([null, [1]]);
    }
  });

  test('go with a change that does not name them, unless the mode is tagged', () => {
    const from = context({ id: 7 }, { description: 'x' });
    for (const mode of modes) expect(left(mode, from)).toEqual([1, []]);
    expect(left(null, from)).toEqual([null, []]);
    expect(left('tagged', from)).toEqual([1, [1]]);
  });

  test('stay as they are where an interface comes from elsewhere', () => {
    expect(left(null, { ...context({ id: 7 }), importing: true })).toEqual([1, [1]]);
  });
});

test('VLANs of another site are refused where they are new', async () => {
  const rule = vlansOfItsSite(kind);
  expect(await rule({ ...empty, device: 1, untagged_vlan: 1, tagged_vlans: [1, 2] }, context())).toEqual({});
  expect(await rule({ ...empty, device: 1, untagged_vlan: 3, tagged_vlans: [2, 3] }, context())).toEqual({
    untagged_vlan: [
      "The untagged VLAN (ipam.vlan 3) must belong to the same site as the interface's parent device, or it must be global.",
    ],
    tagged_vlans: [
      "VLAN ipam.vlan 3 must belong to the same site as the interface's parent device, or it must be global.",
    ],
  });
  const before = { ...empty, device: 1, untagged_vlan: 3 };
  expect(await rule({ ...before }, context(before))).toEqual({});
  expect(Object.keys((await rule({ ...before, device: 2 }, context(before)))!)).toEqual(['untagged_vlan']);
});

test('the address that stands for an interface belongs to no other', async () => {
  const rule = primaryMacIsItsOwn(kind);
  expect(await rule({ id: 7, primary_mac_address: 1 }, context())).toBeUndefined();
  expect(await rule({ id: 7, primary_mac_address: 2 }, context())).toBeUndefined();
  expect(await rule({ id: 7, primary_mac_address: null }, context())).toBeUndefined();
  expect(await rule({ id: 8, primary_mac_address: 1 }, context())).toEqual({
    primary_mac_address: ['MAC address dcim.macaddress 1 is assigned to a different interface (dcim.interface 7).'],
  });
  expect(Object.keys((await rule({ primary_mac_address: 1 }, context()))!)).toEqual(['primary_mac_address']);
});
