import {
  computed,
  integer,
  model,
  primary,
  primaryFields,
  ref,
  type Rule,
  slug,
  tenantGroupFilters,
  text,
} from '@cadastre/model';

const number = () => integer({ min: 1, max: 4_294_967_295, size: 'bigint' });

export const startsBelowEnd: Rule = ({ start, end }) =>
  Number(end) <= Number(start)
    ? { __all__: [`Starting ASN (${start}) must be lower than ending ASN (${end}).`] }
    : undefined;

/** AS numbers that may be given out. */
export const asnRange = model('ipam.asnrange', {
  path: 'asn-ranges',
  pages: { columns: ['rir', 'start', 'end', 'tenant', 'description'] },
  label: 'ASN range',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'description'],
  display: { columns: ['name', 'start', 'end'], text: ([name, start, end]) => `${name} (${start}-${end})` },
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    rir: ref('ipam.rir'),
    start: number(),
    end: number(),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...primaryFields(),
    // As in the reference: OPTIONS names it, and no answer has a value for it.
    asn_count: { ...computed([], () => '0', { type: 'integer', schema: { type: 'integer' } }), writeOnly: true },
  },
  filters: tenantGroupFilters(),
  rules: [startsBelowEnd],
});
