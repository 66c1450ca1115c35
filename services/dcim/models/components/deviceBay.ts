import { boolean, computed, ref, type Rule } from '@cadastre/model';
import { component } from '../groups/component.ts';

const inParent: Rule = async ({ device }, { related, displayOf }) => {
  const type = (await related('dcim.device', device))?.['device_type'];
  const role = (await related('dcim.devicetype', type))?.['subdevice_role'];
  return role === 'parent'
    ? undefined
    : {
        __all__: [
          `This type of device (${await displayOf('dcim.devicetype', Number(type))}) does not support device bays.`,
        ],
      };
};

const notIntoItself: Rule = ({ device, installed_device }) =>
  installed_device === device ? { __all__: ['Cannot install a device into itself.'] } : undefined;

const installedOnce: Rule = async ({ id, installed_device }, { found, displayOf }) => {
  const [elsewhere] = (await found('dcim.devicebay', 'installed_device', installed_device)).filter(
    (bay) => bay['id'] !== id,
  );
  if (!elsewhere) return undefined;
  return {
    installed_device: [
      `Cannot install the specified device; device is already installed in ${await displayOf('dcim.devicebay', Number(elsewhere['id']))}.`,
    ],
  };
};

const disabledStaysEmpty: Rule = ({ enabled, installed_device }, { before }) =>
  enabled === false &&
  installed_device !== null &&
  installed_device !== undefined &&
  before?.['installed_device'] !== installed_device
    ? { installed_device: ['Cannot install a device in a disabled device bay.'] }
    : undefined;

/** Where a device takes another one in. */
export const deviceBay = component('dcim.devicebay', {
  path: 'device-bays',
  pages: { columns: ['device', 'label', 'installed_device', 'enabled', 'description'] },
  imports: { among: { installed_device: { site_id: 'device.site' } } },
  label: 'device bay',
  brief: ['device', 'name', 'enabled', 'description', '_occupied'],
  nested: ['device', 'name'],
  fields: {
    enabled: boolean({ default: true }),
    installed_device: ref('dcim.device', { optional: true, onDelete: 'setNull' }),
    _occupied: computed(
      ['installed_device_id', 'enabled'],
      ([device, enabled]) => String(device !== null || enabled === 'f' || enabled === 'false'),
      { type: 'boolean', schema: { type: 'boolean' } },
    ),
  },
  unique: [
    { fields: ['device', 'name'] },
    {
      fields: ['installed_device'],
      key: 'installed_device',
      where: 'installed_device_id is not null',
      message: 'Device bay with this Installed device already exists.',
    },
  ],
  rules: [inParent, notIntoItself, installedOnce, disabledStaysEmpty],
});
