import type { Catalogue, Dict, Model } from '@cadastre/model';
import pMap from 'p-map';
import { IdSet, idSetOf } from '../../ids.ts';
import { deleteGone } from './deletions.ts';
import type { Import } from './import.ts';
import { knownTo } from '../mapping/known.ts';
import { mappingOf } from '../mapping/mapping.ts';
import { isSent } from '../mapping/sent.ts';
import { type Order, orderOf } from '../mapping/order.ts';
import { bringPreferences } from './preferences.ts';
import { type Checked, type Conflict, conflictsOf } from './preflight.ts';
import { prepared } from './prepared.ts';
import type { Collection, Source } from '../sources/source.ts';
import type { TypeState } from '../state/state.ts';
import { KEPT, newTally, type Tally, tell } from '../state/tally.ts';
import { retry, secondVisit, takeSteps, type Visits } from './visits.ts';

export interface Imported {
  tallies: Tally[];
  /** Other objects at the target have the ids: nothing was changed. */
  conflicts: Conflict[];
  resumed: boolean;
}

/** Types that record the past, not the present. */
const HISTORY = new Set(['core.objectchange', 'extras.journalentry']);

/** A type that is being imported. */
interface Traveller extends Checked {
  state: TypeState;
}

/** Imports everything from the source into the target. @throws Unreachable, Unreadable */
export async function runImport(options: Import): Promise<Imported> {
  const { catalogue, source, target, ids, dryRun, deleteMany, history, parallel, progress } = options;
  const collections = new Map((await source.collections()).map((one) => [one.type, one]));
  const models = [...catalogue.models.values()].filter(
    (model) => isSent(model) && (history || !HISTORY.has(model.name)),
  );
  const counts = Object.fromEntries([...collections.values()].map(({ type, count }) => [type, count]));
  const state = options.stateFor(counts);
  const order = orderOf(models, (type) => state.counts[type] ?? 0);
  const known = await knownTo({ catalogue, models, collections, source, order, ids });
  const checked = new Map(
    models.flatMap((model): [string, Checked][] => {
      const collection = collections.get(model.name);
      return collection ? [[model.name, { model, collection, map: mappingOf(model, known) }]] : [];
    }),
  );
  const conflicts = await preflight(order, checked, options);
  if (conflicts.length) {
    if (!state.resumed) state.finish();
    return { tallies: [], conflicts, resumed: state.resumed };
  }
  if (!dryRun) ids.save();

  const travellers = new Map(
    [...checked].map(([type, one]): [string, Traveller] => [type, { ...one, state: state.type(type) }]),
  );
  const levels = order.levels.map((level) => level.flatMap(({ name }) => travellers.get(name) ?? []));
  const visits: Visits = { target, dryRun };
  for (const level of levels)
    await pMap(level, (one) => firstPass(one, visits, source, progress), { concurrency: parallel });
  await settle(levels, visits, parallel);
  // Records of past events stay, although the source may have deleted old ones.
  for (const { model, state: of } of levels.flat().toReversed())
    if (of.progress.read && !model.fromEvents) await deleteGone(target, model, of, { dryRun, many: deleteMany });
  await settle(levels, visits, parallel);
  for (const { state: of } of levels.flat()) await tellRefused(of);
  const tallies = [
    ...levels.flat().map((one) => one.state.progress.tally),
    ...(await bringPreferences(options)),
    ...(await unknown(collections, catalogue, source)),
  ];
  state.finish();
  return { tallies, conflicts, resumed: state.resumed };
}

async function preflight(
  { levels }: Order,
  checked: Map<string, Checked>,
  { source, target, ids, mapIds, parallel }: Import,
): Promise<Conflict[]> {
  const all = levels.flat().flatMap(({ name }) => checked.get(name) ?? []);
  const found = await pMap(
    all,
    (one) => conflictsOf(one, { source, target, ids, mayMap: mapIds || mayHaveOtherIds(one.model) }),
    { concurrency: parallel },
  );
  return found.flat();
}

/**
 * Types of which the target always has objects already, and whose ids nobody depends on: tokens are known by the value
 * that is shown when they are created, and nothing refers to records of past events.
 */
const mayHaveOtherIds = ({ fields, fromEvents }: Model): boolean =>
  fromEvents === true || Object.values(fields).some(({ onlyWhenCreated, secret }) => onlyWhenCreated && secret);

/** Sends all objects of a type once, from where an earlier run stopped. */
async function firstPass(
  { model, collection, map, state }: Traveller,
  visits: Visits,
  source: Source,
  progress: Import['progress'],
): Promise<void> {
  const { progress: so } = state;
  if (so.read) return;
  progress.begin(model.name, collection.count);
  const sent = model.tree ? await idSetOf(state.ids()) : new IdSet();
  const objects = source.read(collection, so.after);
  const isSent = (parent: number): boolean => sent.has(parent);
  const steps = prepared({ model, objects, map, source, dryRun: visits.dryRun, isSent });
  await takeSteps(visits, model, state, steps, (batch) => {
    const ids = batch.map(({ becomes }) => becomes);
    state.seen(ids);
    if (model.tree) for (const id of ids) sent.add(id);
    state.held.add(batch.flatMap(({ holds, waiting }) => (holds && waiting ? waiting : [])));
    for (const { told } of batch) for (const [kind, one] of told) tell(so.tally, kind, one);
    so.tally.read += batch.length;
    so.after = batch.at(-1)!.id;
    state.save();
    progress.at(model.name, so.tally.read);
  });
  so.read = true;
  state.save();
  progress.end(model.name);
}

/** Retries refused objects as long as that helps, then sends the references that had to wait. */
async function settle(levels: readonly Traveller[][], visits: Visits, parallel: number): Promise<void> {
  for (let helped = !visits.dryRun; helped; ) {
    helped = false;
    for (const { model, state } of levels.flat()) if (await retry(visits, model, state)) helped = true;
  }
  for (const level of levels)
    await pMap(level, ({ model, state }) => secondVisit(visits, model, state), { concurrency: parallel });
}

async function tellRefused({ held, progress: { tally } }: TypeState): Promise<void> {
  const told = new IdSet();
  for await (const { id, display, why } of held.read())
    if (told.add(id)) tell(tally, 'refused', { id, display, told: why || 'what it lies below is not there' });
}

/** Counts the objects of types that are not known here. */
async function unknown(
  collections: ReadonlyMap<string, Collection>,
  catalogue: Catalogue,
  source: Source,
): Promise<Tally[]> {
  const absent = [...collections.values()].filter(({ type, count }) => count > 0 && !catalogue.models.has(type));
  return pMap(absent, async (collection) => {
    const tally = newTally(collection.type);
    tally.read = collection.count;
    const { missing } = tally.told;
    for await (const shown of source.read(collection)) {
      tell(tally, 'missing', {
        id: Number(shown['id']),
        display: nameOf(shown),
        told: 'is of a type that is not here',
      });
      if (missing.count === KEPT) break;
    }
    missing.count = collection.count;
    return tally;
  });
}

const nameOf = (shown: Dict): string => String(shown['display'] ?? shown['name'] ?? '');
