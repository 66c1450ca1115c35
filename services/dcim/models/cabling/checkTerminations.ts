import type { Cell, Check, CheckContext, Errors, Json, Proposed, Values } from '@cadastre/model';
import { interfaceType, virtualTypes, wirelessTypes } from '../choices/ports/interfaceType.ts';
import { cableProfile, profileOf } from './profiles.ts';
import { CIRCUIT_END, keyOf, type Node, type Side } from './plant.ts';
import { PARTNERS } from './terminable.ts';

/** The facts about an object that a cable is to be plugged into. */
interface Facts {
  cable: number | null;
  marked: boolean;
  parent: string;
  name: string;
  interfaceType: string | null;
  network: boolean;
}

type Sides = Record<Side, Node[]>;
const SIDES = ['A', 'B'] as const satisfies readonly Side[];
const FIELD = { A: 'a_terminations', B: 'b_terminations' } as const;

const all = (message: string): Errors => ({ __all__: [message] });
const asNodes = (rows: Json): Node[] =>
  (rows as Values[]).map((row) => ({ type: String(row['termination_type']), id: Number(row['termination_id']) }));

/**
 * Cables connect things that fit each other, and each thing has at most one cable. An import creates the ends itself,
 * so a cable may come without them.
 */
export const checkTerminations: Check = async (proposed, context) => {
  const given = proposed.filter(
    ({ object, before }) =>
      !before || SIDES.some((side) => object[FIELD[side]] !== undefined) || object['profile'] !== before['profile'],
  );
  const old = await oldSides(given, context);
  const sides = new Map(given.map(({ object }) => [object, sidesOf(object, old.get(Number(object['id'])))]));
  const facts = await factsOf(
    [...sides.values()].flatMap(({ A, B }) => [...A, ...B]),
    context,
  );
  return proposed.map((one) => {
    const found = sides.get(one.object);
    return (
      found &&
      ((context.importing ? undefined : endsMissing(one, found)) ??
        tooMany(one.object, found) ??
        unfit(found) ??
        taken(one.object, found, facts))
    );
  });
};

const sidesOf = (object: Values, old: Sides | undefined): Sides => {
  const side = (name: Side): Node[] =>
    object[FIELD[name]] === undefined ? (old?.[name] ?? []) : asNodes(object[FIELD[name]]!);
  return { A: side('A'), B: side('B') };
};

/** The ends that cables have now. */
async function oldSides(proposed: Proposed[], { query, tableOf }: CheckContext): Promise<Map<number, Sides>> {
  const ids = proposed.flatMap(({ before }) => (before ? [before['id']] : []));
  const sides = new Map<number, Sides>();
  if (!ids.length) return sides;
  const rows = await query(
    `select e.cable_id, e.cable_end, e.termination_type, e.termination_id from ${tableOf('dcim.cabletermination')} e where e.cable_id = any($1::bigint[]) order by e.cable_id, e.cable_end, e.connector, e.id`,
    [ids],
  );
  for (const [cable, side, type, id] of rows) {
    const of = sides.get(Number(cable)) ?? { A: [], B: [] };
    of[side as Side].push({ type: type!, id: Number(id) });
    sides.set(Number(cable), of);
  }
  return sides;
}

const endsMissing = ({ before }: Proposed, { A, B }: Sides): Errors | undefined =>
  before || (A.length && B.length) ? undefined : all('Must define A and B terminations when creating a new cable.');

/** A profile has room for as many ends as it has connectors. */
function tooMany({ profile: name }: Values, sides: Sides): Errors | undefined {
  const profile = profileOf(name);
  const label = cableProfile.find(({ value }) => value === name)?.label;
  for (const side of profile ? SIDES : []) {
    const count = sides[side].length;
    const max = profile!.connectors[side].length;
    if (count > max)
      return {
        [FIELD[side]]: [
          `${side} side of cable has ${count} terminations but only ${max} are permitted for profile ${label}`,
        ],
      };
  }
  return undefined;
}

/** All ends of a side are of one type, the types of both sides are compatible, and no object is at both sides. */
function unfit({ A, B }: Sides): Errors | undefined {
  if ([A, B].some((side) => new Set(side.map(({ type }) => type)).size > 1))
    return all('Cannot connect different termination types to same end of cable.');
  const [a, b] = [A[0]?.type, B[0]?.type];
  if (a && b && !PARTNERS[a]?.includes(b))
    return all(`Incompatible termination types: ${shortName(a)} and ${shortName(b)}`);
  const keys = new Set(A.map(keyOf));
  return B.some((node) => keys.has(keyOf(node)))
    ? all('A and B terminations cannot connect to the same object.')
    : undefined;
}

const shortName = (type: string): string => type.split('.')[1]!;

function taken(cable: Values, { A, B }: Sides, facts: ReadonlyMap<string, Facts>): Errors | undefined {
  for (const node of [...A, ...B]) {
    const known = facts.get(keyOf(node));
    if (!known) continue;
    if (known.cable !== null && known.cable !== cable['id'])
      return all(`Duplicate termination found for ${node.type} ${node.id}: cable ${known.cable}`);
    if (virtualTypes.has(known.interfaceType) || wirelessTypes.has(known.interfaceType))
      return all(
        `Cables cannot be terminated to ${interfaceType.find(({ value }) => value === known.interfaceType)?.label} interfaces`,
      );
    if (known.network) return all('Circuit terminations attached to a provider network may not be cabled.');
    if (known.marked)
      return all(`Cannot connect a cable to ${known.parent} > ${known.name} because it is marked as connected.`);
  }
  return undefined;
}

/** One statement for each type of thing. */
async function factsOf(nodes: Node[], { query, tableOf }: CheckContext): Promise<Map<string, Facts>> {
  const facts = new Map<string, Facts>();
  for (const [type, group] of Map.groupBy(nodes, (node) => node.type)) {
    const [columns, joins] = factSql(type, tableOf);
    const rows = await query(
      `select t.id, e.cable_id, t.mark_connected, ${columns} from ${tableOf(type)} t ${joins}
       left join ${tableOf('dcim.cabletermination')} e on e.termination_type = $2 and e.termination_id = t.id where t.id = any($1::bigint[])`,
      [group.map(({ id }) => id), type],
    );
    for (const row of rows) facts.set(`${type}:${row[0]}`, factOf(row));
  }
  return facts;
}

const factOf = ([, cable, marked, parent, name, type, network]: Cell[]): Facts => ({
  cable: cable ? Number(cable) : null,
  marked: marked === 't',
  parent: parent ?? '',
  name: name ?? '',
  interfaceType: type ?? null,
  network: network === 't',
});

/**
 * The names of the object and its parent, its type when it is an interface, and whether it is in a provider's network.
 */
function factSql(type: string, tableOf: CheckContext['tableOf']): [columns: string, joins: string] {
  if (type === CIRCUIT_END)
    return [`''::text, t.term_side, null::text, t.termination_type = 'circuits.providernetwork'`, ''];
  if (type === 'dcim.powerfeed')
    return ['p.name, t.name, null::text, false', `join ${tableOf('dcim.powerpanel')} p on p.id = t.power_panel_id`];
  return [
    `coalesce(d.name, d.id::text), t.name, ${type === 'dcim.interface' ? 't.type' : 'null::text'}, false`,
    `join ${tableOf('dcim.device')} d on d.id = t.device_id`,
  ];
}
