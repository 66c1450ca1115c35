import { color, count, model, primary, primaryFields, slug, text } from '@cadastre/model';

/** What racks are for. */
export const rackRole = model('dcim.rackrole', {
  path: 'rack-roles',
  label: 'rack role',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'rack_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    color: color({ default: '9e9e9e' }),
    ...primaryFields(),
    rack_count: count('dcim.rack', 'role'),
  },
});
