// What the components of a device have in common: ports, interfaces, bays, inventory items.
import {
  annotated,
  type Definition,
  description,
  type Field,
  type Filter,
  inOrder,
  labels,
  type Model,
  model,
  only,
  owner,
  path,
  primary,
  ref,
  type Rule,
  text,
  through,
  timestamps,
} from '@cadastre/model';
import {
  type Beside,
  cabled,
  cabledFilters,
  endpoint,
  endpointFilters,
  notMarkedWhenCabled,
} from '../cables/cabled.ts';
import { PATH_ENDPOINTS } from '../cabling/plant.ts';
import { siteFilters } from './filters.ts';

type Fields = Record<string, Field>;

/** A component stays in its device. */
export const staysInDevice: Rule = ({ device }, { before }) =>
  before && before['device'] !== device ? { device: ['Components cannot be moved to a different device.'] } : undefined;

/** The device that a component belongs to. */
const ofDevice = (): Fields => ({ device: ref('dcim.device', { onDelete: 'cascade' }) });

/** The module that the component came with. */
const ofModule = (): Fields => ({
  module: ref('dcim.module', { optional: true, onDelete: 'cascade', form: only('device', 'module_bay') }),
});

const name = (): Fields => ({ name: text({ max: 64, natural: true }) });

const label = (): Fields => ({ label: text({ max: 64, optional: true }) });

/** By the device and all that it belongs to. */
const componentFilters = (): Record<string, Filter> => ({
  ...siteFilters('device.site'),
  location_id: path('device.location'),
  location: path('device.location', 'slug'),
  rack_id: path('device.rack'),
  rack: path('device.rack', 'name'),
  device_type_id: path('device.device_type'),
  device_type: path('device.device_type', 'model'),
  device_role_id: path('device.role'),
  device_role: path('device.role', 'slug'),
  device_status: through('device', 'status', 'choice'),
  virtual_chassis_id: path('device.virtual_chassis'),
  virtual_chassis: path('device.virtual_chassis', 'name'),
  tenant_id: path('device.tenant'),
  tenant: path('device.tenant', 'slug'),
});

type Parts = Pick<Definition, 'path' | 'label' | 'fields'> &
  Partial<Definition> & {
    /** A component that may move from one device to another. */
    moves?: true;
  };

/** A component of a device. The fields come between the label and the description; rules are asked in order. */
export const component = (type: string, { fields, filters, rules = [], moves, ...d }: Parts): Model =>
  model(type, {
    belongsTo: 'device',
    ordering: ['device', 'device_id', 'name'],
    features: primary,
    brief: ['device', 'name', 'description'],
    display: annotated('name', 'label'),
    search: ['name', 'label', 'description'],
    ...d,
    fields: {
      ...ofDevice(),
      ...name(),
      ...label(),
      ...fields,
      ...description(),
      ...owner(),
      ...labels(),
      ...timestamps(),
    },
    filters: { ...componentFilters(), ...filters },
    unique: d.unique ?? [{ fields: ['device', 'name'] }],
    rules: [inOrder(...(moves ? [] : [staysInDevice]), ...rules)],
  });

/** A component that can come with a module. */
export const modularComponent = (type: string, { fields, ...d }: Parts): Model =>
  component(type, { ...d, fields: { ...ofModule(), ...fields } });

/** A component that a cable can end at; `beside` describes its connections without a cable. */
export const cabledComponent = (
  type: string,
  { fields, filters, rules, beside, ...d }: Parts & { beside?: Beside },
): Model =>
  modularComponent(type, {
    brief: ['device', 'name', 'description', 'cable', '_occupied'],
    ...d,
    fields: { ...fields, ...cabled(type), ...(PATH_ENDPOINTS.includes(type) ? endpoint(type, beside) : {}) },
    filters: { ...cabledFilters(), ...(PATH_ENDPOINTS.includes(type) ? endpointFilters(type) : {}), ...filters },
    rules: [notMarkedWhenCabled, ...(rules ?? [])],
  });

/** A component refers only to components of its own device; `what` names them in the message. */
export const inSameDevice =
  (field: string, type: string, message: (called: string) => string): Rule =>
  async (object, { related, displayOf }) => {
    const other = await related(type, object[field]);
    return other && other['device'] !== object['device']
      ? { __all__: [message(await displayOf(type, Number(object[field])))] }
      : undefined;
  };
