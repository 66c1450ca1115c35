import { count, model, primary, primaryFields, text } from '@cadastre/model';

/** Cables that are laid together. */
export const cableBundle = model('dcim.cablebundle', {
  path: 'cable-bundles',
  label: 'cable bundle',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'description', 'comments'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...primaryFields(),
    cable_count: count('dcim.cable', 'bundle'),
  },
});
