import {
  boolean,
  caseless,
  choice,
  depth,
  generic,
  integer,
  names,
  objectType,
  ref,
  resets,
  type Rule,
  text,
} from '@cadastre/model';
import { partStatus } from '../choices/device.ts';
import { component } from '../groups/component.ts';

const COMPONENTS = [
  'consoleport',
  'consoleserverport',
  'frontport',
  'interface',
  'poweroutlet',
  'powerport',
  'rearport',
].map((kind) => `dcim.${kind}`);

const parentInSameDevice: Rule = async ({ parent, device }, { before, related }) => {
  const above = before && (await related('dcim.inventoryitem', parent));
  return above && above['device'] !== device
    ? { parent: ['Parent inventory item does not belong to the same device.'] }
    : undefined;
};

const moveWithoutChildren: Rule = async ({ device }, { before, found }) => {
  if (!before || before['device'] === device) return undefined;
  const left = (await found('dcim.inventoryitem', 'parent', before['id'])).some((child) => child['device'] !== device);
  return left ? { __all__: ['Cannot move an inventory item with dependent children'] } : undefined;
};

/**
 * An item is part of a component of its own device. An item that moves is detached from its component, and naming a
 * component of another device is refused.
 */
const componentInSameDevice: Rule = async (item, { before, given, importing, related }) => {
  const component =
    typeof item['component_type'] === 'string' ? await related(item['component_type'], item['component_id']) : null;
  if (!component || component['device'] === item['device']) return undefined;
  if (!before || importing || 'component_type' in given || 'component_id' in given)
    return { device: ['Cannot assign inventory item to component on another device'] };
  Object.assign(item, { component_type: null, component_id: null });
  return undefined;
};

/** A part inside a device; parts have parts. */
export const inventoryItem = component('dcim.inventoryitem', {
  path: 'inventory-items',
  pages: {
    columns: ['device', 'component', 'role', 'manufacturer', 'part_id', 'serial', 'asset_tag', 'discovered'],
    groups: {
      Hardware: ['manufacturer', 'part_id', 'serial', 'asset_tag', 'discovered'],
      Component: ['component_type', 'component_id', 'component'],
    },
  },
  imports: { columns: { component_name: names('component', { among: { device_id: 'device' } }) } },
  label: 'inventory item',
  tree: true,
  moves: true,
  ordering: ['device_id', 'parent_id nulls first', 'name'],
  brief: ['device', 'name', 'description', '_depth'],
  search: ['name', 'part_id', 'serial', 'asset_tag', 'description'],
  fields: {
    parent: ref('dcim.inventoryitem', { optional: true, onDelete: 'cascade', form: 'id', backwards: 'child_items' }),
    status: choice(partStatus, { default: 'active' }),
    role: ref('dcim.inventoryitemrole', { optional: true }),
    manufacturer: resets(ref('dcim.manufacturer', { optional: true })),
    part_id: text({ max: 50, optional: true }),
    serial: text({ max: 50, optional: true }),
    asset_tag: text({ max: 50, optional: true, nullable: true, unique: true }),
    discovered: boolean(),
    component_type: objectType({ optional: true }),
    component_id: integer({ size: 'bigint', min: 0, max: 2 ** 63, optional: true }),
    component: generic('component_type', 'component_id', { to: COMPONENTS, onDelete: 'cascade' }),
    _depth: depth(),
  },
  unique: [{ fields: ['device', 'parent', 'name'], where: 'parent_id is not null' }],
  filters: { serial: caseless('serial') },
  rules: [parentInSameDevice, moveWithoutChildren, componentInSameDevice],
});
