import {
  boolean,
  choice,
  counter,
  decimal,
  image,
  inOrder,
  method,
  model,
  primary,
  primaryFields,
  ref,
  resets,
  slug,
  text,
} from '@cadastre/model';
import { deviceAirflow } from '../choices/airflow.ts';
import { subdeviceRole } from '../choices/subdeviceRole.ts';
import { heightOfType, keepsItsBays, roomToGrow } from './deviceTypeRules.ts';
import { templateCounts, templateFilters } from '../groups/hasTemplates.ts';
import { asInLibrary } from './libraryDocuments.ts';
import { grams, weighed, weight } from '../groups/weight.ts';

const TEMPLATES = [
  'console_port',
  'console_server_port',
  'power_port',
  'power_outlet',
  'interface',
  'front_port',
  'rear_port',
  'device_bay',
  'module_bay',
  'inventory_item',
] as const;

const hasImage = (column: string) =>
  method('boolean', ({ table }, [wanted]) => `${table}."${column}" ${wanted === 'true' ? '<>' : '='} ''`);

/** A model of devices: what it measures, and what each device of it is made with. */
export const deviceType = model('dcim.devicetype', {
  path: 'device-types',
  pages: {
    columns: ['manufacturer', 'part_number', 'u_height', 'is_full_depth', 'device_count'],
    groups: {
      Chassis: ['u_height', 'is_full_depth', 'exclude_from_utilization', 'subdevice_role', 'airflow'],
      Weight: ['weight', 'weight_unit'],
      Images: ['front_image', 'rear_image'],
    },
  },
  label: 'device type',
  ordering: ['manufacturer', 'model'],
  features: [...primary, 'imageAttachments'],
  brief: ['manufacturer', 'model', 'slug', 'description', 'device_count'],
  search: ['manufacturer.name', 'model', 'part_number', 'description', 'comments'],
  display: { columns: ['model'], text: ([name]) => name ?? '' },
  imports: { called: 'model' },
  documents: asInLibrary('device_type'),
  fields: {
    manufacturer: ref('dcim.manufacturer'),
    default_platform: ref('dcim.platform', { optional: true, onDelete: 'setNull' }),
    model: text({ max: 100, natural: true }),
    slug: slug(),
    part_number: text({ max: 50, optional: true }),
    u_height: resets(decimal({ digits: 4, places: 1, min: 0, default: 1 })),
    exclude_from_utilization: boolean(),
    is_full_depth: boolean({ default: true }),
    subdevice_role: choice(subdeviceRole, { optional: true, nullable: true, one: true }),
    airflow: choice(deviceAirflow, { optional: true, nullable: true, one: true }),
    ...weight(),
    front_image: image({ optional: true, folder: 'devicetype-images' }),
    rear_image: image({ optional: true, folder: 'devicetype-images' }),
    ...primaryFields(),
    device_count: counter('dcim.device', 'device_type'),
    ...templateCounts('device_type', TEMPLATES),
    ...grams('_abs_weight'),
  },
  filters: {
    ...templateFilters('device_type', TEMPLATES),
    has_front_image: hasImage('front_image'),
    has_rear_image: hasImage('rear_image'),
  },
  unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],
  rules: [inOrder(weighed, heightOfType, roomToGrow)],
  effects: [keepsItsBays],
});
