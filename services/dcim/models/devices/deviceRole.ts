import { boolean, color, countBelow, nestedGroup, ref, resets } from '@cadastre/model';

/** What devices and virtual machines are for; roles lie in roles. */
export const deviceRole = nestedGroup('dcim.devicerole', {
  path: 'device-roles',
  label: 'device role',
  brief: ['device_count', 'virtualmachine_count'],
  nested: ['name'],
  fields: {
    color: color({ default: '9e9e9e' }),
    vm_role: boolean({ default: true }),
    config_template: resets(ref('extras.configtemplate', { optional: true })),
  },
  counts: {
    device_count: countBelow('dcim.device', 'role'),
    virtualmachine_count: countBelow('virtualization.virtualmachine', 'role'),
  },
});
