import {
  count,
  integer,
  model,
  noContactFilters,
  path,
  primaryFields,
  ref,
  referrers,
  type Rule,
  tenantGroupFilters,
  tree,
  withContacts,
} from '@cadastre/model';

// A client may leave the registry out, but nothing is stored without one.
const hasRegistry: Rule = ({ rir }) =>
  rir === null || rir === undefined ? { rir: ['This field cannot be null.'] } : undefined;

/** Numbers of more than 16 bits are also known as two of 16: `4200000000 (64086.59904)`. */
const withDot = (number: number): string =>
  number < 65_536 ? String(number) : `${number} (${Math.floor(number / 65_536)}.${number % 65_536})`;

/** Number of an autonomous system. */
export const asn = model('ipam.asn', {
  path: 'asns',
  pages: { columns: ['rir', 'role', 'site_count', 'provider_count', 'tenant', 'description'] },
  imports: { called: 'asn', later: ['sites'] },
  label: 'ASN',
  prominent: {},
  ordering: ['asn'],
  features: withContacts,
  brief: ['asn', 'description'],
  key: 'asn',
  display: { columns: ['asn'], text: ([number]) => `AS${withDot(Number(number))}` },
  search: ['=asn', 'description'],
  fields: {
    asn: integer({ min: 1, max: 4_294_967_295, size: 'bigint', unique: true }),
    rir: ref('ipam.rir', { optional: true }),
    role: ref('ipam.role', { optional: true, onDelete: 'setNull' }),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...primaryFields(),
    site_count: count('dcim.site', 'asns'),
    provider_count: count('circuits.provider', 'asns'),
    sites: referrers('dcim.site', 'asns', { writable: true }),
  },
  filters: {
    ...tenantGroupFilters(),
    ...noContactFilters,
    site_group_id: tree('<dcim.site.asns/group'),
    site_group: tree('<dcim.site.asns/group', 'slug'),
    site_id: path('<dcim.site.asns'),
    site: path('<dcim.site.asns', 'slug'),
    provider_id: path('<circuits.provider.asns'),
    provider: path('<circuits.provider.asns', 'slug'),
  },
  rules: [hasRegistry],
});
