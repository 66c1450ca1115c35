// What the components of a device have in common: ports, interfaces, bays, inventory items.
import { description, type Field, type Filter, labels, only, owner, path, ref, text, through, timestamps, type Unique } from '@cadastre/model';
import { siteFilters } from './filters.ts';

type Fields = Record<string, Field>;

/** The device that a component belongs to. Where it is shown in nested form, so is the device. */
export const ofDevice = (): Fields => ({
  device: { ...ref('dcim.device', { onDelete: 'cascade' }), inNested: ref('dcim.device', { onDelete: 'cascade', form: 'nested' }) },
});

/** The module that brought a component along. */
export const ofModule = (): Fields => ({ module: ref('dcim.module', { optional: true, onDelete: 'cascade', form: only('device', 'module_bay') }) });

export const name = (): Fields => ({ name: text({ max: 64, natural: true }) });

export const label = (): Fields => ({ label: text({ max: 64, optional: true }) });

/** The last fields of every component. */
export const record = (): Fields => ({ ...description(), ...owner(), ...labels(), ...timestamps() });

/** No two components of a kind have the same name in one device. */
export const uniqueInDevice: Unique[] = [{ fields: ['device', 'name'] }];

/** Where `q` looks. */
export const search = ['name', 'label', 'description'];

/** By the device and all that it belongs to. */
export const componentFilters = (): Record<string, Filter> => ({
  ...siteFilters('device.site'),
  location_id: path('device.location'), location: path('device.location', 'slug'),
  rack_id: path('device.rack'), rack: path('device.rack', 'name'),
  device_type_id: path('device.device_type'), device_type: path('device.device_type', 'model'),
  device_role_id: path('device.role'), device_role: path('device.role', 'slug'),
  device_status: through('device', 'status', 'choice'),
  virtual_chassis_id: path('device.virtual_chassis'), virtual_chassis: path('device.virtual_chassis', 'name'),
  tenant_id: path('device.tenant'), tenant: path('device.tenant', 'slug'),
});
