import type { Model } from '../types/model.ts';
import type { Catalogue } from './catalogue.ts';
import type { Incoming } from './models.ts';

/** Objects that refer to others, under the name that scripts and templates know them by there: `device.interfaces`. */
export interface Backwards {
  model: Model;
  field: string;
}

const known = new WeakMap<Catalogue, Map<string, ReadonlyMap<string, Backwards>>>();

/**
 * What refers to objects of a type, by name. A relation that is declared with `backwards` has that name, the parent of
 * a tree `children`; others are called by the plural of what refers: `consoleports` (also `console_ports`,
 * `consoleport_set`). Where several fields of a model refer to the type, only the one that is named after it has that
 * name; the others have `<plural>_as_<field>`.
 */
export function backwardsOf(catalogue: Catalogue, type: string): ReadonlyMap<string, Backwards> {
  let types = known.get(catalogue);
  if (!types) known.set(catalogue, (types = new Map()));
  let names = types.get(type);
  if (!names) types.set(type, (names = namesFor(catalogue, type)));
  return names;
}

const shortOf = (name: string): string => name.split('.')[1]!;
const joined = (words: string): string => words.toLowerCase().replaceAll(/[ -]/g, '_');

function namesFor(catalogue: Catalogue, type: string): Map<string, Backwards> {
  const all = catalogue
    .incoming(type)
    .filter(({ model, field }) => model.part !== 'hidden' && !model.fields[field]!.hidden);
  const names = new Map<string, Backwards>();
  // Exact names first: where two models have the same plural, the one that is called so keeps it.
  const byRank = all.flatMap((one) => namesOf(catalogue, type, one, all)).sort((a, b) => a.rank - b.rank);
  for (const { name, model, field } of byRank) if (!names.has(name)) names.set(name, { model, field });
  return names;
}

interface Ranked extends Backwards {
  name: string;
  rank: number;
}

function namesOf(catalogue: Catalogue, type: string, { model, field }: Incoming, all: readonly Incoming[]): Ranked[] {
  const short = shortOf(model.name);
  const plural = joined(model.plural);
  const one = (name: string, rank: number): Ranked => ({ name, rank, model, field });
  const declared = model.fields[field]!.relation?.backwards ?? model.fields[field]!.generic?.backwards;
  if (declared) return [one(declared, 0)];
  if (model.tree && field === 'parent' && model.name === type) return [one('children', 0)];
  const own = all.filter((other) => other.model === model && !other.model.fields[other.field]!.relation?.backwards);
  const target = catalogue.has(type) ? joined(catalogue.get(type).label) : '';
  if (own.length > 1 && field !== target && field !== shortOf(type))
    return [one(`${plural}_as_${field}`, 2), one(`${short}s_as_${field}`, 2)];
  return [one(`${short}s`, 1), one(plural, 2), one(`${short}_set`, 3)];
}
