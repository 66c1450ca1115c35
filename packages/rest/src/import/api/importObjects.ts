import { type Cell, type Dict, type Errors, isDict, type Json, type Model, type Values } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { Refusal } from '../../core/errors.ts';
import type { Draft } from '../../write/context/draft.ts';
import { parseItem } from '../../write/parse/parse.ts';
import { hasErrors, type Item } from '../../write/context/item.ts';
import { validate } from '../../write/check/validate.ts';
import { applyEffects } from '../../write/effects/applyEffects.ts';
import { parsing } from '../../write/parse/items.ts';
import { withFieldErrors } from '../../write/check/fieldErrors.ts';
import type { WriteContext } from '../../write/context/context.ts';
import { lockRows, rowColumns } from '../../write/store/store.ts';
import { sendLast } from '../../db/transaction.ts';
import { lockTree } from '../../write/store/tree.ts';
import { indexOf, valuesOf } from '../../db/values.ts';
import { isTheSame } from './identity.ts';
import { importedAmong, noteImported } from './imported.ts';
import { ImportRun } from '../../write/context/importRun.ts';
import { keepUnchangedSecrets, withChangedRows } from './unchanged.ts';
import { insertWithIds, raiseIds, updateAsGiven } from './store.ts';
import { keepUnchangedFiles } from './uploads.ts';

/** What became of one object. */
export interface ImportOutcome {
  id: number | null;
  outcome: 'created' | 'updated' | 'unchanged' | 'refused';
  /** What our rules say of it; it is stored all the same. */
  notes: Errors;
  /** Why it is not stored. */
  errors: Errors;
}

/** Thrown to roll back the transaction of a dry run. */
class DryRunOver extends Error {
  readonly taken: ImportOutcome[];
  constructor(taken: ImportOutcome[]) {
    super('nothing is stored in a dry run');
    this.taken = taken;
  }
}

/**
 * Stores objects as they are elsewhere, with their ids: those that are missing here are created, those that differ are
 * updated (fields that are not given keep their values), equal ones stay as they are. Objects that cannot be stored are
 * left out.
 * @throws Refusal for what is wrong with the request as a whole
 */
export async function importAll(
  engine: WriteEngine,
  model: Model,
  objects: readonly Json[],
  dryRun: boolean,
  given: Omit<WriteContext, 'importing' | 'ahead'>,
): Promise<ImportOutcome[]> {
  const taken: ImportOutcome[] = [];
  let left = objects.flatMap((object, place) => {
    const id = isDict(object) ? object['id'] : undefined;
    if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return [{ place, id, object: object as Dict }];
    taken[place] = { id: null, outcome: 'refused', notes: {}, errors: { id: ['A positive integer is required.'] } };
    return [];
  });
  const highest = left.reduce((most, { id }) => Math.max(most, id), 0);
  await engine.ready();
  if (highest && !dryRun) await raiseIds(engine.tables, model, highest, engine.pool);
  while (left.length) {
    const portion = left;
    const attempt = await attemptImport(
      engine,
      model,
      portion.map(({ object }) => object),
      dryRun,
      given,
    );
    for (const [i, one] of attempt.taken.entries()) taken[portion[i]!.place] = one;
    const again = new Set(attempt.again);
    left = portion.filter((_, i) => again.has(i));
    // When it is not known which of several is wrong, each is tried by itself.
    if (attempt.apart)
      for (const { place, object } of left.splice(0)) {
        const [one] = (await attemptImport(engine, model, [object], dryRun, given)).taken;
        taken[place] = one!;
      }
  }
  return taken;
}

interface Attempt {
  taken: ImportOutcome[];
  /** The places of objects without errors that were not stored because of others. */
  again: number[];
  /** Whether it is unknown which of the objects is wrong. */
  apart?: boolean;
}

async function attemptImport(
  engine: WriteEngine,
  model: Model,
  objects: readonly Dict[],
  dryRun: boolean,
  given: Omit<WriteContext, 'importing' | 'ahead'>,
): Promise<Attempt> {
  const importing = new ImportRun(dryRun);
  const context: WriteContext = { ...given, importing };
  const refused = (place: number, errors: Errors): ImportOutcome => ({
    id: objects[place]!['id'] as number,
    outcome: 'refused',
    notes: importing.notesOf(place),
    errors,
  });
  try {
    return {
      taken: await engine.transact((client) => importInTransaction(engine, model, objects, context, importing, client)),
      again: [],
    };
  } catch (error) {
    if (error instanceof DryRunOver) return { taken: error.taken, again: [] };
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    const { body } = error;
    if (Array.isArray(body) && body.length === objects.length) {
      const wrong = (body as Errors[]).map((errors) => Object.keys(errors).length > 0);
      return {
        taken: (body as Errors[]).map((errors, i) => refused(i, errors)),
        again: wrong.flatMap((is, i) => (is ? [] : [i])),
      };
    }
    const errors = isDict(body as Json) ? (body as Errors) : { __all__: [error.message] };
    return objects.length === 1
      ? { taken: [refused(0, errors)], again: [] }
      : { taken: [], again: objects.map((_, i) => i), apart: true };
  }
}

