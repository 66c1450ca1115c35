import type { Dict, Model } from '@cadastre/model';
import { IdSet } from '../../ids.ts';
import { batchesOf } from './batches.ts';
import type { Ids } from '../mapping/ids.ts';
import type { Mapped } from '../mapping/mapping.ts';
import { isSentField } from '../mapping/sent.ts';
import type { Collection, Source } from '../sources/source.ts';
import { inWords } from '../state/tally.ts';
import type { Target } from '../target.ts';
import { BATCH } from './visits.ts';

/** An object of the source whose id is taken by another object at the target. */
export interface Conflict {
  type: string;
  id: number;
  display: string;
  why: string;
}

export interface Checked {
  model: Model;
  collection: Collection;
  map(shown: Dict): Mapped;
}

/** The ids at the target that an object of the source cannot take. */
interface InTheWay {
  /** Objects of the target that no import brought. */
  foreign: IdSet;
  /** Ids that were given to other objects of the source. */
  given: ReadonlySet<number>;
  /** The highest id of all objects there. */
  top: number;
}

async function inTheWay(target: Target, path: string, given: ReadonlySet<number>): Promise<InTheWay> {
  const found: InTheWay = { foreign: new IdSet(), given, top: 0 };
  for await (const { id, imported } of target.held(path)) {
    found.top = id;
    if (!imported) found.foreign.add(id);
  }
  return found;
}

/**
 * Finds objects that cannot be stored because the target has another object with the same id. Where `mayMap`, they get
 * other ids instead: that of the target's object with the same unique value, else one above all that are in use.
 */
export async function conflictsOf(
  { model, collection, map }: Checked,
  { source, target, ids, mayMap }: { source: Source; target: Target; ids: Ids; mayMap: boolean },
): Promise<Conflict[]> {
  const there = await inTheWay(target, collection.path, ids.given(model.name));
  if (there.foreign.size + there.given.size === 0 || collection.count === 0) return [];
  if (mayMap) await takeForTheSame(source, target, { model, collection }, there.foreign, ids);
  const conflicts: Conflict[] = [];
  const asked = askedFor(source, collection, there, (id) => ids.has(model.name, id));
  for await (const batch of batchesOf(asked, { ...BATCH, bytesOf: (shown) => JSON.stringify(shown).length })) {
    const mapped = batch.map(map);
    const outcomes = await target.store(
      collection.path,
      mapped.map(({ first, second }) => JSON.stringify({ ...first, ...second })),
      true,
    );
    for (const [i, { outcome, errors }] of outcomes.entries()) {
      const { id, display } = mapped[i]!;
      const why = there.given.has(id) ? 'another object of the source has got this id' : inWords(errors);
      if (outcome === 'refused' || there.given.has(id)) conflicts.push({ type: model.name, id, display, why });
    }
  }
  if (!mayMap) return conflicts;
  if (conflicts.length) await renumber(source, collection, model, there.top, conflicts, ids);
  return [];
}

/** The objects of the source whose ids are taken at the target. */
async function* askedFor(
  source: Source,
  collection: Collection,
  { foreign, given }: InTheWay,
  isMapped: (id: number) => boolean,
): AsyncGenerator<Dict, void> {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0];
  for (const taken of [foreign, given])
    for (const id of taken) [lowest, highest] = [Math.min(lowest, id), Math.max(highest, id)];
  for await (const shown of source.read(collection, lowest - 1)) {
    const id = Number(shown['id']);
    if (id > highest) return;
    if ((foreign.has(id) || given.has(id)) && !isMapped(id)) yield shown;
  }
}

async function renumber(
  source: Source,
  collection: Collection,
  model: Model,
  top: number,
  conflicts: readonly Conflict[],
  ids: Ids,
): Promise<void> {
  let next = top;
  for (const id of ids.given(model.name)) next = Math.max(next, id);
  for await (const { id } of source.read(collection)) next = Math.max(next, Number(id));
  for (const { id } of conflicts) ids.set(model.name, id, (next += 1));
}

/** Gives objects of the source the ids of those at the target that have the same unique value. */
async function takeForTheSame(
  source: Source,
  target: Target,
  { model, collection }: Pick<Checked, 'model' | 'collection'>,
  foreign: IdSet,
  ids: Ids,
): Promise<void> {
  const same = foreign.size ? await namesakesOf(target, model, collection.path, foreign) : undefined;
  if (!same) return;
  for await (const shown of source.read(collection)) {
    const [id, there] = [Number(shown['id']), same(shown)];
    if (there !== undefined && there !== id && !ids.has(model.name, id)) ids.set(model.name, id, there);
  }
}

/** Finds the object at the target that has the same unique value as one of the source. */
async function namesakesOf(
  target: Target,
  model: Model,
  path: string,
  foreign: IdSet,
): Promise<((shown: Dict) => number | undefined) | undefined> {
  const names = Object.entries(model.fields).flatMap(([name, field]) =>
    field.column?.unique && isSentField(field) && !field.relation ? [name] : [],
  );
  if (!names.length) return undefined;
  const there = new Map<string, number>();
  const key = (name: string, value: unknown): string => `${name} ${String(value).toLowerCase()}`;
  for await (const shown of target.shown(path, foreign))
    for (const name of names) if (shown[name]) there.set(key(name, shown[name]), Number(shown['id']));
  return (shown) => {
    const found = names.flatMap((name) => (shown[name] ? (there.get(key(name, shown[name])) ?? []) : []));
    return found[0];
  };
}
