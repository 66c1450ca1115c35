import type { Model } from '@cadastre/model';
import { pointersOf, sentFields, tellsRows } from './sent.ts';

/** The order in which types are stored. */
export interface Order {
  /** Types that can be stored at the same time, group by group. */
  levels: readonly (readonly Model[])[];
  /** Whether all objects of `other` are stored before those of a type are first sent. */
  precedes(other: string, type: string): boolean;
}

/** The types that objects of a type refer to: those that must be stored before, and those that had better be. */
interface Needs {
  must: Set<string>;
  better: Set<string>;
}

const CUSTOM_FIELDS = 'extras.customfield';
const ANY = '*';

/**
 * Orders types so that referenced types come first. A circle of types is broken at the references for which the fewest
 * objects have to be sent a second time: `weightOf` says how many objects a type has.
 * @throws Error when types in a circle cannot be stored without each other
 */
export function orderOf(models: readonly Model[], weightOf: (type: string) => number): Order {
  const needs = needsOf(models);
  const left = new Map(models.map((model) => [model.name, model]));
  const levelOf = new Map<string, number>();
  const levels: Model[][] = [];
  const waiting = (types: Set<string>): number => [...types].filter((type) => left.has(type)).length;
  while (left.size) {
    const free = [...left.values()].filter(({ name }) => waiting(needs.get(name)!.must) === 0);
    if (!free.length) throw new Error(`These types cannot be without each other: ${[...left.keys()].join(', ')}`);
    const ready = free.filter(({ name }) => waiting(needs.get(name)!.better) === 0);
    const next = ready.length ? ready : [cheapest(free, weightOf, (name) => dependents(name, needs, left))];
    for (const { name } of next) {
      levelOf.set(name, levels.length);
      left.delete(name);
    }
    levels.push(next);
  }
  return {
    levels,
    precedes: (other, type) => (levelOf.get(other) ?? Number.POSITIVE_INFINITY) < (levelOf.get(type) ?? -1),
  };
}

/** How many types cannot be stored before this one. */
const dependents = (name: string, needs: Map<string, Needs>, left: Map<string, Model>): number =>
  [...left.keys()].filter((other) => needs.get(other)!.must.has(name)).length;

const cheapest = (free: Model[], weightOf: (type: string) => number, awaited: (type: string) => number): Model =>
  free.toSorted(
    (a, b) => weightOf(a.name) - weightOf(b.name) || awaited(b.name) - awaited(a.name) || (a.name < b.name ? -1 : 1),
  )[0]!;

function needsOf(models: readonly Model[]): Map<string, Needs> {
  const known = new Set(models.map(({ name }) => name));
  const raw = new Map(models.map((model) => [model.name, referencesOf(model, models)]));
  // Types that can refer to objects of every type come after all types that cannot.
  const last = new Set([...raw].flatMap(([name, { must }]) => (must.has(ANY) ? [name] : [])));
  const others = [...known].filter((name) => !last.has(name));
  const spread = (name: string, types: Set<string>): Set<string> =>
    new Set(
      [...types].flatMap((type) => (type === ANY ? others : [type])).filter((type) => type !== name && known.has(type)),
    );
  return new Map(
    [...raw].map(([name, { must, better }]) => [name, { must: spread(name, must), better: spread(name, better) }]),
  );
}

function referencesOf(model: Model, models: readonly Model[]): Needs {
  const needs: Needs = { must: new Set(), better: new Set() };
  for (const [, field] of sentFields(model)) {
    if (field.relation) (field.relation.many || field.nullable ? needs.better : needs.must).add(field.relation.to);
    if (field.special === 'customFields') needs.must.add(CUSTOM_FIELDS);
    if (field.owned && tellsRows(model, field, models))
      for (const type of targetsOf(field.owned.from)) needs.must.add(type);
  }
  for (const { to, optional, outlives } of pointersOf(model))
    for (const type of to ?? [ANY]) (optional && !outlives ? needs.better : needs.must).add(type);
  return needs;
}

/** The types that rows of a part refer to. */
const targetsOf = (part: Model): string[] => [
  ...Object.values(part.fields).flatMap(({ relation, hidden }) => (relation && !hidden ? [relation.to] : [])),
  ...Object.values(part.fields).flatMap(({ generic }) => generic?.to ?? []),
];
