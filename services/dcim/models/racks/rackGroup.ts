import { count, model, primary, primaryFields, slug, text } from '@cadastre/model';

/** Racks that belong together, as a row does. */
export const rackGroup = model('dcim.rackgroup', {
  path: 'rack-groups',
  label: 'rack group',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'rack_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...primaryFields(),
    rack_count: count('dcim.rack', 'group'),
  },
});
