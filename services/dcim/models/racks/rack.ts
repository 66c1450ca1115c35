import {
  annotated,
  caseless,
  choice,
  count,
  inOrder,
  model,
  path,
  primaryFields,
  ref,
  resets,
  tenantGroupFilters,
  text,
  withContacts,
} from '@cadastre/model';
import { rackAirflow } from '../choices/airflow.ts';
import { rackStatus } from '../choices/rack.ts';
import { siteFilters } from '../groups/filters.ts';
import {
  bears,
  frameGroups,
  measured,
  mountingDepth,
  outerSize,
  rackForm,
  rackWeights,
  unitOrder,
} from '../groups/rackFrame.ts';
import { grams, weighed } from '../groups/weight.ts';
import { asItsType, devicesComeAlong, housesItsDevices, locationInSite } from './rackRules.ts';

/** A frame or cabinet that devices are mounted in. */
export const rack = model('dcim.rack', {
  path: 'racks',
  pages: {
    columns: ['site', 'location', 'status', 'role', 'u_height', 'tenant', 'device_count'],
    groups: {
      Inventory: ['facility_id', 'serial', 'asset_tag'],
      Dimensions: ['rack_type', ...frameGroups.Dimensions, 'airflow'],
      Weight: frameGroups.Weight,
    },
  },
  label: 'rack',
  prominent: { key: 'r' },
  ordering: ['site', 'location', 'name'],
  features: [...withContacts, 'imageAttachments'],
  brief: ['name', 'description', 'device_count'],
  display: annotated('name', 'facility_id'),
  search: ['name', 'facility_id', 'serial', 'asset_tag', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    facility_id: text({ max: 50, optional: true, nullable: true }),
    site: ref('dcim.site'),
    location: ref('dcim.location', { optional: true, onDelete: 'setNull' }),
    group: ref('dcim.rackgroup', { optional: true }),
    tenant: ref('tenancy.tenant', { optional: true }),
    status: choice(rackStatus, { default: 'active' }),
    role: ref('dcim.rackrole', { optional: true }),
    serial: text({ max: 50, optional: true }),
    asset_tag: text({ max: 50, optional: true, nullable: true, unique: true }),
    rack_type: resets(ref('dcim.racktype', { optional: true })),
    ...rackForm({ nullable: true }),
    ...rackWeights(),
    ...unitOrder(),
    ...outerSize(),
    ...mountingDepth(),
    airflow: choice(rackAirflow, { optional: true, nullable: true, one: true }),
    ...primaryFields(),
    device_count: count('dcim.device', 'rack'),
    powerfeed_count: count('dcim.powerfeed', 'rack'),
    ...grams('_abs_weight'),
    ...grams('_abs_max_weight'),
  },
  filters: {
    ...tenantGroupFilters(),
    ...siteFilters('site'),
    manufacturer_id: path('rack_type.manufacturer'),
    manufacturer: path('rack_type.manufacturer', 'slug'),
    serial: caseless('serial'),
  },
  unique: [
    { fields: ['location', 'name'], where: 'location_id is not null' },
    { fields: ['location', 'facility_id'], where: 'location_id is not null and facility_id is not null' },
  ],
  rules: [asItsType, inOrder(weighed, measured, bears, locationInSite, housesItsDevices)],
  effects: [devicesComeAlong],
});
