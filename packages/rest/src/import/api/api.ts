import { readQuery } from '@cadastre/body';
import { isDict, type Json, type Model } from '@cadastre/model';
import type { WriteEngine } from '../../write/context/engine.ts';
import { invalid, Refusal, refuse } from '../../core/errors.ts';
import { remove } from '../../write/remove/remove.ts';
import type { WriteContext } from '../../write/context/context.ts';
import { importedAmong, originsOf } from './imported.ts';
import { type ImportOutcome, importAll } from './importObjects.ts';
import { filesIn } from './uploads.ts';

/** The part of an import's addresses below those of the models. */
export const IMPORT_PATH = 'import';
export const IMPORT_METHODS = 'GET, POST, DELETE';

/** @throws Refusal 403 unless the import API is enabled, and for everybody but superusers */
export function requireImportAllowed({ settings }: WriteEngine, { who }: Pick<WriteContext, 'who'>): void {
  if (!who.grants.superuser) throw refuse(403, 'Only superusers import objects with their ids.');
  if (!settings.importApi)
    throw refuse(403, 'Objects cannot be imported with their ids here: the setting IMPORT_API is not on.');
}

/** Imports objects. @throws Refusal 400, 413 */
export async function importObjects(
  engine: WriteEngine,
  model: Model,
  body: Json | undefined,
  context: WriteContext,
): Promise<{ results: ImportOutcome[] }> {
  const { objects, files } = filesIn(model, requireListIn(engine, body, 'objects'), engine.settings.maxFileBytes);
  const dryRun = (isDict(body) ? body['dry_run'] : undefined) ?? false;
  if (typeof dryRun !== 'boolean') throw invalid({ dry_run: ['Must be a valid boolean.'] });
  return {
    results: await importAll(engine, model, objects, dryRun, {
      ...context,
      files,
      cause: { ...context.cause, imported: true },
    }),
  };
}

/** The ids that are there, as many on a page as a request may write. @throws Refusal 400 */
export async function origins(
  { tables, pool, settings: { maxBulkItems, maxParameters } }: WriteEngine,
  model: Model,
  search: string,
): Promise<{ results: { id: number; imported: boolean }[]; next: number | null }> {
  const asked = readQuery(search, maxParameters);
  const number = (name: string, byDefault: number): number => {
    const value = Number(asked.get(name) ?? byDefault);
    if (!Number.isSafeInteger(value) || value < 0) throw invalid({ [name]: ['A valid integer is required.'] });
    return value;
  };
  const limit = Math.min(Math.max(number('limit', maxBulkItems), 1), maxBulkItems);
  const results = await originsOf(tables, model, number('after', 0), limit, pool);
  return { results, next: results.length === limit ? results.at(-1)!.id : null };
}

/** What became of an imported object that was to be deleted. */
interface DeleteOutcome {
  id: number;
  outcome: 'deleted' | 'refused';
  errors: Record<string, unknown>;
}

/** Deletes imported objects. @throws Refusal 400, 413 */
export async function deleteImported(
  engine: WriteEngine,
  model: Model,
  body: Json | undefined,
  context: WriteContext,
): Promise<{ results: DeleteOutcome[] }> {
  const ids = requireListIn(engine, body, 'ids').map((id) => {
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw invalid({ ids: ['A valid integer is required.'] });
    return id;
  });
  const imported = await importedAmong(model, ids, engine.pool);
  const own = [...new Set(ids)].filter((id) => imported.has(id));
  const deleted = (some: number[]) =>
    refusalOf(() =>
      remove(
        engine,
        model,
        { ids: some, messages: new Map(), single: some.length === 1 },
        { ...context, cause: { ...context.cause, imported: true } },
      ),
    );
  // When several cannot be deleted together, each is tried by itself to find out why.
  const together = (await deleted(own)) === undefined;
  const results: DeleteOutcome[] = [];
  for (const id of ids) {
    const errors = !imported.has(id)
      ? { id: [`This ${model.label} did not come by an import.`] }
      : together
        ? undefined
        : await deleted([id]);
    results.push({ id, outcome: errors ? 'refused' : 'deleted', errors: errors ?? {} });
  }
  return { results };
}

/** The errors that some work was refused with; an object that no longer exists counts as deleted. */
async function refusalOf(work: () => Promise<void>): Promise<Record<string, unknown> | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return error.status === 404 ? undefined : (error.body as Record<string, unknown>);
  }
}

/** The list of that name in a body. @throws Refusal 400, 413 */
export function requireListIn({ settings }: WriteEngine, body: Json | undefined, name: string): Json[] {
  const list = isDict(body) ? body[name] : undefined;
  if (!Array.isArray(list)) throw invalid({ [name]: ['Expected a list of items.'] });
  if (list.length > settings.maxBulkItems)
    throw refuse(413, `A request may hold at most ${settings.maxBulkItems} objects.`);
  return list;
}
