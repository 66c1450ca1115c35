import { mapPaced } from '@cadastre/body';
import type { Cell, Dict, Json, Model, ParseContext, Values } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteEngine } from './context/engine.ts';
import { invalid, notPermitted, Refusal, refuse } from '../core/errors.ts';
import { type GivenFiles, uploadsOf } from '../media/files.ts';
import { constraintSql } from '../visibility/permissions.ts';
import { type Action, ANYBODY, allowed, type Requester } from '../core/requester.ts';
import type { CustomFieldDefinitions } from '../cache/customFields.ts';
import { seenBy } from '../visibility/sees.ts';
import type { Source } from '../serialize/related/source.ts';
import { Binder, idsIn, rowsOf } from '../db/sql.ts';
import { renderAnswers, type WriteAnswer } from './answer.ts';
import { RuleReads, runAllRules, runChecks } from './check/rules.ts';
import { checkUnique, addIfTaken } from './check/unique.ts';
import { checkUniqueCustomFields } from './check/uniqueCustomFields.ts';
import type { Draft } from './draft.ts';
import { type RequestPosition, runEffects } from './effects/effects.ts';
import { noteInImport, type ImportRun, lookUpInImport } from './parse/importRun.ts';
import { mergeCustomFields } from './parse/customFields.ts';
import { hasErrors, type Item, type Mode, parseItem } from './parse/parse.ts';
import { checkTags, mergeTags } from './parse/tags.ts';
import { type Cause, type Change, treeMoves, prepareRecord } from './record/record.ts';
import { resolveCustomObjects } from './resolve/customObjects.ts';
import { resolveDerived } from './resolve/derivedReferences.ts';
import { resolveGenerics } from './resolve/generics.ts';
import { resolveRows } from './resolve/owned.ts';
import { type Prefetched, resolve, resolveReferences } from './resolve/references.ts';
import { writeReverseRelations } from './store/reverseRelations.ts';
import { sendLast } from '../db/transaction.ts';
import { updateTreePaths } from './store/tree.ts';

/** Who writes, by which request, and where it was sent. */
export interface WriteContext {
  who: Requester;
  cause: Cause;
  base: string;
  files?: GivenFiles;
  /** What was done ahead for each object. */
  prepared?: readonly (Values | undefined)[];
  /** The objects come from elsewhere. */
  importing?: ImportRun;
  /** What was written elsewhere, and whoever is asked for this has to know of. */
  pendingWrites?: string;
}

/** What bodies say. Of many it takes so long that others get their turn in between. */
export const parseItems = (
  engine: WriteEngine,
  model: Model,
  bodies: Json[],
  mode: Mode,
  files?: GivenFiles,
): Promise<Item[]> => {
  const context = parsing(engine, files);
  return mapPaced(bodies, (body, index) => parseItem(model, body, index, mode, context));
};

/** What parsing may ask of a service. */
export const parsing = (engine: WriteEngine, files?: GivenFiles): ParseContext => ({
  knowsObjectType: (name) => engine.catalogue.knows(name),
  ...(engine.seal ? { seal: engine.seal } : {}),
  ...(files ? { file: (value: string) => files.get(value) } : {}),
});

/** Errors as the client gets them: of the one object, or a list as long as the request. */
export function refuseErrors(items: Item[], single: boolean): void {
  if (items.some(hasErrors)) throw single ? invalid(items[0]!.errors) : invalid(items.map((i) => i.errors));
}

/**
 * Finds out what the references in bodies mean before anything is locked for the writing: an owner that takes its time,
 * or a search that does, keeps nobody waiting but who asked. What is wrong with them is said later.
 */
export async function prefetchReferences(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  { who }: WriteContext,
  client: PoolClient,
): Promise<Prefetched> {
  const prefetched: Prefetched = new Map();
  await resolveReferences(engine, model, items, who, client, prefetched);
  await resolveRows(engine, model, items, who, client, prefetched);
  if (model.features.has('customFields'))
    await resolveCustomObjects(
      engine,
      (await definitionsFor(engine, model, items, client)).of(model.name),
      items,
      who,
      client,
      prefetched,
    );
  await resolveGenerics(
    engine,
    model,
    items.map((item) => ({ item, object: item.values })),
    who,
    client,
    prefetched,
  );
  return prefetched;
}

/** How drafts are completed. */
export interface ValidateOptions {
  single: boolean;
  prefetched?: Prefetched | undefined;
  /** Nobody asks whether something is taken: whoever stores the objects will see. */
  optimistic?: boolean;
}

/**
 * Completes drafts from the items: references, tags, custom fields, uniqueness, rules. @throws Refusal 400 with all
 * messages, as far as there are any without what is taken
 */
