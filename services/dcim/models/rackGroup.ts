import { comments, count, description, labels, model, owner, primary, slug, text, timestamps } from '@cadastre/model';

/** Racks that belong together, as a row does. */
export const rackGroup = model('dcim.rackgroup', {
  path: 'rack-groups', label: 'rack group', ordering: ['name'], features: primary, brief: ['name', 'slug', 'description', 'rack_count'], search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    rack_count: count('dcim.rack', 'group'),
  },
});
