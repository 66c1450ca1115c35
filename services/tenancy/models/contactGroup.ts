import {
  comments,
  countBelow,
  depth,
  description,
  labels,
  model,
  owner,
  path,
  primary,
  ref,
  slug,
  text,
  timestamps,
} from '@cadastre/model';

/** Contacts that belong together: a team, a company; groups lie in groups. */
export const contactGroup = model('tenancy.contactgroup', {
  path: 'contact-groups',
  label: 'contact group',
  tree: true,
  features: primary,
  brief: ['name', 'slug', 'description', 'contact_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  search: ['name', 'slug', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    parent: ref('tenancy.contactgroup', { optional: true, onDelete: 'cascade', form: 'nested' }),
    ...description(),
    ...labels(),
    ...timestamps(),
    contact_count: countBelow('tenancy.contact', 'groups'),
    ...owner(),
    ...comments(),
    _depth: depth(),
  },
  filters: { contact_id: path('<tenancy.contact.groups') },
  // As in the reference: groups at the top may share a name, and slugs are free.
  unique: [{ fields: ['parent', 'name'], where: 'parent_id is not null' }],
});
