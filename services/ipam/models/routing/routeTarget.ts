import { helped, model, path, primary, primaryFields, ref, tenantGroupFilters, text } from '@cadastre/model';

/** A community by which routes are exported from and imported into routing tables. */
export const routeTarget = model('ipam.routetarget', {
  path: 'route-targets',
  label: 'route target',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    name: helped(
      'Route target value (formatted in accordance with RFC 4360)',
      text({ max: 21, unique: true, natural: true }),
    ),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...primaryFields(),
  },
  filters: {
    ...tenantGroupFilters(),
    importing_vrf_id: path('<ipam.vrf.import_targets'),
    importing_vrf: path('<ipam.vrf.import_targets', 'rd'),
    exporting_vrf_id: path('<ipam.vrf.export_targets'),
    exporting_vrf: path('<ipam.vrf.export_targets', 'rd'),
    importing_l2vpn_id: path('<vpn.l2vpn.import_targets'),
    importing_l2vpn: path('<vpn.l2vpn.import_targets', 'identifier'),
    exporting_l2vpn_id: path('<vpn.l2vpn.export_targets'),
    exporting_l2vpn: path('<vpn.l2vpn.export_targets', 'identifier'),
  },
});
