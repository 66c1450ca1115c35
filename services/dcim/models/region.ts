import {
  comments,
  count,
  countBelow,
  depth,
  description,
  labels,
  model,
  owner,
  ref,
  slug,
  text,
  timestamps,
  uniqueWithin,
  withContacts,
} from '@cadastre/model';

/** A part of the world; regions lie in regions. */
export const region = model('dcim.region', {
  path: 'regions',
  pages: { columns: ['parent', 'site_count', 'description'] },
  label: 'region',
  tree: true,
  features: withContacts,
  brief: ['name', 'slug', 'description', 'site_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  search: ['name', 'slug', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    parent: ref('dcim.region', { optional: true, onDelete: 'cascade', form: 'nested' }),
    ...description(),
    ...labels(),
    ...timestamps(),
    site_count: countBelow('dcim.site', 'region'),
    prefix_count: count('ipam.prefix', '_region'),
    ...owner(),
    ...comments(),
    _depth: depth(),
  },
  unique: uniqueWithin('parent', ['name', 'slug'], {
    outside: (field) => `A top-level region with this ${field} already exists.`,
  }),
});
