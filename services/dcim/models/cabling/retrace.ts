import { arrayItems, type Follow, lookedUp, invalidating, typeId } from '@cadastre/model';
import { load, type Reading } from './load.ts';
import { CIRCUIT_END, type End, keyOf, type Node, PATH_ENDPOINTS, Plant } from './plant.ts';
import { type Path, trace } from './trace.ts';

const PATHS = 'dcim.cablepath';

/**
 * The lock that lets only one request at a time trace paths: two requests that each add a part of the same path would
 * not see each other's part.
 */
const LOCK = typeId(PATHS);

/**
 * Retraces all paths that a change at the nodes may affect: those over them, and those that begin there. The number of
 * statements grows with the length of paths, not with their number. Returns the reason why one of the paths is invalid,
 * if there is one.
 */
export async function retrace(nodes: Node[], context: Reading): Promise<string | undefined> {
  if (!nodes.length) return undefined;
  await context.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const keys = [...new Set(nodes.map(keyOf))];
  const old = await context.query(
    `select id, origin_type, origin_ids from ${context.tableOf(PATHS)} where seen && $1::text[] order by id`,
    [keys],
  );
  const before = old.flatMap(([, type, ids]) => arrayItems(ids!).map((id): Node => ({ type: type!, id: Number(id) })));
  const starts = new Map(
    [...before, ...nodes.filter(({ type }) => PATH_ENDPOINTS.includes(type))].map((node) => [keyOf(node), node]),
  );
  const plant = new Plant();
  const paths = await traceAll(await originsOf([...starts.values()], plant, context), plant, context);
  await store(new Map(old.map(([id, type, ids]) => [`${type}:${ids}`, id!])), paths, context);
  await touch([...starts.values(), ...paths.flatMap(({ origins }) => origins)], context);
  return paths.find(({ unsupported }) => unsupported)?.unsupported;
}

/** The ends that begin a path together: those of one side of a cable, and of one connector. */
async function originsOf(starts: Node[], plant: Plant, context: Reading): Promise<Node[][]> {
  for (const node of starts) plant.endAt(node);
  if (plant.wanted.size) await load(plant, context);
  const groups = new Map<string, Node[]>();
  for (const node of starts) {
    const end = plant.endAt(node);
    if (end)
      groups.set(
        `${end.cable} ${end.side} ${end.connector}`,
        plant
          .cable(end.cable)
          .ends.filter((other) => together(end, other))
          .map((other) => other.node),
      );
  }
  return [...groups.values()];
}

const together = (a: End, b: End): boolean => a.side === b.side && a.connector === b.connector;

async function traceAll(origins: Node[][], plant: Plant, context: Reading): Promise<Path[]> {
  const paths: Path[] = [];
  for (let left = origins; left.length; ) {
    const open: Node[][] = [];
    for (const group of left) {
      const path = trace(group, plant);
      if (path === undefined) open.push(group);
      else if (path) paths.push(path);
    }
    if (open.length) await load(plant, context);
    left = open;
  }
  return paths;
}

/**
 * Replaces stored paths; `old` has their ids by origin. A path keeps the id of the one that began at the same origin.
 */
async function store(old: ReadonlyMap<string, string>, paths: Path[], { query, tableOf }: Reading): Promise<void> {
  const rows = paths.map((path) => {
    const last = path.complete ? path.steps.at(-1)! : [];
    return {
      id: old.get(`${path.origins[0]!.type}:{${path.origins.map(({ id }) => id).join()}}`) ?? null,
      origin_type: path.origins[0]!.type,
      origin_ids: path.origins.map(({ id }) => id),
      steps: path.steps.map((step) => step.map(keyOf)),
      seen: path.seen,
      is_active: path.active,
      is_complete: path.complete,
      is_split: path.split,
      destination_type: last[0]?.type ?? null,
      destination_ids: last.map(({ id }) => id),
    };
  });
  const names = [
    'origin_type',
    'origin_ids',
    'steps',
    'seen',
    'is_active',
    'is_complete',
    'is_split',
    'destination_type',
    'destination_ids',
  ];
  const columns = names.join(', ');
  await query(
    `with incoming as (
       select * from jsonb_to_recordset($2::jsonb) as r(id bigint, origin_type text, origin_ids bigint[], steps jsonb, seen text[], is_active boolean, is_complete boolean, is_split boolean, destination_type text, destination_ids bigint[])
     ), gone as (
       delete from ${tableOf(PATHS)} p where p.id = any(array(
         select unnest($1::bigint[]) union select q.id from incoming r ${lookedUp(`select q.id from ${tableOf(PATHS)} q where q.origin_type = r.origin_type and q.origin_ids && r.origin_ids`)} q
       )) and not exists (select 1 from incoming r where r.id = p.id)
     ), changed as (
       update ${tableOf(PATHS)} p set ${names.map((name) => `${name} = r.${name}`).join(', ')} from incoming r where r.id = p.id and p.id = any($1::bigint[])
     ) insert into ${tableOf(PATHS)} (${columns}) select ${columns} from incoming where id is null`,
    [[...old.values()], JSON.stringify(rows)],
  );
}

/** Invalidates what is cached of the objects whose connections have changed. */
async function touch(nodes: Node[], { query }: Reading): Promise<void> {
  const all = [{ type: PATHS, id: 0 }, ...new Map(nodes.map((node) => [keyOf(node), node])).values()];
  await query(invalidating('select * from unnest($1::int[], $2::bigint[])'), [
    all.map(({ type }) => typeId(type)),
    all.map(({ id }) => id),
  ]);
}

/** Retraces paths over circuits when ends of those circuits change. */
export const retraceCircuits: Follow = async (ids, context) => {
  const table = context.tableOf(CIRCUIT_END);
  const rows = await context.query(
    `select distinct o.id from ${table} t join ${table} o on o.circuit_id = t.circuit_id where t.id = any($1::bigint[])`,
    [ids],
  );
  await retrace(
    [...new Set([...ids, ...rows.map(([id]) => Number(id))])].map((id) => ({ type: CIRCUIT_END, id })),
    context,
  );
};
