import type { Cell, Follow, Json } from '@cadastre/model';

const TERMINATION = 'circuits.circuittermination';
const number = (cell: Cell | undefined): Json => (cell === null || cell === undefined ? null : Number(cell));

/**
 * Cables belong to dcim; a termination stores the cable that ends at it, and at which end and positions. When a cable
 * is deleted, the reference to it may be empty already.
 */
export const followCables: Follow = async (ids, { query, tableOf, derive }) => {
  const own = tableOf(TERMINATION);
  const ends = tableOf('dcim.cabletermination');
  const rows = await query(
    `select t.id, e.cable_id, e.cable_end, e.connector, to_jsonb(e.positions)
     from ${own} t left join ${ends} e on e.termination_type = '${TERMINATION}' and e.termination_id = t.id
     where (t.id in (select n.termination_id from ${ends} n where n.id = any($1::bigint[]) and n.termination_type = '${TERMINATION}') or (e.id is null and (t.cable_id is not null or t.cable_end is not null)))
       and (t.cable_id, t.cable_end, t.cable_connector, t.cable_positions) is distinct from (e.cable_id, e.cable_end, e.connector, e.positions)`,
    [ids],
  );
  await derive(
    TERMINATION,
    rows.map(([id, cable, end, connector, positions]) => ({
      id: Number(id),
      cable: number(cable),
      cable_end: end ?? null,
      cable_connector: number(connector),
      cable_positions: positions ? (JSON.parse(positions) as Json) : null,
    })),
  );
};
