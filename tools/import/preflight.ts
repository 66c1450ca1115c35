import type { Dict, Model } from '@cadastre/model';
import { batchesOf } from './batches.ts';
import type { Ids } from './ids.ts';
import type { Mapped } from './mapping/mapping.ts';
import { isSentField } from './mapping/sent.ts';
import type { Collection, Source } from './source.ts';
import { inWords } from './tally.ts';
import type { Target } from './target.ts';
import { BATCH } from './visits.ts';

/** An object of the source whose id another one has at the target. */
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

interface Foreign {
  ids: Set<number>;
  lowest: number;
  highest: number;
  /** The highest id of all objects there. */
  top: number;
}

/** What the target has of a type that no import brought. */
async function foreignIn(target: Target, path: string): Promise<Foreign> {
  const found: Foreign = { ids: new Set(), lowest: 0, highest: 0, top: 0 };
  for await (const { id, imported } of target.held(path)) {
    found.top = Math.max(found.top, id);
    if (imported) continue;
    if (!found.ids.size) found.lowest = id;
    found.ids.add(id);
    found.highest = id;
  }
  return found;
}

/**
 * Finds what cannot be stored because the target has another object at its id. Where `ids` is given, such objects get
 * ids instead: that of the object there which has the same unique value, else one above all that are in use.
 */
export async function conflictsOf(
  { model, collection, map }: Checked,
  { source, target, ids }: { source: Source; target: Target; ids: Ids | undefined },
): Promise<Conflict[]> {
  const foreign = await foreignIn(target, collection.path);
  if (!foreign.ids.size || collection.count === 0) return [];
  const same = ids ? await namesakesOf(target, model, collection.path, foreign.ids) : undefined;
  if (same)
    for await (const shown of source.read(collection)) {
      const [id, there] = [Number(shown['id']), same(shown)];
      if (there !== undefined && there !== id && !ids!.has(model.name, id)) ids!.set(model.name, id, there);
    }
  const conflicts: Conflict[] = [];
  const asked = askedFor(source, collection, foreign, (id) => ids?.has(model.name, id) ?? false);
  for await (const batch of batchesOf(asked, { ...BATCH, bytesOf: (shown) => JSON.stringify(shown).length })) {
    const mapped = batch.map(map);
    const outcomes = await target.store(
      collection.path,
      mapped.map(({ first, second }) => JSON.stringify({ ...first, ...second })),
      true,
    );
    for (const [i, { outcome, errors }] of outcomes.entries())
      if (outcome === 'refused') {
        const { id, display } = mapped[i]!;
        conflicts.push({ type: model.name, id, display, why: inWords(errors) });
      }
  }
  if (ids && conflicts.length) await renumber(source, collection, model, foreign.top, conflicts, ids);
  return ids ? [] : conflicts;
}

/** The objects of the source at ids that are taken there. */
async function* askedFor(
  source: Source,
  collection: Collection,
  { ids, lowest, highest }: Foreign,
  isMapped: (id: number) => boolean,
): AsyncGenerator<Dict, void> {
  for await (const shown of source.read(collection, lowest - 1)) {
    const id = Number(shown['id']);
    if (id > highest) return;
    if (ids.has(id) && !isMapped(id)) yield shown;
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
  for await (const { id } of source.read(collection)) next = Math.max(next, Number(id));
  for (const { id } of conflicts) {
    do next += 1;
    while (ids.isTaken(model.name, next));
    ids.set(model.name, id, next);
  }
}

/** Finds the object there that has the same unique value as one of the source. */
async function namesakesOf(
  target: Target,
  model: Model,
  path: string,
  foreign: ReadonlySet<number>,
): Promise<((shown: Dict) => number | undefined) | undefined> {
  const names = Object.entries(model.fields).flatMap(([name, field]) =>
    field.column?.unique && isSentField(field) && !field.relation ? [name] : [],
  );
  if (!names.length) return undefined;
  const there = new Map<string, number>();
  const key = (name: string, value: unknown): string => `${name} ${String(value).toLowerCase()}`;
  for (const shown of await target.shown(path, [...foreign]))
    for (const name of names) if (shown[name]) there.set(key(name, shown[name]), Number(shown['id']));
  return (shown) => {
    const found = names.flatMap((name) => (shown[name] ? (there.get(key(name, shown[name])) ?? []) : []));
    return found[0];
  };
}
