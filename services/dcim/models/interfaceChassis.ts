// Interfaces that a device has the use of: its own, and those that the members of its virtual chassis share.
import { type Filter, type FilterSql, method } from '@cadastre/model';

/** `condition` says which devices are meant. A master has the use of all that is not for management alone; so have members where `everybody` is true. */
const usedBy = ({ table, tableOf }: FilterSql, condition: (alias: string) => string, everybody: boolean): string => {
  const devices = tableOf('dcim.device');
  const leads = everybody ? 'true' : `exists (select 1 from ${tableOf('dcim.virtualchassis')} c where c.id = d.virtual_chassis_id and c.master_id = d.id)`;
  return `(${table}.device_id in (select d.id from ${devices} d where ${condition('d')}) or not ${table}.mgmt_only and ${table}.device_id in (
    select m.id from ${devices} d join ${devices} m on m.virtual_chassis_id = d.virtual_chassis_id where ${condition('d')} and ${leads}))`;
};

const byName = (everybody: boolean): Filter => method('text', (sql, names) => { const bound = sql.bind(names); return usedBy(sql, (d) => `${d}.name = any(${bound}::text[])`, everybody); }, true);

const byId = (everybody: boolean): Filter => method('number', (sql, ids) => { const bound = sql.bind(ids); return usedBy(sql, (d) => `${d}.id = any(${bound}::bigint[])`, everybody); }, true);

export const chassisFilters = (): Record<string, Filter> => ({
  virtual_chassis_member: byName(true), virtual_chassis_member_id: byId(true),
  virtual_chassis_member_or_master: byName(false), virtual_chassis_member_or_master_id: byId(false),
});
