import {
  boolean, choice, column, family, familyFilter, helped, integer, maskFilters, model, network, networkFilters, path, primaryFields, ref, scopeComplete,
  scoped, scopeFilters, searchNetworks, tenantGroupFilters, through, withContacts,
} from '@cadastre/model';
import { prefixStatus } from './choices.ts';
import { keepHierarchy } from './prefixHierarchy.ts';
import { presentInVrf } from './presentInVrf.ts';
import { uniquePrefixes } from './uniqueSpace.ts';

const byNetwork = networkFilters('prefix');

/** A network that is in use, or that holds others. */
export const prefix = model('ipam.prefix', {
  path: 'prefixes', label: 'prefix', plural: 'prefixes', ordering: ['vrf_id nulls first', 'prefix'], features: withContacts,
  brief: ['family', 'prefix', 'description', '_depth'], display: { columns: ['prefix'], text: ([net]) => net ?? '' },
  search: ['prefix', 'description'], searchBy: searchNetworks('prefix'),
  fields: {
    family: family('prefix'),
    prefix: helped('IPv4 or IPv6 network with mask', network()),
    vrf: ref('ipam.vrf', { optional: true }),
    ...scoped(),
    tenant: ref('tenancy.tenant', { optional: true }),
    vlan: ref('ipam.vlan', { optional: true }),
    status: helped('Operational status of this prefix', choice(prefixStatus, { default: 'active' })),
    role: helped('The primary function of this prefix', ref('ipam.role', { optional: true, onDelete: 'setNull' })),
    is_pool: helped('All IP addresses within this prefix are considered usable', boolean()),
    mark_utilized: helped('Treat as fully utilized', boolean()),
    ...primaryFields(),
    children: integer({ readOnly: true, size: 'bigint', default: 0 }),
    _depth: integer({ readOnly: true, size: 'smallint', default: 0, filter: false }),
  },
  filters: {
    ...tenantGroupFilters(), ...scopeFilters(), ...presentInVrf(), ...maskFilters('prefix'),
    family: familyFilter('prefix'), prefix: byNetwork.equal, within: byNetwork.within, within_include: byNetwork.withinInclude, contains: byNetwork.contains,
    depth: column('_depth', 'number'),
    vlan_group_id: path('vlan.group'), vlan_group: path('vlan.group', 'slug'), vlan_vid: through('vlan', 'vid', 'number'),
  },
  rules: [scopeComplete],
  checks: [uniquePrefixes],
  effects: [keepHierarchy],
});