export async function validate(
  engine: WriteEngine,
  model: Model,
  drafts: Draft[],
  context: WriteContext,
  client: PoolClient,
  { single, prefetched, optimistic = false }: ValidateOptions,
): Promise<CustomFieldDefinitions> {
  const items = drafts.map((d) => d.item);
  const { who, importing } = context;
  const { definitions, fields } = await lookUpInImport(importing, items, async () => {
    await resolveReferences(engine, model, items, who, client, prefetched);
    await resolveRows(engine, model, items, who, client, prefetched);
    const definitions = await definitionsFor(engine, model, items, client);
    const fields = definitions.of(model.name);
    if (model.features.has('customFields')) await resolveCustomObjects(engine, fields, items, who, client, prefetched);
    return { definitions, fields };
  });
  for (const { item, object, before } of drafts) {
    Object.assign(object, item.values);
    if (model.features.has('tags')) mergeTags(item, object);
    // The reference looks at custom fields only when every field by itself is in order.
    if (model.features.has('customFields') && !hasErrors(item)) {
      const merged = mergeCustomFields(fields, item, (before?.['custom_fields'] ?? null) as Dict | null, importing);
      if (merged) object['custom_fields'] = merged;
    }
  }
  const sayHalves = await lookUpInImport(importing, items, () =>
    resolveGenerics(engine, model, drafts, who, client, prefetched, importing),
  );
  if (model.features.has('tags'))
    await noteInImport(importing, items, () => checkTags(engine.tables, model, drafts, client));
  const reads = new RuleReads(engine, client, who, importing !== undefined);
  await noteInImport(importing, items, () => runAllRules(model.inputRules, drafts, reads));
  const sayTaken = optimistic ? undefined : await checkUnique(engine.tables, model, drafts, client);
  await noteInImport(importing, items, () => checkUniqueCustomFields(engine.tables, model, fields, drafts, client));
  const sound = drafts.filter(({ item }) => !hasErrors(item));
  await noteInImport(importing, items, () => runAllRules(model.rules, drafts, reads, context.prepared));
  await resolveDerived(engine, model, sound, client);
  sayHalves();
  await noteInImport(importing, items, () => runChecks(model, sound, reads.checkContext()));
  sayTaken?.();
  refuseErrors(items, single);
  if (uploadsOf(model).length) await keepFiles(engine, model, drafts, context, client);
  return definitions;
}

async function keepFiles(
  engine: WriteEngine,
  model: Model,
  drafts: Draft[],
  { files }: WriteContext,
  client: PoolClient,
): Promise<void> {
  if (!engine.files) throw new Error(`the service ${engine.tables.service} has no place for files`);
  await engine.files.keep(
    model,
    drafts.map(({ item, object }) => ({ object, given: item.values })),
    files ?? new Map(),
    client,
  );
}

/**
 * The custom fields of a model. A name that is not known here is asked for at their owner: its event may still be on
 * the way.
 */
async function definitionsFor(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  client: PoolClient,
): Promise<CustomFieldDefinitions> {
  const known = await engine.definitions(client);
  const unknown = new Set(
    items
      .flatMap((item) => Object.keys(item.customFields ?? {}))
      .filter((name) => !known.of(model.name).some((field) => field.name === name)),
  );
  if (!unknown.size || unknown.size > MAX_ASKED || engine.tables.owns(CUSTOM_FIELD)) return known;
  const found = await resolve(
    engine,
    CUSTOM_FIELD,
    [...unknown].map((name) => ({ attributes: { name } })),
    ANYBODY,
    client,
  );
  if (!found.some((result) => 'id' in result)) return known;
  const sets = await rowsOf(client, {
    text: `select distinct choice_set_id from ${engine.tables.nameOf(CUSTOM_FIELD)} where name = any($1::text[]) and choice_set_id is not null`,
    values: [[...unknown]],
  });
  await resolve(
    engine,
    'extras.customfieldchoiceset',
    sets.map(([id]) => ({ id: Number(id) })),
    ANYBODY,
    client,
  );
  return engine.definitions(client, true);
}

const CUSTOM_FIELD = 'extras.customfield';
/** How many unknown names of custom fields are asked for at most. */
const MAX_ASKED = 50;

/** Runs a storing statement; what PostgreSQL refuses as a duplicate becomes messages of the fields. */
export async function withFieldErrors<T>(
  model: Model,
  drafts: Draft[],
  single: boolean,
  store: () => Promise<T>,
): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (addIfTaken(model, error, drafts))
      refuseErrors(
        drafts.map((d) => d.item),
        single,
      );
    const { code } = error as { code?: string };
    if (code === '22001' || code === '22003' || code === '23514' || code === '23502')
      throw new Refusal(400, { detail: 'A value is outside the limits of its field.' });
    throw error;
  }
}

