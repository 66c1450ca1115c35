import {
  choice,
  comments,
  computed,
  count,
  description,
  helped,
  integer,
  labels,
  model,
  owner,
  path,
  primary,
  ref,
  tenantGroupFilters,
  text,
  through,
  timestamps,
  tree,
} from '@cadastre/model';
import { vlanQinQRole, usageStatus } from '../choices.ts';
import { availabilityFilters, availabilityReads, interfaceFilters, interfaceReads } from './vlanAvailability.ts';
import { customerInService, siteOfGroup, vidOfGroup } from './vlanRules.ts';

/** The references within which a VLAN's number and name are unique: its group, and the service VLAN that carries it. */
const unique = [
  ['group', 'Group'],
  ['qinq_svlan', 'Qinq svlan'],
].flatMap(([within, named]) =>
  [
    ['vid', 'VLAN ID'],
    ['name', 'Name'],
  ].map(([field, label]) => ({
    fields: [within!, field!],
    where: `${within}_id is not null`,
    message: `VLAN with this ${named} and ${label} already exists.`,
  })),
);

/** A virtual LAN, identified by its number. */
export const vlan = model('ipam.vlan', {
  path: 'vlans',
  pages: {
    columns: ['vid', 'site', 'group', 'status', 'role', 'tenant', 'prefix_count', 'description'],
    groups: { Scope: ['site', 'group'], 'Q-in-Q': ['qinq_role', 'qinq_svlan'] },
  },
  imports: { called: 'vid' },
  label: 'VLAN',
  prominent: { key: 'v' },
  ordering: ['site', 'group', 'vid'],
  features: primary,
  brief: ['vid', 'name', 'description'],
  display: { columns: ['name', 'vid'], text: ([name, vid]) => `${name} (${vid})` },
  search: ['name', 'description', '=vid'],
  fields: {
    site: helped('The specific site to which this VLAN is assigned (if any)', ref('dcim.site', { optional: true })),
    group: helped('VLAN group (optional)', ref('ipam.vlangroup', { optional: true })),
    vid: helped('Numeric VLAN ID (1-4094)', integer({ min: 1, max: 4094, size: 'smallint' })),
    name: text({ max: 64 }),
    tenant: ref('tenancy.tenant', { optional: true }),
    status: helped('Operational status of this VLAN', choice(usageStatus, { default: 'active' })),
    role: helped('The primary function of this VLAN', ref('ipam.role', { optional: true, onDelete: 'setNull' })),
    ...description(),
    qinq_role: helped(
      'Customer/service VLAN designation (for Q-in-Q/IEEE 802.1ad)',
      choice(vlanQinQRole, { optional: true, nullable: true }),
    ),
    qinq_svlan: ref('ipam.vlan', { optional: true }),
    ...owner(),
    ...comments(),
    // There are no layer 2 VPNs in this product, so a VLAN is part of none.
    l2vpn_termination: computed([], () => 'null', { schema: { type: 'null' } }),
    ...labels(),
    ...timestamps(),
    prefix_count: count('ipam.prefix', 'vlan'),
  },
  unique,
  filters: {
    ...tenantGroupFilters(),
    ...availabilityFilters(),
    ...interfaceFilters(),
    region_id: tree('site.region'),
    region: tree('site.region', 'slug'),
    site_group_id: tree('site.group'),
    site_group: tree('site.group', 'slug'),
    qinq_svlan_vid: through('qinq_svlan', 'vid', 'number'),
    l2vpn_id: path('<vpn.l2vpntermination.assigned_object/l2vpn'),
    l2vpn: path('<vpn.l2vpntermination.assigned_object/l2vpn', 'identifier'),
  },
  rules: [siteOfGroup, vidOfGroup, customerInService],
  reads: { ...availabilityReads, ...interfaceReads },
});
