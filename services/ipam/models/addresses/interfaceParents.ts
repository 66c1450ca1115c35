import { type Filter, type FilterSql, method } from '@cadastre/model';

/** The fields that are read of assigned interfaces, and of the devices and virtual machines that these belong to. */
export const interfaceReads = {
  'dcim.interface': ['device', 'name', 'mgmt_only'],
  'dcim.device': ['name', 'virtual_chassis', 'primary_ip4', 'primary_ip6', 'oob_ip'],
  'dcim.virtualchassis': ['master'],
  'virtualization.vminterface': ['virtual_machine', 'name'],
  'virtualization.virtualmachine': ['name', 'primary_ip4', 'primary_ip6'],
};

type By = 'id' | 'name';

const matching = ({ bind }: FilterSql, alias: string, by: By, values: string[]): string =>
  `${alias}.${by} = any(${bind(values)}::${by === 'id' ? 'bigint' : 'text'}[])`;

/**
 * Interfaces of devices. The master of a virtual chassis counts as having those of all members, except for management
 * interfaces.
 */
function interfacesOfDevices(sql: FilterSql, by: By, values: string[]): string {
  const { tableOf, has } = sql;
  const [interfaces, devices] = ['dcim.interface', 'dcim.device'].map(tableOf);
  const asked = matching(sql, 'd', by, values);
  const own = `select i.id from ${devices} d join ${interfaces} i on i.device_id = d.id where ${asked}`;
  if (!has('dcim.virtualchassis')) return own;
  return `${own} union select i.id from ${devices} d join ${tableOf('dcim.virtualchassis')} c on c.master_id = d.id join ${devices} m on m.virtual_chassis_id = c.id
    join ${interfaces} i on i.device_id = m.id and not i.mgmt_only where ${asked}`;
}

const interfacesOfMachines = (sql: FilterSql, by: By, values: string[]): string =>
  `select i.id from ${sql.tableOf('virtualization.virtualmachine')} v join ${sql.tableOf('virtualization.vminterface')} i on i.virtual_machine_id = v.id where ${matching(sql, 'v', by, values)}`;

/**
 * Filters by the devices and virtual machines whose interfaces an object is assigned to. A value that names none
 * matches nothing.
 */
export function interfaceParentFilters(typeColumn: string, idColumn: string): Record<string, Filter> {
  const parents = (type: string, inner: typeof interfacesOfDevices, by: By): Filter =>
    method(
      by === 'id' ? 'number' : 'text',
      (sql, values) =>
        `(${sql.table}.${typeColumn} = '${type}' and ${sql.table}.${idColumn} = any(array(${inner(sql, by, values)})))`,
      true,
    );
  return {
    device: parents('dcim.interface', interfacesOfDevices, 'name'),
    device_id: parents('dcim.interface', interfacesOfDevices, 'id'),
    virtual_machine: parents('virtualization.vminterface', interfacesOfMachines, 'name'),
    virtual_machine_id: parents('virtualization.vminterface', interfacesOfMachines, 'id'),
  };
}
