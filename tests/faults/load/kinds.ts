import type { Json } from '@cadastre/model';
import type { Dice } from './dice.ts';
import type { Body } from './history.ts';

/** What a body is made from. */
export interface Around {
  dice: Dice;
  /** A number that no other object has. */
  serial: number;
  /** A name that no other object has. */
  name: string;
  /** Some object of a type, if there is one. */
  some(type: string): number | undefined;
}

/** A kind of object that clients write: the body of a new one, and the body of a change. */
export interface Kind {
  type: string;
  path: string;
  weight: number;
  /** Types of which there must be objects first. */
  needs: readonly string[];
  make(around: Around): Body;
  /** Without it objects of this kind are not changed. */
  change?(around: Around): Body;
}

/** A reference that may be empty. */
const maybe = ({ dice, some }: Around, type: string, chance = 0.7): number | null =>
  dice.chance(chance) ? (some(type) ?? null) : null;
/** A reference that must be given. */
const must = ({ some }: Around, type: string): Json => some(type) ?? 0;
/** Several, or none. */
const several = (around: Around, type: string, most = 3): number[] => [
  ...new Set(
    Array.from({ length: around.dice.below(most + 1) }, () => around.some(type)).filter((id) => id !== undefined),
  ),
];
const tags = (around: Around): Body => (around.dice.chance(0.5) ? { tags: several(around, 'extras.tag') } : {});
/** Something of one of these types, or nothing. */
function either(around: Around, typeField: string, idField: string, types: readonly string[], chance = 0.7): Body {
  const type = around.dice.choose(types);
  const id = maybe(around, type, chance);
  return id === null ? {} : { [typeField]: type, [idField]: id };
}
const assigned = (around: Around, chance: number): Body =>
  either(
    around,
    'assigned_object_type',
    'assigned_object_id',
    ['dcim.interface', 'dcim.interface', 'virtualization.vminterface'],
    chance,
  );
const named = ({ name }: Around): Body => ({ name, slug: name });
const scope = (around: Around): Body =>
  either(around, 'scope_type', 'scope_id', ['dcim.site', 'dcim.site', 'dcim.region', 'dcim.location']);
const tenant = (around: Around): Body => ({ tenant: maybe(around, 'tenancy.tenant') });
const buddy = (around: Around): Body =>
  around.dice.chance(0.3) ? { custom_fields: { buddy: maybe(around, 'dcim.device') } } : {};
/** A type of which services keep only the objects that are related to theirs. */
const reached = (around: Around): Body =>
  around.dice.chance(0.3) ? { custom_fields: { reached_at: maybe(around, 'ipam.ipaddress') } } : {};
const mac = (n: number): string =>
  n
    .toString(16)
    .padStart(10, '0')
    .replace(/(..)(?=.)/g, '$1:');

/** Types without a description. */
const plain = new Set(['tenancy.contactassignment', 'extras.journalentry']);

/** Each write contains a text that no other contains, so that the last write can be recognised. */
function kind(
  type: string,
  path: string,
  weight: number,
  needs: string[],
  make: Kind['make'],
  change?: Kind['change'],
): Kind {
  const said = (of: Kind['make']): Kind['make'] =>
    plain.has(type) ? of : (around) => ({ description: around.name, ...of(around) });
  return {
    type,
    path: `/api/${type.split('.')[0]}/${path}/`,
    weight,
    needs,
    make: said(make),
    ...(change ? { change: said(change) } : {}),
  };
}

