import type { Effect, EffectContext, Json, Stored } from '@cadastre/model';
import { locked } from '../locks.ts';
import { prefixesOf } from '../uniqueSpace.ts';

/** A network that was added to a routing table (1) or removed from it (-1). */
interface Move {
  vrf: Json;
  prefix: Json;
  n: 1 | -1;
}

const moved = (change: Stored): Move[] => {
  const at = (values: Stored['before'], n: 1 | -1): Move[] =>
    values ? [{ vrf: values['vrf'] ?? null, prefix: values['prefix']!, n }] : [];
  const { before, after } = change;
  return before && after && before['vrf'] === after['vrf'] && before['prefix'] === after['prefix']
    ? []
    : [...at(before, -1), ...at(after, 1)];
};

const MOVES = 'jsonb_to_recordset($1::jsonb) as r(vrf bigint, prefix cidr, n integer)';

/**
 * Maintains `_depth` (in how many different networks of the same routing table a prefix lies) and `children` (how many
 * prefixes lie in it). For prefixes that moved, both are counted; for all others the difference is added, so that a new
 * /24 in a /8 with many children costs little.
 */
export const keepHierarchy: Effect = async (changes, context) => {
  const moves = changes.flatMap(moved);
  if (!moves.length) return;
  await locked(
    context.query,
    moves.map((move) => prefixesOf(move.vrf)),
  );
  const own = changes.filter((change) => change.after && moved(change).length).map(({ after }) => Number(after!['id']));
  const places = [...(await counted(own, context)), ...(await shifted(moves, own, context))];
  await context.derive('ipam.prefix', places);
};

/** The new depth and children of prefixes that moved themselves. */
async function counted(ids: number[], { query, tableOf }: EffectContext): Promise<Record<string, Json>[]> {
  if (!ids.length) return [];
  const table = tableOf('ipam.prefix');
  const rows = await query(
    `select t.id, d.depth, c.children from ${table} t,
      lateral (select count(distinct o.prefix) as depth from ${table} o where o.prefix >> t.prefix and o.vrf_id is not distinct from t.vrf_id) d,
      lateral (select count(*) as children from ${table} o where o.prefix << t.prefix and o.vrf_id is not distinct from t.vrf_id) c
    where t.id = any($1::bigint[]) and (t."_depth", t.children) is distinct from (d.depth, c.children)`,
    [ids],
  );
  return rows.map(([id, depth, children]) => ({ id: Number(id), _depth: Number(depth), children: Number(children) }));
}

/**
 * The new values of the other prefixes: `children` of those around what moved, and the depth of those below a network
 * that is new in its routing table or no longer in it.
 */
async function shifted(
  moves: Move[],
  except: number[],
  { query, tableOf }: EffectContext,
): Promise<Record<string, Json>[]> {
  const table = tableOf('ipam.prefix');
  const rows = await query(
    `with moves as (select vrf, prefix, sum(n)::integer as n from ${MOVES} group by 1, 2 having sum(n) <> 0),
      nets as (
        select vrf, prefix, (now_there > 0)::integer - (now_there - n > 0)::integer as n from (
          select m.*, (select count(*) from ${table} o where o.prefix = m.prefix and o.vrf_id is not distinct from m.vrf) as now_there from moves m) x
        where (now_there > 0) <> (now_there - n > 0)),
      around as (select p.id, sum(m.n) as children from moves m join ${table} p on p.prefix >> m.prefix and p.vrf_id is not distinct from m.vrf group by 1),
      below as (select p.id, sum(m.n) as depth from nets m join ${table} p on p.prefix << m.prefix and p.vrf_id is not distinct from m.vrf group by 1)
    select p.id, p."_depth" + coalesce(b.depth, 0), p.children + coalesce(a.children, 0) from around a full join below b on b.id = a.id join ${table} p on p.id = coalesce(a.id, b.id)
    where p.id <> all($2::bigint[]) and (coalesce(a.children, 0) <> 0 or coalesce(b.depth, 0) <> 0)`,
    [JSON.stringify(moves), except],
  );
  return rows.map(([id, depth, children]) => ({ id: Number(id), _depth: Number(depth), children: Number(children) }));
}
