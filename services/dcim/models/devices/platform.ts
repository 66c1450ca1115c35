import {
  comments,
  countBelow,
  depth,
  description,
  keeps,
  labels,
  model,
  objects,
  owner,
  primary,
  ref,
  resets,
  slug,
  text,
  timestamps,
  uniqueWithin,
} from '@cadastre/model';

/** Platforms of the manufacturer of a device type, and those of no manufacturer. */
const availableFor = objects(
  'dcim.devicetype',
  {},
  ({ table, tableOf }, ids) =>
    `(${table}.manufacturer_id is null or ${table}.manufacturer_id in (select d.manufacturer_id from ${tableOf('dcim.devicetype')} d where d.id = any(${ids})))`,
);

/** The software a device or a virtual machine runs: an operating system, a family of them or a release. */
export const platform = model('dcim.platform', {
  path: 'platforms',
  pages: { columns: ['parent', 'manufacturer', 'device_count', 'virtualmachine_count', 'description'] },
  label: 'platform',
  tree: true,
  features: primary,
  brief: ['name', 'slug', 'description', 'device_count', 'virtualmachine_count', '_depth'],
  nested: ['name'],
  search: ['name', 'slug', 'description', 'comments'],
  unique: uniqueWithin('manufacturer', ['name', 'slug'], { outside: (field) => `Platform ${field} must be unique.` }),
  filters: { available_for_device_type: availableFor },
  fields: {
    parent: resets(ref('dcim.platform', { optional: true, onDelete: 'cascade', form: 'nested' })),
    name: text({ max: 100, natural: true }),
    slug: slug(),
    manufacturer: keeps(ref('dcim.manufacturer', { optional: true })),
    config_template: resets(ref('extras.configtemplate', { optional: true })),
    ...description(),
    device_count: countBelow('dcim.device', 'platform'),
    virtualmachine_count: countBelow('virtualization.virtualmachine', 'platform'),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    _depth: depth(),
  },
});
