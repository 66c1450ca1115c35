import { type Filter, objects } from '@cadastre/model';

/** The objects of a routing table, and those that it imports: of tables that export one of its import targets. */
export const presentInVrf = (): Record<string, Filter> => {
  const present = (by?: string): Filter =>
    objects('ipam.vrf', by ? { by } : {}, ({ table, tableOf }, ids) => {
      const vrf = tableOf('ipam.vrf');
      return `(${table}.vrf_id = any(${ids}) or ${table}.vrf_id in (select e.id from ${vrf} e join ${vrf} i on e.export_targets && i.import_targets where i.id = any(${ids})))`;
    });
  return { present_in_vrf_id: present(), present_in_vrf: present('rd') };
};
