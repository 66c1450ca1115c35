import type { Model } from '@cadastre/model';
import { type IdSet, idSetOf } from '../../ids.ts';
import type { TypeState } from '../state/state.ts';
import { inWords, tell } from '../state/tally.ts';
import type { Target } from '../target.ts';

const MOST = 500;

/** This many may always be deleted. */
const FEW = 100;

/** A source that lacks most objects of a type probably shows only a part of them: deleting that many between two imports is unusual. */
const isSuspicious = (gone: number, all: number): boolean => gone > FEW && gone > all / 2;

/**
 * Deletes what an import brought and the source no longer has; with `dryRun`, only counts it. When that is most of a
 * type, nothing is deleted unless `many` allows it.
 */
export async function deleteGone(
  target: Target,
  { app, path: last }: Model,
  { progress: { tally }, ids }: TypeState,
  { dryRun, many }: { dryRun: boolean; many: boolean },
): Promise<void> {
  const path = `${app}/${last}`;
  const found = await goneFrom(target, path, await idSetOf(ids()));
  let { gone } = found;
  if (!many && isSuspicious(gone.length, found.all)) {
    for (const id of gone) tell(tally, 'stayed', { id, told: 'is one of very many: --delete-many lets go of them' });
    return;
  }
  if (dryRun) {
    tally.deleted += gone.length;
    return;
  }
  // What depends on another object is deleted together with it.
  for (let before = Number.POSITIVE_INFINITY; gone.length && gone.length < before; ) {
    before = gone.length;
    const stayed: { id: number; told: string }[] = [];
    for (let at = 0; at < gone.length; at += MOST)
      for (const { id, outcome, errors } of await target.remove(path, gone.slice(at, at + MOST))) {
        if (outcome === 'deleted') tally.deleted += 1;
        else stayed.push({ id, told: inWords(errors) });
      }
    if (stayed.length === before) for (const one of stayed) tell(tally, 'stayed', one);
    gone = stayed.map(({ id }) => id);
  }
}

/** The imported objects whose ids are not among these, the newest first, and how many were imported in all. */
async function goneFrom(target: Target, path: string, ids: IdSet): Promise<{ gone: number[]; all: number }> {
  const gone: number[] = [];
  let all = 0;
  for await (const { id, imported } of target.held(path)) {
    if (imported) all += 1;
    if (imported && !ids.has(id)) gone.push(id);
  }
  return { gone: gone.reverse(), all };
}
