import {
  addressFilter,
  choice,
  family,
  familyFilter,
  generic,
  helped,
  integer,
  ipAddress as address,
  marked,
  maskFilters,
  method,
  model,
  names,
  narrows,
  objectType,
  path,
  primaryFields,
  ref,
  referrers,
  tenantGroupFilters,
  text,
  withContacts,
  withinFilter,
  withMask,
} from '@cadastre/model';
import { hostsHaveIt, lowerDnsName, outsidePopulated, primaryStays, slaacIsV6 } from './addressRules.ts';
import { addressRole, addressStatus } from '../choices.ts';
import { nameGroups } from './fhrpGroupName.ts';
import { interfaceParentFilters, interfaceReads } from './interfaceParents.ts';
import { presentInVrf } from '../presentInVrf.ts';
import { uniqueAddresses } from '../uniqueSpace.ts';

const DNS_NAME = {
  expression: /^([0-9A-Za-z_-]+|\*)(\.[0-9A-Za-z_-]+)*\.?$/,
  message: 'Only alphanumeric characters, asterisks, hyphens, periods, and underscores are allowed in DNS names',
};

const INTERFACES = ['dcim.interface', 'virtualization.vminterface'];
const assigned = (types: string): string => `t.assigned_object_id is not null${types}`;

/** An address of a host, with the mask of the network that it is in. */
export const ipAddress = model('ipam.ipaddress', {
  path: 'ip-addresses',
  pages: {
    columns: ['status', 'vrf', 'role', 'tenant', 'assigned_object', 'dns_name', 'description'],
    groups: {
      Assignment: ['assigned_object_type', 'assigned_object_id', 'assigned_object'],
      NAT: ['nat_inside', 'nat_outside'],
    },
  },
  imports: {
    columns: {
      device: narrows('dcim.device'),
      virtual_machine: narrows('virtualization.virtualmachine'),
      interface: names('assigned_object', {
        of: { device: 'dcim.interface', virtual_machine: 'virtualization.vminterface' },
        among: { device_id: 'device', virtual_machine_id: 'virtual_machine' },
      }),
      fhrp_group: names('assigned_object', { of: 'ipam.fhrpgroup' }),
      is_primary: marked(
        {
          on: ['device', 'virtual_machine'],
          field: ({ address: said }) => `primary_ip${String(said).includes(':') ? 6 : 4}`,
        },
        ['device', 'virtual_machine'],
        ['interface'],
      ),
      is_oob: marked({ on: ['device'], field: () => 'oob_ip' }, ['device'], ['interface']),
    },
  },
  label: 'IP address',
  prominent: { key: 'i' },
  belongsTo: 'assigned_object',
  plural: 'IP addresses',
  ordering: ['address'],
  features: withContacts,
  keptInPart: true,
  brief: ['family', 'address', 'description'],
  nested: ['family', 'address'],
  display: { columns: ['address'], text: ([cell]) => withMask(cell!) },
  search: ['dns_name', 'description'],
  searchIndex: ['dns_name', 'description', 'address'],
  indexes: [['dns_name']],
  // The text begins an address, as people type it.
  searchBy: ({ table, bind }, begin) => `${table}.address::text ilike ${bind(`${begin.replace(/[\\%_]/g, '\\$&')}%`)}`,
  fields: {
    family: family('address'),
    address: helped('IPv4 or IPv6 address (with mask)', address({ index: false })),
    vrf: ref('ipam.vrf', { optional: true }),
    tenant: ref('tenancy.tenant', { optional: true }),
    status: helped('The operational status of this IP', choice(addressStatus, { default: 'active' })),
    role: helped('The functional role of this IP', choice(addressRole, { optional: true })),
    assigned_object_type: objectType({ optional: true }),
    assigned_object_id: integer({ optional: true, min: 0, size: 'bigint' }),
    assigned_object: generic('assigned_object_type', 'assigned_object_id', {
      to: [...INTERFACES, 'ipam.fhrpgroup'],
      onDelete: 'cascade',
    }),
    nat_inside: helped(
      'The IP for which this address is the "outside" IP',
      ref('ipam.ipaddress', { optional: true, onDelete: 'setNull', form: 'nested' }),
    ),
    nat_outside: referrers('ipam.ipaddress', 'nat_inside', { form: 'nested' }),
    dns_name: helped('Hostname or FQDN (not case-sensitive)', text({ max: 255, optional: true, pattern: DNS_NAME })),
    ...primaryFields(),
  },
  filters: {
    ...tenantGroupFilters(),
    ...presentInVrf(),
    ...maskFilters('address'),
    ...interfaceParentFilters('assigned_object_type', 'assigned_object_id'),
    family: familyFilter('address'),
    address: addressFilter('address'),
    parent: withinFilter('address'),
    interface_id: path('assigned_object:dcim.interface'),
    interface: path('assigned_object:dcim.interface', 'name'),
    vminterface_id: path('assigned_object:virtualization.vminterface'),
    vminterface: path('assigned_object:virtualization.vminterface', 'name'),
    fhrpgroup_id: path('assigned_object:ipam.fhrpgroup'),
    service_id: path('<ipam.service.ipaddresses'),
    assigned_to_interface: method(
      'boolean',
      ({ bind }, [value]) =>
        `(${assigned(` and t.assigned_object_type = any(${bind(INTERFACES)}::text[])`)}) is ${value}`,
    ),
    assigned: method('boolean', (_, [value]) => `(${assigned('')}) is ${value}`),
  },
  rules: [lowerDnsName, hostsHaveIt, primaryStays, slaacIsV6],
  checks: [uniqueAddresses, outsidePopulated],
  effects: [nameGroups],
  reads: interfaceReads,
});
