import {
  boolean, color, comments, countBelow, depth, description, labels, model, owner, primary, ref, resets, slug, text, timestamps, uniqueWithin,
} from '@cadastre/model';

/** What devices and virtual machines are for; roles lie in roles. */
export const deviceRole = model('dcim.devicerole', {
  path: 'device-roles', label: 'device role', tree: true, features: primary,
  brief: ['name', 'slug', 'description', 'device_count', 'virtualmachine_count', '_depth'], nested: ['name'], search: ['name', 'slug', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    color: color({ default: '9e9e9e' }),
    vm_role: boolean({ default: true }),
    config_template: resets(ref('extras.configtemplate', { optional: true })),
    parent: ref('dcim.devicerole', { optional: true, onDelete: 'cascade', form: 'nested' }),
    ...description(),
    ...labels(),
    ...timestamps(),
    device_count: countBelow('dcim.device', 'role'),
    virtualmachine_count: countBelow('virtualization.virtualmachine', 'role'),
    ...owner(),
    ...comments(),
    _depth: depth(),
  },
  unique: uniqueWithin('parent', ['name', 'slug'], { outside: (field) => `A top-level device role with this ${field} already exists.` }),
});
