import { color, count, model, primary, primaryFields, slug, text } from '@cadastre/model';

/** What parts of devices are for. */
export const inventoryItemRole = model('dcim.inventoryitemrole', {
  path: 'inventory-item-roles',
  label: 'inventory item role',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'inventoryitem_count'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    color: color({ default: '9e9e9e' }),
    ...primaryFields(),
    inventoryitem_count: count('dcim.inventoryitem', 'role'),
  },
});
