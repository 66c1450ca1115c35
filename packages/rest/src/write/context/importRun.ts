import type { Errors } from '@cadastre/model';
import type { Item } from './item.ts';

/**
 * How an import writes: objects come as they were elsewhere, so what our rules would refuse today is noted, and the
 * object is stored all the same.
 */
export class ImportRun {
  /** Nothing is kept in the end, so what objects refer to need not be there yet. */
  readonly dryRun: boolean;
  /** The places of objects that refer to some that are not there yet. */
  readonly incomplete = new Set<number>();
  readonly #notes = new Map<number, Errors>();

  constructor(dryRun: boolean) {
    this.dryRun = dryRun;
  }

  /** What was noted about the object at a place of the request. */
  notesOf(index: number): Errors {
    return this.#notes.get(index) ?? {};
  }

  note({ index }: Item, messages: Errors): void {
    const notes = this.#notes.get(index) ?? {};
    for (const [key, more] of Object.entries(messages)) {
      const there = notes[key];
      notes[key] = Array.isArray(there) && Array.isArray(more) ? [...new Set<unknown>([...there, ...more])] : more;
    }
    if (Object.keys(notes).length) this.#notes.set(index, notes);
  }
}

/** Runs a part of the checks; in an import, their messages become notes, and the items stay valid. */
export async function noteInImport(
  importing: ImportRun | undefined,
  items: readonly Item[],
  check: () => unknown,
): Promise<void> {
  if (!importing) {
    await check();
    return;
  }
  const kept = items.map((item) => item.errors);
  for (const item of items) item.errors = {};
  await check();
  for (const [i, item] of items.entries()) {
    // Messages about an object may be wrong once the objects that it refers to are there.
    if (!importing.incomplete.has(item.index)) importing.note(item, item.errors);
    item.errors = kept[i]!;
  }
}

/** Looks up what objects refer to; in a dry run, missing objects are ignored. */
export async function lookUpInImport<T>(
  importing: ImportRun | undefined,
  items: readonly Item[],
  look: () => Promise<T>,
): Promise<T> {
  const kept = importing?.dryRun ? items.map((item) => ({ ...item.errors })) : undefined;
  const found = await look();
  for (const [i, errors] of kept?.entries() ?? []) {
    const item = items[i]!;
    if (Object.keys(item.errors).some((key) => !(key in errors))) importing!.incomplete.add(item.index);
    item.errors = errors;
  }
  return found;
}
