import type { Model } from '@cadastre/model';
import { forEachConcurrently } from '@cadastre/rest/replication/fill/forEachConcurrently';
import { IdSet } from '../../ids.ts';
import { batchesOf } from './batches.ts';
import type { Step } from './prepared.ts';
import type { TypeState, Waiting } from '../state/state.ts';
import { inWords, tell } from '../state/tally.ts';
import type { Outcome, Target } from '../target.ts';

/** What requests to the import API have in common. */
export interface Visits {
  target: Target;
  dryRun: boolean;
}

/** How many objects, and how many bytes, are sent in one request. */
export const BATCH = { most: 500, mostBytes: 2 * 1024 * 1024 };
/** How many batches of a type are in flight at the same time. */
const ABREAST = 2;

const pathOf = ({ app, path }: Model): string => `${app}/${path}`;
const done = (outcome: Outcome['outcome']): outcome is 'created' | 'updated' | 'unchanged' =>
  outcome === 'created' || outcome === 'updated' || outcome === 'unchanged';

/** Sends objects for the first time. Those that are refused wait for another attempt, in the order of the types. */
async function firstVisit(
  { target, dryRun }: Visits,
  model: Model,
  { progress: { tally }, held, later }: TypeState,
  batch: readonly Waiting[],
): Promise<void> {
  const outcomes = await target.store(
    pathOf(model),
    batch.map(({ first }) => first),
    dryRun,
  );
  const refused: Waiting[] = [];
  const again: Waiting[] = [];
  for (const [i, { outcome, notes, errors }] of outcomes.entries()) {
    const one = batch[i]!;
    if (!done(outcome)) {
      refused.push({ ...one, why: inWords(errors) });
      continue;
    }
    tally[outcome] += 1;
    if (one.second !== undefined) again.push({ ...one, first: '', outcome });
    // A refusal may be due to an object that is stored later.
    else note(tally, one, notes);
  }
  held.add(refused);
  later.add(again);
}

function note(tally: TypeState['progress']['tally'], { id, display }: Waiting, notes: Outcome['notes']): void {
  const told = inWords(notes);
  if (told) tell(tally, 'noted', { id, display, told });
}

/** Sends again what was refused or had to wait. @returns whether any of it was stored */
export async function retry(visits: Visits, model: Model, state: TypeState): Promise<boolean> {
  if (state.held.isEmpty()) return false;
  const { tally } = state.progress;
  const before = tally.created + tally.updated + tally.unchanged;
  const taken = state.held.take();
  const all = new IdSet();
  for await (const { becomes } of taken.read()) all.add(becomes);
  const batches = batchesOf(onceEach(taken.read()), { ...BATCH, bytesOf: ({ first }) => first.length });
  for await (const batch of batches) {
    // In a tree, a parent in this batch has to be sent before its children.
    const [below = [], ready = []] = [true, false].map((waits) =>
      batch.filter(({ above }) => waits === (above !== undefined && all.has(above))),
    );
    state.held.add(below);
    if (ready.length) await firstVisit(visits, model, state, ready);
  }
  state.save();
  taken.clear();
  return tally.created + tally.updated + tally.unchanged > before;
}

/** A process that was killed between two steps may have noted an object twice. */
async function* onceEach(waiting: AsyncIterable<Waiting>): AsyncGenerator<Waiting> {
  const seen = new IdSet();
  for await (const one of waiting) if (seen.add(one.id)) yield one;
}

/** Sends the references of a type that had to wait. */
export async function secondVisit(visits: Visits, model: Model, state: TypeState): Promise<void> {
  const { later, progress } = state;
  if (later.isEmpty()) return;
  const taken = later.take();
  const batches = batchesOf(onceEach(taken.read()), { ...BATCH, bytesOf: ({ second }) => second!.length });
  await forEachConcurrently(batches, ABREAST, async (batch) => {
    const outcomes = await visits.target.store(
      pathOf(model),
      batch.map(({ second }) => second!),
      visits.dryRun,
    );
    for (const [i, { outcome, notes, errors }] of outcomes.entries()) {
      const one = batch[i]!;
      if (outcome === 'refused')
        tell(progress.tally, 'refused', { id: one.id, display: one.display, told: inWords(errors) });
      else note(progress.tally, one, notes);
      if (outcome !== 'updated' || one.outcome !== 'unchanged') continue;
      progress.tally.unchanged -= 1;
      progress.tally.updated += 1;
    }
  });
  state.save();
  taken.clear();
}

/** Sends the steps for the first time, a few batches at a time; `then` is called for each batch in their order. */
export async function takeSteps(
  visits: Visits,
  model: Model,
  state: TypeState,
  steps: AsyncIterable<Step>,
  then: (batch: readonly Step[]) => void,
): Promise<void> {
  let before: Promise<void> = Promise.resolve();
  await forEachConcurrently(
    batchesOf(steps, { ...BATCH, bytesOf: ({ waiting }) => waiting?.first.length ?? 0 }),
    ABREAST,
    (batch) => {
      const waiting = batch.flatMap((step) => (step.waiting && !step.holds ? step.waiting : []));
      const sent = waiting.length ? firstVisit(visits, model, state, waiting) : undefined;
      before = Promise.all([before, sent]).then(() => then(batch));
      return before;
    },
  );
}
