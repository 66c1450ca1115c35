import {
  boolean,
  choice,
  decimal,
  type Effect,
  type Field,
  helped,
  integer,
  method,
  path,
  ref,
  referrers,
  refs,
  resets,
  wwn,
} from '@cadastre/model';
import { duplex } from '../choices/component.ts';
import { interfaceType, virtualTypes, wirelessTypes } from '../choices/ports/interfaceType.ts';
import { poeMode, poeType } from '../choices/poe.ts';
import { wirelessChannel, wirelessRole } from '../choices/wireless.ts';
import { cabledComponent } from '../groups/component.ts';
import { virtualEndpoints } from './virtualEndpoints.ts';
import { interfaceName } from '../groups/naturalName.ts';
import { chassisFilters } from './interfaceChassis.ts';
import {
  assignmentCounts,
  interfaceFilters,
  l2vpnTermination,
  macAddresses,
  mode,
  mtu,
  networkColumns,
  primaryMacIsUnique,
  vlans,
  vrf,
} from './interfaceFields.ts';
import { deviceInterfaceRules } from './deviceInterfaceRules.ts';
import { vlansFitMode } from './interfaceRules.ts';

type Fields = Record<string, Field>;

/** Another interface of the device, or of another member of its virtual chassis. */
const other = (onDelete: 'protect' | 'setNull', backwards: string): Field =>
  ref('dcim.interface', { optional: true, onDelete, form: 'nested', backwards });

const radio = (): Fields => ({
  rf_role: choice(wirelessRole, { optional: true, nullable: true, max: 30 }),
  rf_channel: choice(wirelessChannel, { optional: true, nullable: true }),
});

const power = (): Fields => ({
  poe_mode: choice(poeMode, { optional: true, nullable: true }),
  poe_type: choice(poeType, { optional: true, nullable: true }),
});

const frequency = (): Fields => ({
  rf_channel_frequency: decimal({ digits: 8, places: 3, optional: true }),
  rf_channel_width: decimal({ digits: 7, places: 3, optional: true }),
  tx_power: integer({ min: -40, max: 127, size: 'smallint', optional: true }),
});

/** This product has no wireless networks to refer to. */
const wireless = (): Fields => ({
  wireless_link: ref('wireless.wirelesslink', { optional: true, readOnly: true, onDelete: 'setNull', form: 'nested' }),
  wireless_lans: refs('wireless.wirelesslan'),
});

const kinds = {
  physical: [...virtualTypes, ...wirelessTypes],
  virtual: [...virtualTypes],
  wireless: [...wirelessTypes],
} as Record<string, unknown[]>;

const kind = method('text', ({ table, bind }, [value]) => {
  const types = Object.hasOwn(kinds, value!) ? kinds[value!] : undefined;
  return types ? `(${table}."type" = any(${bind(types)}::text[])) is ${value !== 'physical'}` : 'false';
});

/** A MAC address without an interface is assigned to the new interface whose primary address it is. */
const primaryBecomesItsOwn: Effect = async (changes, { find, update }) => {
  const holders = new Map(
    changes
      .filter(({ action, after }) => action === 'created' && after!['primary_mac_address'] !== null)
      .map(({ after }) => [after!['primary_mac_address']!, after!['id']!]),
  );
  if (!holders.size) return;
  const addresses = await find('dcim.macaddress', { id: [...holders.keys()] });
  await update(
    'dcim.macaddress',
    addresses
      .filter((address) => address['assigned_object_id'] === null)
      .map(({ id }) => ({
        id: id!,
        assigned_object_type: 'dcim.interface',
        assigned_object_id: holders.get(id!)!,
      })),
  );
};

/** Where a device meets the network: a port, or what is made of several or within one. */
export const deviceInterface = cabledComponent('dcim.interface', {
  beside: virtualEndpoints,
  path: 'interfaces',
  pages: {
    columns: ['device', 'enabled', 'type', 'label', 'mtu', 'mac_address', 'cable', 'description'],
    groups: {
      Addressing: ['vrf', 'primary_mac_address', 'mac_address', 'mac_addresses', 'wwn'],
      Operation: ['enabled', 'mgmt_only', 'mtu', 'speed', 'duplex', 'vdcs', 'tx_power'],
      'Related interfaces': ['parent', 'bridge', 'lag', 'bridge_interfaces'],
      'Power over Ethernet': ['poe_mode', 'poe_type'],
      '802.1Q switching': [
        'mode',
        'untagged_vlan',
        'tagged_vlans',
        'qinq_svlan',
        'vlan_translation_policy',
        'l2vpn_termination',
      ],
      Wireless: ['rf_role', 'rf_channel', 'rf_channel_frequency', 'rf_channel_width', 'wireless_link', 'wireless_lans'],
    },
  },
  imports: networkColumns({ available_on_device: 'device' }),
  label: 'interface',
  ordering: ['device', 'device_id', '_name'],
  nested: ['device', 'name', 'cable', '_occupied'],
  fields: {
    vdcs: refs('dcim.virtualdevicecontext'),
    ...interfaceName(),
    type: choice(interfaceType),
    enabled: boolean({ default: true }),
    parent: other('protect', 'child_interfaces'),
    bridge: other('setNull', 'bridge_interfaces'),
    bridge_interfaces: referrers('dcim.interface', 'bridge', { form: 'nested' }),
    lag: other('setNull', 'member_interfaces'),
    ...mtu(),
    ...macAddresses('dcim.interface'),
    speed: integer({ min: 0, max: 2 ** 63, size: 'bigint', optional: true }),
    duplex: choice(duplex, { optional: true, nullable: true }),
    wwn: resets(wwn({ optional: true })),
    mgmt_only: helped('This interface is used only for out-of-band management', boolean()),
    ...mode(),
    ...radio(),
    ...power(),
    ...frequency(),
    ...vlans('interfaces'),
    ...wireless(),
    ...vrf(),
    ...l2vpnTermination(),
    ...assignmentCounts(),
  },
  unique: [{ fields: ['device', 'name'] }, primaryMacIsUnique],
  indexes: [['name']],
  filters: {
    ...interfaceFilters(),
    ...chassisFilters(),
    kind,
    vdc_identifier: path('vdcs', 'identifier'),
    virtual_circuit_id: path('<circuits.virtualcircuittermination.interface/virtual_circuit'),
    virtual_circuit_termination_id: path('<circuits.virtualcircuittermination.interface'),
  },
  inputRules: [vlansFitMode],
  rules: deviceInterfaceRules,
  effects: [primaryBecomesItsOwn],
});
