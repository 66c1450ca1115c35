// What interfaces of devices and of virtual machines have in common. Their rules are in interfaceRules.ts.
import {
  type Among,
  batched,
  choice,
  computed,
  count,
  type Field,
  type Filter,
  type ImportWords,
  integer,
  method,
  narrows,
  path,
  quote,
  ref,
  referrers,
  refs,
  through,
  type Unique,
} from '@cadastre/model';
import { interfaceMode } from '../choices/interfaceMode.ts';

type Fields = Record<string, Field>;

export const mtu = (): Fields => ({ mtu: integer({ min: 1, max: 65_536, optional: true }) });

/** The MAC addresses of an interface, and the primary one. `type` is the type of the interface. */
export const macAddresses = (type: string): Fields => ({
  mac_address: batched({
    from: ['dcim.macaddress'],
    type: 'string',
    schema: { type: ['string', 'null'] },
    sql: ({ tableOf }) =>
      `select t.id, m.mac_address from ${tableOf(type)} t join ${tableOf('dcim.macaddress')} m on m.id = t.primary_mac_address_id where t.id = any($1::bigint[])`,
    print: (rows) => JSON.stringify(rows[0]![0]!.toUpperCase()),
  }),
  primary_mac_address: ref('dcim.macaddress', { optional: true, onDelete: 'setNull' }),
  mac_addresses: referrers('dcim.macaddress', 'assigned_object'),
});

/** A MAC address is the primary one of at most one interface. */
export const primaryMacIsUnique: Unique = {
  fields: ['primary_mac_address'],
  key: 'primary_mac_address',
  where: 'primary_mac_address_id is not null',
  message: 'Interface with this Primary MAC address already exists.',
};

/** How an interface takes part in VLANs. */
export const mode = (): Fields => ({ mode: choice(interfaceMode, { optional: true, nullable: true }) });

/** The VLANs that it carries. */
/** `plural`: the prefix of the names under which VLANs list these interfaces, one for each role of the VLAN. */
export const vlans = (plural: string): Fields => ({
  untagged_vlan: ref('ipam.vlan', { optional: true, onDelete: 'setNull', backwards: `${plural}_as_untagged` }),
  tagged_vlans: refs('ipam.vlan', { backwards: `${plural}_as_tagged` }),
  qinq_svlan: ref('ipam.vlan', { optional: true, onDelete: 'setNull', backwards: `${plural}_as_svlan` }),
  vlan_translation_policy: ref('ipam.vlantranslationpolicy', { optional: true }),
});

/** What files for import say of an interface's networks: `on` is the filter of VLANs by what it belongs to, and the column. */
export const networkColumns = (on: Among): ImportWords => {
  const each = (among: Among): Record<string, Among> =>
    Object.fromEntries(['untagged_vlan', 'tagged_vlans', 'qinq_svlan'].map((name) => [name, among]));
  return {
    by: { vrf: 'rd' },
    later: ['primary_mac_address'],
    among: each({ group_id: 'vlan_group' }),
    rather: each(on),
    columns: { vlan_group: narrows('ipam.vlangroup') },
  };
};

export const vrf = (): Fields => ({ vrf: ref('ipam.vrf', { optional: true, onDelete: 'setNull' }) });

/** This product has no VPNs, so no tunnel ends at an interface. */
export const l2vpnTermination = (): Fields => ({
  l2vpn_termination: computed([], () => 'null', { schema: { type: 'null' } }),
});

/** What is assigned to it. */
export const assignmentCounts = (): Fields => ({
  count_ipaddresses: count('ipam.ipaddress', 'assigned_object'),
  count_fhrp_groups: count('ipam.fhrpgroupassignment', 'interface'),
});

/** Interfaces that carry a VLAN, tagged or not: a VLAN by id, or all with a number. */
const carries = (selected: (vlans: string, value: string) => string): Filter =>
  method('number', ({ table, bind, tableOf }, [value]) => {
    const ids = selected(tableOf('ipam.vlan'), `${bind(value)}::bigint`);
    const column = (name: string) => `${table}.${quote(name)}`;
    return `(${column('untagged_vlan_id')} in (${ids}) or ${column('qinq_svlan_id')} in (${ids}) or ${column('tagged_vlans')} && array(${ids}))`;
  });

/** Filters that say more than their fields do. */
export const interfaceFilters = (): Record<string, Filter> => ({
  vlan_id: carries((_, value) => `select ${value}`),
  vlan: carries((table, value) => `select v.id from ${table} v where v.vid = ${value}`),
  vrf: path('vrf', 'rd'),
  l2vpn_id: path('<vpn.l2vpntermination.assigned_object/l2vpn'),
  l2vpn: path('<vpn.l2vpntermination.assigned_object/l2vpn', 'identifier'),
  mac_address: through('<dcim.macaddress.assigned_object', 'mac_address', 'mac'),
  primary_mac_address: through('primary_mac_address', 'mac_address', 'mac'),
});
