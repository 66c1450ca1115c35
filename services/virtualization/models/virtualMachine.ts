import {
  caseless,
  choice,
  comments,
  counter,
  decimal,
  description,
  firstOf,
  integer,
  labels,
  model,
  owner,
  path,
  ref,
  resets,
  tenantGroupFilters,
  text,
  through,
  timestamps,
  tree,
  withContacts,
} from '@cadastre/model';
import { given } from '../../dcim/models/groups/filters.ts';
import { configContext, localContextData } from '../../extras/models/templates/configContextField.ts';
import { primaryAddress } from '../../ipam/models/addresses/primaryAddress.ts';
import { startOnBoot, virtualMachineStatus } from './choices.ts';
import { reads, rules } from './virtualMachineRules.ts';

const MAX_INTEGER = 2_147_483_647;

/** Names are unique without regard to case: within a cluster or on a device, and there within a tenant. */
const unique = [
  {
    fields: ['name', 'cluster', 'tenant'],
    where: 'cluster_id is not null and tenant_id is not null',
    message: 'Virtual machine name must be unique per cluster and tenant.',
  },
  {
    fields: ['name', 'cluster'],
    where: 'cluster_id is not null and tenant_id is null',
    message: 'Virtual machine name must be unique per cluster.',
  },
  {
    fields: ['name', 'device', 'tenant'],
    where: 'cluster_id is null and device_id is not null and tenant_id is not null',
    message: 'Virtual machine name must be unique per device and tenant.',
  },
  {
    fields: ['name', 'device'],
    where: 'cluster_id is null and device_id is not null and tenant_id is null',
    message: 'Virtual machine name must be unique per device.',
  },
].map((set) => ({ ...set, ignoreCase: ['name'] }));

/** A computer that runs on others. */
export const virtualMachine = model('virtualization.virtualmachine', {
  path: 'virtual-machines',
  pages: {
    columns: ['status', 'site', 'cluster', 'role', 'tenant', 'vcpus', 'memory', 'disk', 'primary_ip'],
    groups: {
      Location: ['site', 'cluster', 'device'],
      Management: ['platform', 'config_template', 'primary_ip4', 'primary_ip6', 'primary_ip'],
      Resources: ['vcpus', 'memory', 'disk'],
    },
  },
  imports: { among: { device: {} }, later: ['primary_ip4', 'primary_ip6'] },
  label: 'virtual machine',
  prominent: { key: 'w' },
  ordering: ['name'],
  features: [...withContacts, 'imageAttachments'],
  brief: ['name', 'description'],
  nested: ['name'],
  key: 'name',
  search: ['name', 'serial', 'description', 'comments', '=primary_ip4.address', '=primary_ip6.address'],
  fields: {
    name: text({ max: 64, natural: true }),
    virtual_machine_type: resets(ref('virtualization.virtualmachinetype', { optional: true })),
    role: ref('dcim.devicerole', { optional: true }),
    status: choice(virtualMachineStatus, { default: 'active' }),
    start_on_boot: choice(startOnBoot, { default: 'off', max: 32 }),
    site: resets(ref('dcim.site', { optional: true })),
    cluster: resets(ref('virtualization.cluster', { optional: true })),
    device: resets(ref('dcim.device', { optional: true })),
    platform: ref('dcim.platform', { optional: true, onDelete: 'setNull' }),
    primary_ip: firstOf('primary_ip6', 'primary_ip4'),
    primary_ip4: primaryAddress({ unique: true }),
    primary_ip6: primaryAddress({ unique: true }),
    vcpus: decimal({ digits: 6, places: 2, min: 0.01, optional: true }),
    memory: integer({ min: 0, max: MAX_INTEGER, optional: true }),
    disk: integer({ min: 0, max: MAX_INTEGER, optional: true }),
    ...description(),
    serial: text({ max: 50, optional: true }),
    tenant: resets(ref('tenancy.tenant', { optional: true })),
    ...owner(),
    ...comments(),
    local_context_data: localContextData(),
    config_template: resets(ref('extras.configtemplate', { optional: true })),
    ...labels(),
    ...timestamps(),
    interface_count: counter('virtualization.vminterface', 'virtual_machine'),
    virtual_disk_count: counter('virtualization.virtualdisk', 'virtual_machine'),
    config_context: configContext('virtualization.virtualmachine'),
  },
  filters: {
    ...tenantGroupFilters(),
    name: caseless('name'),
    cluster: path('cluster', 'name'),
    cluster_group_id: path('cluster.group'),
    cluster_group: path('cluster.group', 'slug'),
    cluster_type_id: path('cluster.type'),
    cluster_type: path('cluster.type', 'slug'),
    region_id: tree('site.region'),
    region: tree('site.region', 'slug'),
    site_group_id: tree('site.group'),
    site_group: tree('site.group', 'slug'),
    primary_ip4: path('primary_ip4', 'address'),
    primary_ip6: path('primary_ip6', 'address'),
    device: path('device', 'name'),
    mac_address: through(
      '<virtualization.vminterface.virtual_machine/<dcim.macaddress.assigned_object',
      'mac_address',
      'mac',
    ),
    has_primary_ip: given('primary_ip4_id', 'primary_ip6_id'),
    local_context_data: given('local_context_data'),
  },
  unique,
  rules,
  reads,
});
