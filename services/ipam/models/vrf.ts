import { annotated, boolean, comments, count, description, helped, labels, model, owner, primary, ref, refs, tenantGroupFilters, text, timestamps } from '@cadastre/model';

/** A routing table of its own, in which addresses may overlap those of others. */
export const vrf = model('ipam.vrf', {
  path: 'vrfs', label: 'VRF', ordering: ['name', 'rd'], features: primary, key: 'rd',
  brief: ['name', 'rd', 'description', 'prefix_count'], search: ['name', 'rd', 'description'],
  display: annotated('name', 'rd'),
  fields: {
    name: text({ max: 100, natural: true }),
    rd: helped('Unique route distinguisher (as defined in RFC 4364)', text({ max: 21, optional: true, nullable: true, unique: true })),
    tenant: ref('tenancy.tenant', { optional: true }),
    enforce_unique: helped('Prevent duplicate prefixes/IP addresses within this VRF', boolean({ default: true })),
    ...description(),
    ...owner(),
    ...comments(),
    import_targets: refs('ipam.routetarget', { backwards: 'importing_vrfs' }),
    export_targets: refs('ipam.routetarget', { backwards: 'exporting_vrfs' }),
    ...labels(),
    ...timestamps(),
    ipaddress_count: count('ipam.ipaddress', 'vrf'),
    prefix_count: count('ipam.prefix', 'vrf'),
  },
  filters: tenantGroupFilters(),
});
