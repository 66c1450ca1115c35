import type { Values } from '@cadastre/model';
import type { Reading } from './load.ts';
import { CIRCUIT_END, keyOf, type Node } from './plant.ts';

/** SQL of where the objects of a type are: id, device, rack, location, site. */
function placeSql(type: string, tableOf: Reading['tableOf']): string {
  if (type === 'dcim.powerfeed') {
    return `select t.id, null, t.rack_id, coalesce(r.location_id, p.location_id), coalesce(r.site_id, p.site_id) from ${tableOf(type)} t join ${tableOf('dcim.powerpanel')} p on p.id = t.power_panel_id
      left join ${tableOf('dcim.rack')} r on r.id = t.rack_id`;
  }
  if (type === CIRCUIT_END) {
    return `select t.id, null, null, l.id, coalesce(l.site_id, case when t.termination_type = 'dcim.site' then t.termination_id end) from ${tableOf(type)} t
      left join ${tableOf('dcim.location')} l on t.termination_type = 'dcim.location' and l.id = t.termination_id`;
  }
  return `select t.id, d.id, d.rack_id, d.location_id, d.site_id from ${tableOf(type)} t join ${tableOf('dcim.device')} d on d.id = t.device_id`;
}

/** Where things are that cables end at, in order. One statement for each type. */
export async function placesOf(nodes: Node[], { query, tableOf }: Reading): Promise<(Values | undefined)[]> {
  const found = new Map<string, Values>();
  for (const [type, group] of Map.groupBy(nodes, (node) => node.type)) {
    for (const [id, ...places] of await query(`${placeSql(type, tableOf)} where t.id = any($1::bigint[])`, [group.map((node) => node.id)])) {
      const [_device, _rack, _location, _site] = places.map((place) => (place === null ? null : Number(place))) as [number | null, number | null, number | null, number | null];
      found.set(`${type}:${id}`, { _device, _rack, _location, _site });
    }
  }
  return nodes.map((node) => found.get(keyOf(node)));
}
