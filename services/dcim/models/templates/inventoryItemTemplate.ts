import { depth, generic, integer, objectType, ref, resets, type Rule, text } from '@cadastre/model';
import { deviceTemplate } from '../groups/componentTemplate.ts';

const COMPONENTS = [
  'consoleport',
  'consoleserverport',
  'frontport',
  'interface',
  'poweroutlet',
  'powerport',
  'rearport',
].map((kind) => `dcim.${kind}template`);

const parentOfSameType: Rule = async ({ parent, device_type: type }, context) => {
  const above = await context.related('dcim.inventoryitemtemplate', parent);
  return above && above['device_type'] !== type
    ? { parent: ['Parent inventory item template must belong to the same device type.'] }
    : undefined;
};

/** A part that devices of a type have inside; parts have parts. */
export const inventoryItemTemplate = deviceTemplate('dcim.inventoryitemtemplate', {
  path: 'inventory-item-templates',
  pages: {
    columns: ['parent', 'role', 'manufacturer', 'part_id', 'description'],
    groups: { Hardware: ['manufacturer', 'part_id'], Component: ['component_type', 'component_id', 'component'] },
  },
  label: 'inventory item template',
  tree: true,
  ordering: ['_path'],
  brief: ['name', 'description', '_depth'],
  nested: ['name', '_depth'],
  search: ['name', 'label', 'part_id', 'description'],
  fields: {
    role: ref('dcim.inventoryitemrole', { optional: true }),
    manufacturer: resets(ref('dcim.manufacturer', { optional: true })),
    part_id: text({ max: 50, optional: true }),
    description: text({ max: 200, optional: true }),
    component_type: objectType({ optional: true }),
    component_id: integer({ size: 'bigint', min: 0, optional: true }),
    component: generic('component_type', 'component_id', { to: COMPONENTS, onDelete: 'setNull' }),
    parent: ref('dcim.inventoryitemtemplate', { optional: true, onDelete: 'cascade', form: 'id' }),
    _depth: depth(),
  },
  unique: [{ fields: ['device_type', 'parent', 'name'], where: 'parent_id is not null' }],
  rules: [parentOfSameType],
});
