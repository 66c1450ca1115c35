import { comments, count, description, labels, model, owner, primary, text, timestamps } from '@cadastre/model';

/** Cables that are laid together. */
export const cableBundle = model('dcim.cablebundle', {
  path: 'cable-bundles', label: 'cable bundle', ordering: ['name'], features: primary, brief: ['name', 'description'], search: ['name', 'description', 'comments'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    cable_count: count('dcim.cable', 'bundle'),
  },
});
