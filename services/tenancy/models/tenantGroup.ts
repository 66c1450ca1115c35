import {
  comments,
  countBelow,
  depth,
  description,
  labels,
  model,
  owner,
  primary,
  ref,
  slug,
  text,
  timestamps,
} from '@cadastre/model';

/** Tenants that belong together; groups lie in groups. */
export const tenantGroup = model('tenancy.tenantgroup', {
  path: 'tenant-groups',
  label: 'tenant group',
  tree: true,
  features: primary,
  brief: ['name', 'slug', 'description', 'tenant_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  search: ['name', 'slug', 'description', 'comments'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    parent: ref('tenancy.tenantgroup', { optional: true, onDelete: 'cascade', form: 'nested' }),
    ...description(),
    ...labels(),
    ...timestamps(),
    tenant_count: countBelow('tenancy.tenant', 'group'),
    ...owner(),
    ...comments(),
    _depth: depth(),
  },
});
