import {
  comments,
  countBelow,
  depth,
  description,
  labels,
  model,
  owner,
  primary,
  ref,
  slug,
  text,
  timestamps,
  uniqueWithin,
} from '@cadastre/model';

/** The software a device or a virtual machine runs: an operating system, a family of them or a release. */
export const platform = model('dcim.platform', {
  path: 'platforms',
  label: 'platform',
  tree: true,
 
  features: primary,
  brief: ['name', 'slug', 'description', 'device_count', 'virtualmachine_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  search: ['name', 'slug', 'description'],
  unique: uniqueWithin('manufacturer', ['name', 'slug']),
  fields: {
    parent: ref('dcim.platform', { optional: true, onDelete: 'cascade', form: 'nested' }),
    name: text({ max: 100, natural: true }),
    slug: slug(),
    manufacturer: ref('dcim.manufacturer', { optional: true }),
    config_template: ref('extras.configtemplate', { optional: true }),
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
