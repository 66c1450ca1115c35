import {
  type Follow,
  generic,
  integer,
  macAddress as address,
  marked,
  method,
  model,
  names,
  narrows,
  objectType,
  path,
  primary,
  primaryFields,
  type Rule,
  through,
} from '@cadastre/model';
import { byId, byName, interfacesOf } from '../interfaces/interfaceChassis.ts';

const INTERFACE = 'dcim.interface';
const VM_INTERFACE = 'virtualization.vminterface';

/** An address stays with its interface while it is the primary one there. */
const primaryStays: Rule = async ({ assigned_object_type, assigned_object_id }, { before, related }) => {
  const held =
    before && typeof before['assigned_object_type'] === 'string'
      ? await related(before['assigned_object_type'], before['assigned_object_id'])
      : null;
  if (!held || held['primary_mac_address'] !== before!['id']) return undefined;
  const what = 'MAC Address while it is designated as the primary MAC for an object';
  if (assigned_object_id === null) return { __all__: [`Cannot unassign ${what}`] };
  const moved =
    assigned_object_type !== before!['assigned_object_type'] || assigned_object_id !== before!['assigned_object_id'];
  return moved ? { __all__: [`Cannot reassign ${what}`] } : undefined;
};

/**
 * An unassigned MAC address that becomes the primary one of a virtual machine's interface is assigned to that
 * interface.
 */
const assignPrimary: Follow = async (ids, { query, tableOf, update }) => {
  const rows = await query(
    `select t.id, i.id from ${tableOf('dcim.macaddress')} t join ${tableOf(VM_INTERFACE)} i on i.primary_mac_address_id = t.id where i.id = any($1::bigint[]) and t.assigned_object_id is null`,
    [ids],
  );
  await update(
    'dcim.macaddress',
    rows.map(([id, holder]) => ({
      id: Number(id),
      assigned_object_type: VM_INTERFACE,
      assigned_object_id: Number(holder),
    })),
  );
};

/** Address of an interface in its network; an interface may have several. */
export const macAddress = model('dcim.macaddress', {
  path: 'mac-addresses',
  pages: {
    columns: ['assigned_object', 'description'],
    groups: { Assignment: ['assigned_object_type', 'assigned_object_id', 'assigned_object'] },
  },
  imports: {
    columns: {
      device: narrows('dcim.device'),
      virtual_machine: narrows('virtualization.virtualmachine'),
      interface: names('assigned_object', {
        of: { device: INTERFACE, virtual_machine: VM_INTERFACE },
        among: { device_id: 'device', virtual_machine_id: 'virtual_machine' },
      }),
      is_primary: marked({ on: ['interface'], field: () => 'primary_mac_address' }, ['interface']),
    },
  },
  label: 'MAC address',
  plural: 'MAC addresses',
  prominent: { key: 'm' },
  ordering: ['mac_address'],
  features: primary,
  brief: ['mac_address', 'description'],
  search: ['mac_address', 'description'],
  display: { columns: ['mac_address'], text: ([mac]) => (mac ?? '').toUpperCase() },
  fields: {
    mac_address: address(),
    assigned_object_type: objectType({ optional: true }),
    assigned_object_id: integer({ size: 'bigint', min: 0, max: 2 ** 63, optional: true }),
    assigned_object: generic('assigned_object_type', 'assigned_object_id', {
      to: [INTERFACE, VM_INTERFACE],
      onDelete: 'cascade',
    }),
    ...primaryFields(),
  },
  filters: {
    device: method('text', (sql, names) => interfacesOf(sql, assignedTo(sql.table), byName(sql, names)), true),
    device_id: method('number', (sql, ids) => interfacesOf(sql, assignedTo(sql.table), byId(sql, ids)), true),
    virtual_machine: through(`assigned_object:${VM_INTERFACE}/virtual_machine`, 'name', 'string'),
    virtual_machine_id: through(`assigned_object:${VM_INTERFACE}/virtual_machine`, 'id', 'number'),
    interface: path(`assigned_object:${INTERFACE}`, 'name'),
    interface_id: path(`assigned_object:${INTERFACE}`),
    vminterface: path(`assigned_object:${VM_INTERFACE}`, 'name'),
    vminterface_id: path(`assigned_object:${VM_INTERFACE}`),
    assigned: method('boolean', ({ table }, [value]) => `(${table}.assigned_object_id is not null) is ${value}`),
    primary: method('boolean', ({ table, tableOf, has }, [value]) => {
      const held = [INTERFACE, VM_INTERFACE]
        .filter((type) => has(type))
        .map((type) => `exists (select 1 from ${tableOf(type)} i where i.primary_mac_address_id = ${table}.id)`);
      return `(${held.join(' or ')}) is ${value}`;
    }),
  },
  rules: [primaryStays],
  follows: { [VM_INTERFACE]: assignPrimary },
  reads: { [VM_INTERFACE]: ['primary_mac_address', 'virtual_machine'] },
});

/** The interface of a device that an address of the aliased table is assigned to. */
function assignedTo(table: string): string {
  return `case when ${table}.assigned_object_type = '${INTERFACE}' then ${table}.assigned_object_id end`;
}
