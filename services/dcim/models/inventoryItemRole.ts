import { color, comments, count, description, labels, model, owner, primary, slug, text, timestamps } from '@cadastre/model';

/** What parts of devices are for. */
export const inventoryItemRole = model('dcim.inventoryitemrole', {
  path: 'inventory-item-roles', label: 'inventory item role', ordering: ['name'], features: primary,
  brief: ['name', 'slug', 'description', 'inventoryitem_count'], search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    color: color({ default: '9e9e9e' }),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    inventoryitem_count: count('dcim.inventoryitem', 'role'),
  },
});
