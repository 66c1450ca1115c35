import {
  caseless,
  choice,
  comments,
  counter,
  decimal,
  description,
  type Display,
  type Field,
  firstOf,
  helped,
  integer,
  labels,
  linked,
  model,
  narrows,
  owner,
  path,
  ref,
  resets,
  tenantGroupFilters,
  text,
  through,
  timestamps,
  withContacts,
} from '@cadastre/model';
import { configContext, localContextData } from '../../../extras/models/templates/configContextField.ts';
import { primaryAddress } from '../../../ipam/models/addresses/primaryAddress.ts';
import { deviceAirflow } from '../choices/airflow.ts';
import { deviceStatus } from '../choices/device.ts';
import { rackFace } from '../choices/rack.ts';
import { deviceEffects } from './deviceEffects.ts';
import { deviceRules } from './deviceRules.ts';
import { given, pointedAt, siteFilters } from '../groups/filters.ts';

/** The parts of a device, by the name of their count. */
const counts = (): Record<string, Field> =>
  Object.fromEntries(
    [
      ['console_port', 'consoleport'],
      ['console_server_port', 'consoleserverport'],
      ['power_port', 'powerport'],
      ['power_outlet', 'poweroutlet'],
      ['interface', 'interface'],
      ['front_port', 'frontport'],
      ['rear_port', 'rearport'],
      ['device_bay', 'devicebay'],
      ['module_bay', 'modulebay'],
      ['inventory_item', 'inventoryitem'],
    ].map(([name, type]) => [`${name}_count`, counter(`dcim.${type}`, 'device')]),
  );

const GPS = 'GPS coordinate in decimal format (xx.yyyyyy)';

/** The device that this one is inside, and the bay there. */
const parentDevice = (): Field =>
  linked({
    from: ['dcim.devicebay', 'dcim.device'],
    to: ['dcim.device', 'dcim.devicebay'],
    many: false,
    form: 'nested',
    members: ['device_bay'],
    sql: ({ tableOf }) =>
      `select b.installed_device_id, unnest(array['dcim.device', 'dcim.devicebay']), unnest(array[b.device_id, b.id]) from ${tableOf('dcim.devicebay')} b where b.installed_device_id = any($1::bigint[])`,
  });

/** A device without a name is shown by its position in a chassis, or else by its type. */
const called: Display['text'] = ([name, tag, position, id], [chassis, manufacturer, type]) => {
  const label = name || (chassis && `${chassis}:${position}`);
  const aside = tag || (label ? '' : id);
  return `${label || `${manufacturer} ${type}`}${aside ? ` (${aside})` : ''}`;
};

