import { count, model, primaryFields, ref, slug, text, uniqueWithin, withContacts } from '@cadastre/model';

const perGroup = (field: string): string => `Tenant ${field} must be unique per group.`;

/** The customer or department that objects belong to, or serve. */
export const tenant = model('tenancy.tenant', {
  path: 'tenants',
  label: 'tenant',
  prominent: { key: 't' },
  ordering: ['name'],
  features: withContacts,
  brief: ['name', 'slug', 'description'],
  search: ['name', 'slug', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    group: ref('tenancy.tenantgroup', { optional: true, onDelete: 'setNull' }),
    ...primaryFields(),
    circuit_count: count('circuits.circuit', 'tenant'),
    device_count: count('dcim.device', 'tenant'),
    ipaddress_count: count('ipam.ipaddress', 'tenant'),
    prefix_count: count('ipam.prefix', 'tenant'),
    rack_count: count('dcim.rack', 'tenant'),
    site_count: count('dcim.site', 'tenant'),
    virtualmachine_count: count('virtualization.virtualmachine', 'tenant'),
    vlan_count: count('ipam.vlan', 'tenant'),
    vrf_count: count('ipam.vrf', 'tenant'),
    cluster_count: count('virtualization.cluster', 'tenant'),
  },
  unique: uniqueWithin('group', ['name', 'slug'], { inside: perGroup, outside: perGroup }),
});