/** What has been stored, and how it was asked for. */
interface StoredDrafts {
  drafts: Draft[];
  /** The rows of the drafts, in their order. */
  stored: Cell[][];
  action: Action;
  definitions: CustomFieldDefinitions;
  single: boolean;
}

/** After storing: trees, the other ends of relations, permissions, the record of it all, and the answer. */
export async function finish(
  engine: WriteEngine,
  model: Model,
  finishing: StoredDrafts,
  context: WriteContext,
  client: PoolClient,
): Promise<WriteAnswer> {
  const { source, rows, write } = await applyEffects(engine, model, finishing, context, client);
  const sees = seenBy(engine, context.who, client);
  const [written] = await renderAnswers({ ...source, sees }, model, finishing.drafts, [rows], context.base);
  sendLast(client, write());
  return written!;
}

/**
 * The same without an answer: the rows as they are in the end, all that has changed, and the statement that is left to
 * be sent.
 */
export async function applyEffects(
  engine: WriteEngine,
  model: Model,
  { drafts, stored, action, definitions, single }: StoredDrafts,
  context: WriteContext,
  client: PoolClient,
): Promise<{ source: Source; rows: Cell[][]; settled: Change[]; write: () => Promise<void> }> {
  const { rows, moved } = await updateTreePaths(engine.tables, model, stored, client);
  const ids = rows.map((cells) => Number(cells[0]));
  await checkNeeds(engine, model, drafts, ids, context.who, client);
  await checkPermitted(engine, model, ids, action, context.who, client);
  const others = await writeReverseRelations(
    engine,
    model,
    drafts.map(({ item }, i) => ({ item, id: ids[i]! })),
    client,
  );
  const changes = drafts.map(
    (draft, i): Change => ({
      action: draft.before ? 'updated' : 'created',
      model,
      before: draft.beforeCells,
      after: rows[i]!,
      message: draft.item.readMessage,
      cause: draft.cause,
    }),
  );
  const places = drafts.map(({ item }) => item.index);
  const position: RequestPosition = {
    single,
    length: Math.max(-1, ...places) + 1,
    indexOf: new Map(changes.map((c, i) => [c, places[i]!])),
    given: new Map(changes.map((c, i) => [c, drafts[i]!.item.values])),
  };
  const settled = await runEffects(
    engine,
    [...changes, ...treeMoves(model, moved), ...others],
    context.who,
    client,
    position,
    context.importing !== undefined,
  );
  const source: Source = {
    ...(await engine.source(client)),
    definitions,
    found: new Map(),
    written: writtenIds(settled),
  };
  const write = await prepareRecord(source, settled, context.cause, client);
  return { source, rows: rowsAfterEffects(model, rows, settled), settled, write };
}

function writtenIds(changes: Change[]): NonNullable<Source['written']> {
  const idsOf = (some: Change[]) =>
    new Map(
      [...Map.groupBy(some, ({ model }) => model.name)].map(([type, of]) => [
        type,
        new Set(of.map(({ before, after }) => (after ?? before)![0]!)),
      ]),
    );
  return { created: idsOf(changes.filter(({ action }) => action === 'created')), stored: idsOf(changes) };
}

/** Rows as effects have left them. */
function rowsAfterEffects(model: Model, rows: Cell[][], changes: Change[]): Cell[][] {
  if (!model.effects.length) return rows;
  const after = new Map(
    changes.flatMap((c) => (c.model === model && c.after ? [[c.after[0]!, c.after] as const] : [])),
  );
  return rows.map((cells) => after.get(cells[0]!) ?? cells);
}

/** What a write takes besides must hold on the very objects that take it. */
async function checkNeeds(
  engine: WriteEngine,
  model: Model,
  drafts: Draft[],
  ids: number[],
  who: Requester,
  client: PoolClient,
): Promise<void> {
  for (const { action, when, refusal } of model.needs ?? []) {
    const concerned = ids.filter((_, i) => when(drafts[i]!.object, drafts[i]!.before, who));
    if (concerned.length)
      await checkPermitted(engine, model, concerned, action, who, client, () => refuse(403, refusal));
  }
}

/** The objects must still be within what the requester may touch. */
async function checkPermitted(
  engine: WriteEngine,
  model: Model,
  ids: number[],
  action: Action,
  who: Requester,
  client: PoolClient,
  refusal = () => notPermitted(who),
): Promise<void> {
  const constraints = allowed(who.grants, action, model.name);
  if (constraints === false) throw refusal();
  const binder = new Binder();
  const list = binder.bind(ids);
  const condition = constraintSql(engine.tables, model, constraints, who.userId, binder);
  if (!condition) return;
  const [row] = await rowsOf(client, {
    text: `select count(*) from ${engine.tables.nameOf(model.name)} t where t.id = ${idsIn(list)} and ${condition}`,
    values: binder.values,
  });
  if (Number(row![0]) !== ids.length) throw refusal();
}
