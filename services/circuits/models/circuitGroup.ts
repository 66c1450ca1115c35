import {
  comments,
  count,
  description,
  labels,
  model,
  owner,
  primary,
  ref,
  slug,
  tenantGroupFilters,
  text,
  timestamps,
} from '@cadastre/model';

/** Circuits that belong together: the two ways to one place. */
export const circuitGroup = model('circuits.circuitgroup', {
  path: 'circuit-groups',
  label: 'circuit group',
  ordering: ['name'],
  features: primary,
  brief: ['name'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...description(),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    circuit_count: count('circuits.circuitgroupassignment', 'group'),
  },
  filters: tenantGroupFilters(),
});
