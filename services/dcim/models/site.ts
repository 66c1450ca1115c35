import {
  choice, comments, count, decimal, description, helped, labels, model, owner, ref, refs, slug, tenantGroupFilters, text, timestamps, timeZone, withContacts,
} from '@cadastre/model';
import { siteStatus } from './siteStatus.ts';

const GPS = 'GPS coordinate in decimal format (xx.yyyyyy)';

/** A place where equipment stands. */
export const site = model('dcim.site', {
  path: 'sites', label: 'site', ordering: ['name'], features: [...withContacts, 'imageAttachments'], brief: ['name', 'slug', 'description'],
  search: ['name', 'facility', 'description', 'physical_address', 'shipping_address', 'comments', '=asns.asn'],
  fields: {
    name: helped('Full name of the site', text({ max: 100, unique: true, natural: true })),
    slug: slug({ unique: true }),
    status: choice(siteStatus, { default: 'active' }),
    region: ref('dcim.region', { optional: true, onDelete: 'setNull' }),
    group: ref('dcim.sitegroup', { optional: true, onDelete: 'setNull' }),
    tenant: ref('tenancy.tenant', { optional: true }),
    facility: helped('Local facility ID or description', text({ max: 50, optional: true })),
    time_zone: timeZone(),
    ...description(),
    physical_address: helped('Physical location of the building', text({ max: 200, optional: true, filter: false })),
    shipping_address: helped('If different from the physical address', text({ max: 200, optional: true, filter: false })),
    latitude: helped(GPS, decimal({ digits: 8, places: 6, min: -90, max: 90, optional: true })),
    longitude: helped(GPS, decimal({ digits: 9, places: 6, min: -180, max: 180, optional: true })),
    ...owner(),
    ...comments(),
    asns: refs('ipam.asn'),
    ...labels(),
    ...timestamps(),
    circuit_count: count('circuits.circuittermination', '_site'),
    device_count: count('dcim.device', 'site'),
    prefix_count: count('ipam.prefix', '_site'),
    rack_count: count('dcim.rack', 'site'),
    virtualmachine_count: count('virtualization.virtualmachine', 'site'),
    vlan_count: count('ipam.vlan', 'site'),
  },
  filters: tenantGroupFilters(),
});