async function importInTransaction(
  engine: WriteEngine,
  model: Model,
  objects: readonly Dict[],
  context: WriteContext,
  importing: ImportRun,
  client: PoolClient,
): Promise<ImportOutcome[]> {
  const { tables } = engine;
  await lockTree(model, client);
  const ids = objects.map((object) => object['id'] as number);
  const rows = await lockRows(tables, model, 't.id = any($1::bigint[])', [ids], client);
  const there = new Map(rows.map((cells) => [Number(cells[0]), cells]));
  const imported = await importedAmong(model, ids, client);
  const index = indexOf(rowColumns(model));
  const reading = parsing(engine, context.files);
  const drafts = objects.map((object, i): Draft => {
    const cells = there.get(ids[i]!) ?? null;
    const before = cells && valuesOf(model, index, cells);
    const item = parseItem(model, object, i, cells ? 'patch' : 'create', reading, importing);
    item.id = ids[i]!;
    if (before && !imported.has(ids[i]!) && !isTheSame(model, before, item))
      item.errors = {
        id: [`Another ${model.label} has this id, and did not come by an import: ${describe(model, before)}`],
      };
    return { item, object: { ...before, id: ids[i]! }, before, beforeCells: cells };
  });
  refuseDuplicateIds(drafts.map(({ item }) => item));
  if (drafts.some(({ item }) => hasErrors(item))) throw refusalOf(drafts);
  await keepUnchangedFiles(engine, model, drafts, context.files);
  const definitions = await validate(engine, model, drafts, context, client, { single: false });
  keepUnchangedSecrets(model, drafts, engine.seal);
  const stored = await withFieldErrors(model, drafts, false, () =>
    storeObjects(
      engine,
      model,
      drafts.filter(({ item }) => !importing.incomplete.has(item.index)),
      client,
    ),
  );
  const touched = drafts.filter(({ item }) => stored.has(item.id!));
  const taken = drafts.map(
    ({ item, before }, i): ImportOutcome => ({
      id: item.id!,
      outcome: !before ? 'created' : stored.has(item.id!) || importing.incomplete.has(i) ? 'updated' : 'unchanged',
      notes: importing.notesOf(i),
      errors: {},
    }),
  );
  if (importing.dryRun) throw new DryRunOver(taken);
  await noteImported(
    model,
    ids.filter((id) => !imported.has(id)),
    client,
  );
  if (!touched.length) return taken;
  const finishing = {
    drafts: touched,
    stored: touched.map(({ item }) => stored.get(item.id!)!),
    action: 'add',
    definitions,
    single: false,
  };
  const { write } = await applyEffects(engine, model, finishing, context, client);
  sendLast(client, write());
  return taken;
}

/** Stores what is new and what differs. Returns the rows by id. */
async function storeObjects(
  engine: WriteEngine,
  model: Model,
  drafts: readonly Draft[],
  client: PoolClient,
): Promise<Map<number, Cell[]>> {
  const { tables } = engine;
  const objectsOf = (some: readonly Draft[]): Values[] => some.map(({ object }) => object);
  const known = drafts.filter(({ before }) => before);
  const added = drafts.filter(({ before }) => !before);
  const anyhow = await withChangedRows(engine, model, known, client);
  const changed = known.length ? await updateAsGiven(tables, model, objectsOf(known), anyhow, client) : [];
  const made = added.length ? await insertWithIds(tables, model, objectsOf(added), client) : [];
  return new Map([...changed, ...made.map((cells) => [Number(cells[0]), cells] as const)]);
}

/** A short description of an existing object. */
const describe = ({ brief }: Model, object: Values): string =>
  brief
    .flatMap((name) =>
      object[name] === undefined || object[name] === null ? [] : [`${name} ${JSON.stringify(object[name])}`],
    )
    .slice(0, 2)
    .join(', ');

/** Two objects of a request with one id cannot both be stored. */
function refuseDuplicateIds(items: readonly Item[]): void {
  const seen = new Set<number>();
  for (const item of items) {
    if (seen.has(item.id!)) item.errors = { id: [`Object ${item.id} is named more than once.`] };
    seen.add(item.id!);
  }
}

const refusalOf = (drafts: readonly Draft[]): Refusal =>
  new Refusal(
    400,
    drafts.map(({ item }) => item.errors),
  );
