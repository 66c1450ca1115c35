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

/** Sites that belong together for another reason than where they are; groups lie in groups. */
export const siteGroup = model('dcim.sitegroup', {
  path: 'site-groups',
  pages: { columns: ['parent', 'site_count', 'description'] },
  label: 'site group',
  tree: true,
  features: withContacts,
  brief: ['name', 'slug', 'description', 'site_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  search: ['name', 'slug', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    parent: ref('dcim.sitegroup', { optional: true, onDelete: 'cascade', form: 'nested' }),
    ...description(),
    ...labels(),
    ...timestamps(),
    site_count: countBelow('dcim.site', 'group'),
    prefix_count: count('ipam.prefix', '_site_group'),
    ...owner(),
    ...comments(),
    _depth: depth(),
  },
  unique: uniqueWithin('parent', ['name', 'slug'], {
    outside: (field) => `A top-level site group with this ${field} already exists.`,
  }),
});