/** Objects of every service, with references of every kind within services and across them. */
export const kinds: readonly Kind[] = [
  kind(
    'tenancy.tenantgroup',
    'tenant-groups',
    2,
    [],
    (a) => ({ ...named(a), parent: maybe(a, 'tenancy.tenantgroup') }),
    (a) => ({ parent: maybe(a, 'tenancy.tenantgroup') }),
  ),
  kind(
    'tenancy.tenant',
    'tenants',
    5,
    [],
    (a) => ({ ...named(a), group: maybe(a, 'tenancy.tenantgroup'), ...tags(a), ...buddy(a) }),
    (a) => ({ group: maybe(a, 'tenancy.tenantgroup'), ...tags(a) }),
  ),
  kind('tenancy.contactrole', 'contact-roles', 1, [], named),
  kind('tenancy.contact', 'contacts', 2, [], (a) => ({ name: a.name, ...tags(a) }), tags),
  kind(
    'tenancy.contactassignment',
    'contact-assignments',
    4,
    ['tenancy.contact', 'tenancy.contactrole', 'dcim.site'],
    (a) => ({
      contact: must(a, 'tenancy.contact'),
      role: must(a, 'tenancy.contactrole'),
      object_type: 'dcim.site',
      object_id: must(a, 'dcim.site'),
      ...either(
        a,
        'object_type',
        'object_id',
        ['circuits.circuit', 'virtualization.virtualmachine', 'ipam.vlangroup', 'dcim.device'],
        0.8,
      ),
    }),
  ),
  kind(
    'dcim.region',
    'regions',
    3,
    [],
    (a) => ({ ...named(a), parent: maybe(a, 'dcim.region') }),
    (a) => ({ parent: maybe(a, 'dcim.region'), name: `${a.name} renamed` }),
  ),
  kind(
    'dcim.site',
    'sites',
    6,
    [],
    (a) => ({
      ...named(a),
      region: maybe(a, 'dcim.region'),
      ...tenant(a),
      asns: several(a, 'ipam.asn'),
      ...tags(a),
      ...buddy(a),
    }),
    (a) => ({ region: maybe(a, 'dcim.region'), ...tenant(a), asns: several(a, 'ipam.asn'), ...tags(a) }),
  ),
  kind(
    'dcim.location',
    'locations',
    2,
    ['dcim.site'],
    (a) => ({ ...named(a), site: must(a, 'dcim.site'), ...tenant(a) }),
    tenant,
  ),
  kind('dcim.manufacturer', 'manufacturers', 1, [], named, tags),
  kind('dcim.devicerole', 'device-roles', 1, [], named, tags),
  kind(
    'dcim.devicetype',
    'device-types',
    2,
    ['dcim.manufacturer'],
    (a) => ({ manufacturer: must(a, 'dcim.manufacturer'), model: a.name, slug: a.name }),
    tags,
  ),
  kind('dcim.interfacetemplate', 'interface-templates', 1, ['dcim.devicetype'], (a) => ({
    device_type: must(a, 'dcim.devicetype'),
    name: a.name,
    type: 'virtual',
  })),
  kind(
    'dcim.device',
    'devices',
    6,
    ['dcim.devicetype', 'dcim.devicerole', 'dcim.site'],
    (a) => ({
      name: a.name,
      device_type: must(a, 'dcim.devicetype'),
      role: must(a, 'dcim.devicerole'),
      site: must(a, 'dcim.site'),
      ...tenant(a),
      ...tags(a),
      ...reached(a),
    }),
    (a) => ({ ...tenant(a), ...tags(a), ...reached(a), name: `${a.name} renamed` }),
  ),
  kind(
    'dcim.interface',
    'interfaces',
    6,
    ['dcim.device'],
    (a) => ({
      device: must(a, 'dcim.device'),
      name: a.name,
      type: 'virtual',
      mode: 'tagged',
      untagged_vlan: maybe(a, 'ipam.vlan'),
      tagged_vlans: several(a, 'ipam.vlan'),
      vrf: maybe(a, 'ipam.vrf'),
      ...tags(a),
    }),
    (a) => ({
      mode: 'tagged',
      untagged_vlan: maybe(a, 'ipam.vlan'),
      tagged_vlans: several(a, 'ipam.vlan'),
      vrf: maybe(a, 'ipam.vrf'),
    }),
  ),
  kind('dcim.macaddress', 'mac-addresses', 2, [], (a) => ({
    mac_address: `02:${mac(a.serial)}`,
    ...either(a, 'assigned_object_type', 'assigned_object_id', ['dcim.interface', 'virtualization.vminterface']),
  })),
  kind('ipam.rir', 'rirs', 1, [], named, tags),
  kind(
    'ipam.asn',
    'asns',
    3,
    ['ipam.rir'],
    (a) => ({ asn: 4_200_000_000 + a.serial, rir: must(a, 'ipam.rir'), ...tenant(a), ...tags(a) }),
    tenant,
  ),
  kind('ipam.vrf', 'vrfs', 2, [], (a) => ({ name: a.name, ...tenant(a) }), tenant),
  kind('ipam.role', 'roles', 1, [], named, tags),
  kind('ipam.vlangroup', 'vlan-groups', 2, [], (a) => ({ ...named(a), ...scope(a), ...tenant(a) }), tenant),
  kind(
    'ipam.vlan',
    'vlans',
    5,
    [],
    (a) => ({
      name: a.name,
      vid: 1 + a.dice.below(4094),
      group: maybe(a, 'ipam.vlangroup', 0.5),
      role: maybe(a, 'ipam.role'),
      ...tenant(a),
      ...tags(a),
      ...buddy(a),
      ...(a.dice.chance(0.2) ? { site: maybe(a, 'dcim.site') } : {}),
    }),
    (a) => ({ ...tenant(a), role: maybe(a, 'ipam.role'), ...tags(a) }),
  ),
  kind(
    'ipam.prefix',
    'prefixes',
    5,
    [],
    (a) => ({
      prefix: `fd00:${(a.serial >> 16).toString(16)}:${(a.serial & 0xffff).toString(16)}::/48`,
      vrf: maybe(a, 'ipam.vrf', 0.4),
      vlan: maybe(a, 'ipam.vlan'),
      role: maybe(a, 'ipam.role'),
      ...scope(a),
      ...tenant(a),
      ...tags(a),
    }),
    (a) => ({ vlan: maybe(a, 'ipam.vlan'), role: maybe(a, 'ipam.role'), ...tenant(a), ...tags(a) }),
  ),
  kind(
    'ipam.ipaddress',
    'ip-addresses',
    7,
    [],
    (a) => ({
      address: `10.${(a.serial >> 16) & 255}.${(a.serial >> 8) & 255}.${a.serial & 255}/32`,
      vrf: maybe(a, 'ipam.vrf', 0.4),
      ...tenant(a),
      ...tags(a),
      ...assigned(a, 0.5),
    }),
    (a) => ({
      ...tenant(a),
      ...tags(a),
      nat_inside: maybe(a, 'ipam.ipaddress', 0.3),
      ...(a.dice.chance(0.3) ? { assigned_object_type: null, assigned_object_id: null, ...assigned(a, 0.5) } : {}),
    }),
  ),
  kind(
    'circuits.provider',
    'providers',
    2,
    [],
    (a) => ({ ...named(a), asns: several(a, 'ipam.asn') }),
    (a) => ({ asns: several(a, 'ipam.asn') }),
  ),
  kind('circuits.circuittype', 'circuit-types', 1, [], named),
  kind(
    'circuits.circuit',
    'circuits',
    4,
    ['circuits.provider', 'circuits.circuittype'],
    (a) => ({
      cid: a.name,
      provider: must(a, 'circuits.provider'),
      type: must(a, 'circuits.circuittype'),
      ...tenant(a),
      ...tags(a),
    }),
    (a) => ({ ...tenant(a), ...tags(a) }),
  ),
  kind(
    'circuits.circuittermination',
    'circuit-terminations',
    3,
    ['circuits.circuit', 'dcim.site'],
    (a) => ({
      circuit: must(a, 'circuits.circuit'),
      term_side: a.dice.choose(['A', 'Z']),
      termination_type: 'dcim.site',
      termination_id: must(a, 'dcim.site'),
      ...either(a, 'termination_type', 'termination_id', ['dcim.region', 'dcim.location'], 0.4),
    }),
    tags,
  ),
  kind('virtualization.clustertype', 'cluster-types', 1, [], named),
  kind(
    'virtualization.cluster',
    'clusters',
    2,
    ['virtualization.clustertype'],
    (a) => ({ name: a.name, type: must(a, 'virtualization.clustertype'), ...scope(a), ...tenant(a) }),
    tenant,
  ),
  kind(
    'virtualization.virtualmachine',
    'virtual-machines',
    4,
    ['virtualization.cluster'],
    (a) => ({
      name: a.name,
      cluster: must(a, 'virtualization.cluster'),
      role: maybe(a, 'dcim.devicerole'),
      ...tenant(a),
      ...tags(a),
      ...reached(a),
    }),
    (a) => ({ role: maybe(a, 'dcim.devicerole'), ...tenant(a), ...tags(a), ...reached(a) }),
  ),
  kind(
    'virtualization.vminterface',
    'interfaces',
    3,
    ['virtualization.virtualmachine'],
    (a) => ({
      virtual_machine: must(a, 'virtualization.virtualmachine'),
      name: a.name,
      mode: 'tagged',
      untagged_vlan: maybe(a, 'ipam.vlan'),
      tagged_vlans: several(a, 'ipam.vlan'),
      vrf: maybe(a, 'ipam.vrf'),
    }),
    (a) => ({ mode: 'tagged', untagged_vlan: maybe(a, 'ipam.vlan'), tagged_vlans: several(a, 'ipam.vlan') }),
  ),
  kind('extras.tag', 'tags', 3, [], named, (a) => ({ color: a.dice.choose(['aa1409', 'f44336', 'e91e63', '00bcd4']) })),
  kind(
    'extras.journalentry',
    'journal-entries',
    3,
    ['dcim.site'],
    (a) => ({
      assigned_object_type: 'dcim.site',
      assigned_object_id: must(a, 'dcim.site'),
      comments: a.name,
      ...either(
        a,
        'assigned_object_type',
        'assigned_object_id',
        ['ipam.prefix', 'tenancy.tenant', 'circuits.circuit', 'virtualization.virtualmachine'],
        0.8,
      ),
    }),
    (a) => ({ comments: a.name }),
  ),
];
