import { arrayItems, type EffectContext, lookedUp } from '@cadastre/model';
import {
  type Cable,
  CIRCUIT_END,
  FRONT_PORT,
  type Node,
  type Plant,
  type Port,
  REAR_PORT,
  type Side,
} from './plant.ts';

/** What loading and storing need of the database. */
export type Reading = Pick<EffectContext, 'query' | 'tableOf'>;

const numbers = (cell: string | null): number[] | null => (cell === null ? null : arrayItems(cell).map(Number));
const idsOf = (nodes: Node[], type: string): number[] => nodes.filter((node) => node.type === type).map(({ id }) => id);

/** Loads everything that the plant is missing, by at most four statements however much it is. */
export async function load(plant: Plant, context: Reading): Promise<void> {
  const nodes = [...plant.wanted.values()];
  await loadCables(plant, nodes, context);
  await loadPorts(plant, idsOf(nodes, FRONT_PORT), FRONT_PORT, context);
  await loadPorts(plant, idsOf(nodes, REAR_PORT), REAR_PORT, context);
  await loadCircuits(plant, idsOf(nodes, CIRCUIT_END), context);
  plant.settle(nodes);
}

/** The cables that end at the nodes, with all their ends. */
async function loadCables(plant: Plant, nodes: Node[], { query, tableOf }: Reading): Promise<void> {
  const ends = tableOf('dcim.cabletermination');
  const rows = await query(
    `with wanted as materialized (
       select array(select distinct x.cable_id from unnest($1::text[], $2::bigint[]) n (type, id) ${lookedUp(`select x.cable_id from ${ends} x where x.termination_type = n.type and x.termination_id = n.id`)} x) as ids
     ) select c.id, c.status, c.profile, e.cable_end, e.connector, e.positions, e.termination_type, e.termination_id from ${ends} e join ${tableOf('dcim.cable')} c on c.id = e.cable_id
     where c.id = any((select ids from wanted)::bigint[]) and e.cable_id = any((select ids from wanted)::bigint[])
     order by c.id, e.cable_end, e.connector, e.id`,
    [nodes.map(({ type }) => type), nodes.map(({ id }) => id)],
  );
  for (const group of Map.groupBy(rows, ([id]) => id!).values()) {
    const [id, status, profile] = group[0]!;
    const cable: Cable = { id: Number(id), status: status!, profile: profile!, ends: [] };
    for (const [, , , side, connector, positions, type, of] of group) {
      cable.ends.push({
        cable: cable.id,
        side: side as Side,
        connector: connector === null ? null : Number(connector),
        positions: numbers(positions ?? null),
        node: { type: type!, id: Number(of) },
      });
    }
    plant.addCable(cable);
  }
}

async function loadPorts(
  plant: Plant,
  ids: number[],
  type: typeof FRONT_PORT | typeof REAR_PORT,
  { query, tableOf }: Reading,
): Promise<void> {
  if (!ids.length) return;
  const [near, far, other] =
    type === FRONT_PORT ? ['front_port', 'rear_port', REAR_PORT] : ['rear_port', 'front_port', FRONT_PORT];
  const rows = await query(
    `select p.id, p.device_id, p.positions, m.${near}_position, m.${far}_id, m.${far}_position from ${tableOf(type)} p left join ${tableOf('dcim.portmapping')} m on m.${near}_id = p.id
     where p.id = any($1::bigint[]) order by p.id, m.${near}_position, m.id`,
    [ids],
  );
  for (const group of Map.groupBy(rows, ([id]) => id!).values()) {
    const [id, device, positions] = group[0]!;
    const port: Port = { device: Number(device), positions: Number(positions), behind: [] };
    for (const [, , , position, of, at] of group)
      if (of) port.behind.push({ position: Number(position), port: { type: other, id: Number(of) }, at: Number(at) });
    plant.addPort({ type, id: Number(id) }, port);
  }
}

async function loadCircuits(plant: Plant, ids: number[], { query, tableOf }: Reading): Promise<void> {
  if (!ids.length) return;
  const table = tableOf(CIRCUIT_END);
  const rows = await query(
    `select t.id, t.termination_type, t.termination_id, o.id from ${table} t left join ${table} o on o.circuit_id = t.circuit_id and o.id <> t.id where t.id = any($1::bigint[]) order by t.id, o.id`,
    [ids],
  );
  for (const [id, type, of, other] of rows) {
    plant.addCircuitEnd(
      { type: CIRCUIT_END, id: Number(id) },
      {
        attached: type && of ? { type, id: Number(of) } : null,
        other: other ? { type: CIRCUIT_END, id: Number(other) } : null,
      },
    );
  }
}