/** A piece of equipment. */
export const device = model('dcim.device', {
  path: 'devices',
  pages: {
    columns: ['status', 'tenant', 'site', 'location', 'rack', 'role', 'device_type', 'primary_ip'],
    groups: {
      Location: ['site', 'location', 'rack', 'position', 'face', 'parent_device', 'latitude', 'longitude'],
      Hardware: ['device_type', 'airflow', 'serial', 'asset_tag'],
      Management: ['platform', 'config_template', 'primary_ip4', 'primary_ip6', 'primary_ip', 'oob_ip'],
      Clusters: ['cluster', 'virtual_chassis', 'vc_position', 'vc_priority'],
    },
  },
  imports: {
    later: ['primary_ip4', 'primary_ip6', 'oob_ip'],
    rather: { platform: { manufacturer_id: 'manufacturer' } },
    columns: {
      manufacturer: narrows('dcim.manufacturer', { from: 'device_type' }),
      parent: narrows('dcim.device', { among: { site_id: 'site' } }),
      device_bay: {
        ...narrows('dcim.devicebay', { among: { device_id: 'parent' } }),
        marks: { on: ['device_bay'], field: () => 'installed_device' },
        needs: [['parent']],
      },
    },
  },
  label: 'device',
  prominent: { key: 'd' },
  ordering: ['name'],
  features: [...withContacts, 'imageAttachments'],
  brief: ['name', 'description'],
  nested: ['name'],
  key: 'name',
  display: {
    columns: ['name', 'asset_tag', 'vc_position', 'id'],
    related: ['virtual_chassis', 'device_type.manufacturer', 'device_type'],
    when: ([name]) => !name,
    text: called,
  },
  search: [
    'name',
    'virtual_chassis.name',
    'serial',
    'asset_tag',
    'description',
    'comments',
    '=primary_ip4.address',
    '=primary_ip6.address',
  ],
  fields: {
    name: text({ max: 64, optional: true, nullable: true, natural: true }),
    device_type: ref('dcim.devicetype', { backwards: 'instances' }),
    role: helped('The function this device serves', ref('dcim.devicerole')),
    tenant: resets(ref('tenancy.tenant', { optional: true })),
    platform: ref('dcim.platform', { optional: true, onDelete: 'setNull' }),
    serial: helped('Chassis serial number, assigned by the manufacturer', text({ max: 50, optional: true })),
    asset_tag: helped(
      'A unique tag used to identify this device',
      text({ max: 50, optional: true, nullable: true, unique: true }),
    ),
    site: ref('dcim.site'),
    location: resets(ref('dcim.location', { optional: true })),
    rack: ref('dcim.rack', { optional: true }),
    position: decimal({ digits: 4, places: 1, min: 0.5, optional: true }),
    face: choice(rackFace, { optional: true, nullable: true, one: true }),
    latitude: helped(GPS, decimal({ digits: 8, places: 6, min: -90, max: 90, optional: true })),
    longitude: helped(GPS, decimal({ digits: 9, places: 6, min: -180, max: 180, optional: true })),
    parent_device: parentDevice(),
    status: choice(deviceStatus, { default: 'active' }),
    airflow: choice(deviceAirflow, { optional: true, nullable: true, one: true }),
    primary_ip: firstOf('primary_ip6', 'primary_ip4'),
    primary_ip4: primaryAddress(),
    primary_ip6: primaryAddress(),
    oob_ip: primaryAddress(),
    cluster: ref('virtualization.cluster', { optional: true, onDelete: 'setNull' }),
    virtual_chassis: ref('dcim.virtualchassis', { optional: true, onDelete: 'setNull', backwards: 'members' }),
    vc_position: integer({ min: 0, max: 255, optional: true }),
    vc_priority: helped(
      'Virtual chassis master election priority',
      integer({ min: 0, max: 255, size: 'smallint', optional: true }),
    ),
    ...description(),
    ...owner(),
    ...comments(),
    config_template: resets(ref('extras.configtemplate', { optional: true })),
    config_context: configContext('dcim.device', { locations: 'location_id', device_types: 'device_type_id' }),
    local_context_data: localContextData(),
    ...labels(),
    ...timestamps(),
    ...counts(),
  },
  unique: [
    {
      fields: ['name', 'site', 'tenant'],
      ignoreCase: ['name'],
      where: 'name is not null and tenant_id is not null',
      message: 'Constraint “dcim_device_unique_name_site_tenant” is violated.',
    },
    {
      fields: ['name', 'site'],
      ignoreCase: ['name'],
      where: 'name is not null and tenant_id is null',
      message: 'Device name must be unique per site.',
    },
    {
      fields: ['rack', 'position', 'face'],
      where: 'rack_id is not null and position is not null and face is not null',
      message: 'Device with this Rack, Position (U) and Rack face already exists.',
    },
    {
      fields: ['virtual_chassis', 'vc_position'],
      where: 'virtual_chassis_id is not null and vc_position is not null',
      message: 'Device with this Virtual chassis and VC position already exists.',
    },
    ...['primary_ip4', 'primary_ip6', 'oob_ip'].map((name) => ({
      fields: [name],
      key: name,
      where: `${name}_id is not null`,
      message: `Device with this ${name === 'oob_ip' ? 'Out-of-band IP' : `Primary IPv${name.at(-1)}`} already exists.`,
    })),
  ],
  filters: {
    ...tenantGroupFilters(),
    ...siteFilters('site'),
    name: caseless('name'),
    serial: caseless('serial'),
    model: path('device_type', 'slug'),
    device_type: path('device_type', 'slug'),
    manufacturer_id: path('device_type.manufacturer'),
    manufacturer: path('device_type.manufacturer', 'slug'),
    is_full_depth: through('device_type', 'is_full_depth', 'boolean'),
    parent_device_id: path('<dcim.devicebay.installed_device/device'),
    parent_bay_id: path('<dcim.devicebay.installed_device'),
    cluster_group_id: path('cluster.group'),
    cluster_group: path('cluster.group', 'slug'),
    primary_ip4: path('primary_ip4', 'address'),
    primary_ip6: path('primary_ip6', 'address'),
    mac_address: through('<dcim.interface.device/<dcim.macaddress.assigned_object', 'mac_address', 'mac'),
    has_primary_ip: given('primary_ip4_id', 'primary_ip6_id'),
    has_oob_ip: given('oob_ip_id'),
    virtual_chassis_member: given('virtual_chassis_id'),
    local_context_data: given('local_context_data'),
    console_ports: pointedAt(['dcim.consoleport', 'device_id']),
    console_server_ports: pointedAt(['dcim.consoleserverport', 'device_id']),
    power_ports: pointedAt(['dcim.powerport', 'device_id']),
    power_outlets: pointedAt(['dcim.poweroutlet', 'device_id']),
    interfaces: pointedAt(['dcim.interface', 'device_id']),
    pass_through_ports: pointedAt(['dcim.frontport', 'device_id'], ['dcim.rearport', 'device_id']),
    module_bays: pointedAt(['dcim.modulebay', 'device_id']),
    device_bays: pointedAt(['dcim.devicebay', 'device_id']),
    has_virtual_device_context: pointedAt(['dcim.virtualdevicecontext', 'device_id']),
  },
  rules: [deviceRules],
  effects: deviceEffects,
  reads: {
    'ipam.ipaddress': ['address', 'assigned_object_type', 'assigned_object_id', 'nat_inside'],
    'virtualization.cluster': ['scope_type', 'scope_id'],
    'extras.configtemplate': ['template_code', 'environment_params'],
  },
});
