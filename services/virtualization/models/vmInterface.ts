import { boolean, description, labels, model, owner, path, primary, ref, type Rule, timestamps } from '@cadastre/model';
import { interfaceName, namesAreCounted } from '../../dcim/models/groups/naturalName.ts';
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
} from '../../dcim/models/interfaces/interfaceFields.ts';
import {
  notBridgedToItself,
  notItsOwnParent,
  primaryMacIsItsOwn,
  serviceVlanNeedsQinQ,
  vlansFollowMode,
  vlansOfItsSite,
} from '../../dcim/models/interfaces/interfaceRules.ts';
import { takesAllAlong } from './movingInterfaces.ts';

const TYPE = 'virtualization.vminterface';
const kind = {
  type: TYPE,
  owner: 'virtual_machine',
  ownerType: 'virtualization.virtualmachine',
  ownerLabel: 'virtual machine',
};

/** Interfaces that an interface refers to belong to the same virtual machine; they may move to another one together. */
const ofSameMachine =
  (field: 'parent' | 'bridge'): Rule =>
  async (object, { among, held, displayOf }) => {
    const id = object[field];
    const other = among.find((one) => typeof id === 'number' && one['id'] === id) ?? (await held(TYPE, id));
    if (!other || other['virtual_machine'] === object['virtual_machine']) return undefined;
    return {
      [field]: [
        `The selected ${field} interface (${String(other['name'])}) belongs to a different virtual machine (${await displayOf(kind.ownerType, Number(other['virtual_machine']))}).`,
      ],
    };
  };

/** A network interface of a virtual machine. */
export const vmInterface = model(TYPE, {
  path: 'interfaces',
  pages: {
    columns: ['virtual_machine', 'enabled', 'mtu', 'mac_address', 'mode', 'description'],
    groups: {
      Addressing: ['vrf', 'primary_mac_address', 'mac_address', 'mac_addresses'],
      'Related interfaces': ['parent', 'bridge'],
      '802.1Q switching': [
        'mode',
        'untagged_vlan',
        'tagged_vlans',
        'qinq_svlan',
        'vlan_translation_policy',
        'l2vpn_termination',
      ],
    },
  },
  imports: networkColumns({ available_on_virtualmachine: 'virtual_machine' }),
  label: 'interface',
  className: 'VMInterface',
  belongsTo: 'virtual_machine',
  ordering: ['virtual_machine', '_name'],
  features: primary,
  brief: ['virtual_machine', 'name', 'description'],
  nested: ['virtual_machine', 'name'],
  search: ['name', 'description'],
  fields: {
    virtual_machine: ref('virtualization.virtualmachine', { onDelete: 'cascade' }),
    ...interfaceName(),
    enabled: boolean({ default: true }),
    parent: ref(TYPE, { optional: true, form: 'nested', backwards: 'child_interfaces' }),
    bridge: ref(TYPE, { optional: true, onDelete: 'setNull', form: 'nested', backwards: 'bridge_interfaces' }),
    ...mtu(),
    ...macAddresses(TYPE),
    ...description(),
    ...mode(),
    ...vlans('vminterfaces'),
    ...vrf(),
    ...l2vpnTermination(),
    ...owner(),
    ...labels(),
    ...timestamps(),
    ...assignmentCounts(),
  },
  filters: {
    ...interfaceFilters(),
    cluster_id: path('virtual_machine.cluster'),
    cluster: path('virtual_machine.cluster', 'name'),
  },
  unique: [{ fields: ['virtual_machine', 'name'] }, primaryMacIsUnique],
  rules: [
    namesAreCounted,
    notItsOwnParent,
    ofSameMachine('parent'),
    notBridgedToItself,
    ofSameMachine('bridge'),
    serviceVlanNeedsQinQ,
    vlansOfItsSite(kind),
    primaryMacIsItsOwn(kind),
    vlansFollowMode,
  ],
  effects: [takesAllAlong],
});
