import { count, integer, model, primary, primaryFields, slug, text } from '@cadastre/model';

/** What prefixes, VLANs and AS numbers are for. */
export const role = model('ipam.role', {
  path: 'roles',
  label: 'role',
  ordering: ['weight', 'name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'prefix_count', 'vlan_count', 'asn_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 1000 }),
    ...primaryFields(),
    prefix_count: count('ipam.prefix', 'role'),
    vlan_count: count('ipam.vlan', 'role'),
    asn_count: count('ipam.asn', 'role'),
  },
});
