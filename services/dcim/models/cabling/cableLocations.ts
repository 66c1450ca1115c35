import type { Reading } from './load.ts';
import { CIRCUIT_END, keyOf, type Node } from './plant.ts';

const POWER_FEED = 'dcim.powerfeed';
type TableOf = Reading['tableOf'];
export type Place = 'rack' | 'location' | 'site';

/**
 * The device of each node, in order; null for a node that belongs to none. A component never changes its device. One
 * statement for each type.
 */
export async function devicesOf(nodes: Node[], { query, tableOf }: Reading): Promise<(number | null)[]> {
  const found = new Map<string, number>();
  for (const [type, group] of Map.groupBy(
    nodes.filter((node) => node.type !== POWER_FEED && node.type !== CIRCUIT_END),
    (node) => node.type,
  )) {
    const rows = await query(`select t.id, t.device_id from ${tableOf(type)} t where t.id = any($1::bigint[])`, [
      group.map(({ id }) => id),
    ]);
    for (const [id, device] of rows) found.set(`${type}:${id}`, Number(device));
  }
  return nodes.map((node) => found.get(keyOf(node)) ?? null);
}

/** SQL of where power feeds are: in their rack, else with their panel. */
const feeds = (tableOf: TableOf): string =>
  `select f.id, f.rack_id, coalesce(r.location_id, p.location_id) as location_id, coalesce(r.site_id, p.site_id) as site_id
   from ${tableOf(POWER_FEED)} f join ${tableOf('dcim.powerpanel')} p on p.id = f.power_panel_id left join ${tableOf('dcim.rack')} r on r.id = f.rack_id`;

/** SQL of where ends of circuits are. */
const circuitEnds = (tableOf: TableOf): string =>
  `select t.id, null::bigint as rack_id, l.id as location_id, coalesce(l.site_id, case when t.termination_type = 'dcim.site' then t.termination_id end) as site_id
   from ${tableOf(CIRCUIT_END)} t left join ${tableOf('dcim.location')} l on t.termination_type = 'dcim.location' and l.id = t.termination_id`;

/**
 * SQL that is true when an end of a cable, the row `e`, is at a place: directly, or through the device that it belongs
 * to. `holds` makes the condition on a column.
 */
export function isAt(place: Place, holds: (column: string) => string, tableOf: TableOf): string {
  const within = (type: string, places: string): string =>
    `(e.termination_type = '${type}' and e.termination_id in (select x.id from (${places}) x where ${holds(`x.${place}_id`)}))`;
  return `(e._device_id in (select d.id from ${tableOf('dcim.device')} d where ${holds(`d.${place}_id`)}) or ${within(POWER_FEED, feeds(tableOf))} or ${within(CIRCUIT_END, circuitEnds(tableOf))})`;
}
