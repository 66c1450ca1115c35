import { count, model, primaryFields, slug, text, withContacts } from '@cadastre/model';

/** Who makes equipment. */
export const manufacturer = model('dcim.manufacturer', {
  path: 'manufacturers',
  label: 'manufacturer',
  ordering: ['name'],
  features: withContacts,
  brief: ['name', 'slug', 'description'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    ...primaryFields(),
    devicetype_count: count('dcim.devicetype', 'manufacturer'),
    moduletype_count: count('dcim.moduletype', 'manufacturer'),
    inventoryitem_count: count('dcim.inventoryitem', 'manufacturer'),
    platform_count: count('dcim.platform', 'manufacturer'),
  },
});
