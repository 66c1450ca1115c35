// Interfaces that a device can use: its own, and those that the members of its virtual chassis share.
import { type Filter, type FilterSql, method } from '@cadastre/model';

/** SQL for the devices that are meant, given the alias of the table. */
type Devices = (alias: string) => string;

/**
 * The master of a chassis can use all interfaces of its members that are not management only; where `everybody` is
 * true, every member can.
 */
function usedBy({ tableOf }: FilterSql, alias: string, devices: Devices, everybody: boolean): string {
  const table = tableOf('dcim.device');
  const leads = everybody
    ? 'true'
    : `exists (select 1 from ${tableOf('dcim.virtualchassis')} c where c.id = d.virtual_chassis_id and c.master_id = d.id)`;
  return `(${alias}.device_id in (select d.id from ${table} d where ${devices('d')}) or not ${alias}.mgmt_only and ${alias}.device_id in (
    select m.id from ${table} d join ${table} m on m.virtual_chassis_id = d.virtual_chassis_id where ${devices('d')} and ${leads}))`;
}

/** SQL that is true where an expression is the id of an interface that the devices can use. */
export const interfacesOf = (sql: FilterSql, id: string, devices: Devices): string =>
  `${id} in (select i.id from ${sql.tableOf('dcim.interface')} i where ${usedBy(sql, 'i', devices, false)})`;

/** Devices whose name is one of the texts, or whose id is one of the numbers. */
export const byName = (sql: FilterSql, names: string[]): Devices => {
  const bound = sql.bind(names);
  return (alias) => `${alias}.name = any(${bound}::text[])`;
};
export const byId = (sql: FilterSql, ids: string[]): Devices => {
  const bound = sql.bind(ids);
  return (alias) => `${alias}.id = any(${bound}::bigint[])`;
};

const used = (everybody: boolean): [Filter, Filter] => [
  method('text', (sql, names) => usedBy(sql, sql.table, byName(sql, names), everybody), true),
  method('number', (sql, ids) => usedBy(sql, sql.table, byId(sql, ids), everybody), true),
];

export function chassisFilters(): Record<string, Filter> {
  const [member, memberId] = used(true);
  const [orMaster, orMasterId] = used(false);
  return {
    virtual_chassis_member: member,
    virtual_chassis_member_id: memberId,
    virtual_chassis_member_or_master: orMaster,
    virtual_chassis_member_or_master_id: orMasterId,
  };
}
