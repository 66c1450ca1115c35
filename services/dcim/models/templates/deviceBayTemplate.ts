import { boolean, type Rule } from '@cadastre/model';
import { deviceTemplate } from '../groups/componentTemplate.ts';

/** Bays for devices are in devices that are parents. */
const inParent: Rule = async ({ device_type: type }, context) => {
  const parent = await context.related('dcim.devicetype', type);
  if (!parent || parent['subdevice_role'] === 'parent') return undefined;
  return {
    __all__: [
      `Subdevice role of device type (${await context.displayOf('dcim.devicetype', Number(type))}) must be set to "parent" to allow device bays.`,
    ],
  };
};

export const deviceBayTemplate = deviceTemplate('dcim.devicebaytemplate', {
  path: 'device-bay-templates',
  label: 'device bay template',
  brief: ['name', 'enabled', 'description'],
  fields: { enabled: boolean({ default: true }) },
  rules: [inParent],
});
