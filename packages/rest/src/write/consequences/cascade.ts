import {
  type Cell,
  columnName,
  type Dict,
  type Json,
  type Model,
  type OnDelete,
  quote,
  type Values,
} from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { refuse } from '../../core/errors.ts';
import { textsOf } from '../../serialize/related/displays.ts';
import { wholeIndex } from '../../db/select.ts';
import type { ReadContext } from '../../serialize/related/readContext.ts';
import { type Executor, holdsOne, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { typeAndId } from '../../serialize/writer.ts';
import { clashesOf, rulesOf, renameClashing } from './clashes.ts';
import { fieldsPointingAt, NAMES_ONE, without as withoutObjects } from './customPointers.ts';
import {
  type Cleared,
  type Consequences,
  type Dependent,
  addDeleted,
  type DeletedIds,
  type Loss,
  addLoss,
  noConsequences,
  type Purpose,
} from './consequences.ts';
import { followWholes } from './wholes.ts';
import type { Change } from '../context/change.ts';
import type { TypedIds } from '../../core/typedIds.ts';
import { findRows, idsOf, lockRows, readRows, rowColumns, updateRows } from '../store/store.ts';
import { indexOf, valuesOf } from '../../db/values.ts';

/** How many dependents an answer names. */
const NAMED = 50;

/** How many objects of one relation are handled at once when they lose what another service has deleted. */
export const BATCH_SIZE = 1000;

/** That a field of the aliased row refers to one of the objects of a type whose ids `$1` holds. */
function refersTo(tables: Tables, model: Model, field: string, type: string): string {
  const { generic, relation } = model.fields[field]!;
  const nameOf = (name: string) => `t.${quote(columnName(name, model.fields[name]!))}`;
  if (generic) return `${nameOf(generic.typeField)} = '${type}' and ${nameOf(generic.idField)} = any($1::bigint[])`;
  const column = nameOf(field);
  if (!relation!.many) return `${column} = any($1::bigint[])`;
  const own = columnName(field, model.fields[field]!);
  return holdsOne(
    column,
    `t.id in (select o.id from ${tables.nameOf(model.name)} o, unnest(o.${quote(own)}) as one(id) where one.id = any($1::bigint[]))`,
  );
}

/**
 * What deleting rows of a model means for the other objects of this service. All rows found that would be changed or
 * deleted are locked.
 */
export async function consequencesOf(
  engine: WriteEngine,
  model: Model,
  rows: Cell[][],
  executor: Executor,
): Promise<Consequences> {
  const out = noConsequences();
  return followReferences(engine, out, [{ type: model.name, ids: addDeleted(out, model, rows) }], 'apply', executor);
}

/**
 * What it means for the objects of this service that others delete, or have deleted, some of theirs. A tag may be on a
 * million objects: a follower handles some of them, and asks again as long as there are `more`.
 */
export const consequencesElsewhere = (
  engine: WriteEngine,
  objects: readonly TypedIds[],
  purpose: 'ask' | 'follow',
  executor: Executor,
): Promise<Consequences> => followReferences(engine, noConsequences(), objects, purpose, executor);

/** What it would mean for the objects of this service that some are deleted, of its own or of others. */
export async function previewConsequences(
  engine: WriteEngine,
  objects: readonly TypedIds[],
  executor: Executor,
): Promise<Consequences> {
  const { tables, catalogue } = engine;
  const out = noConsequences();
  for (const { type, ids } of objects)
    if (tables.owns(type)) {
      const model = catalogue.get(type);
      addDeleted(out, model, await readRows(tables, model, ids, executor));
    }
  return followReferences(engine, out, objects, 'preview', executor);
}

/** Follows references from object to object. */
async function followReferences(
  engine: WriteEngine,
  out: Consequences,
  start: readonly TypedIds[],
  purpose: Purpose,
  executor: Executor,
): Promise<Consequences> {
  const { tables, catalogue } = engine;
  const queue = [...start];
  for (let at = queue.shift(); at; at = queue.shift()) {
    if (!at.ids.length) continue;
    const gone: DeletedIds = new Set(at.ids);
    for (const { model: other, field, onDelete: declared } of catalogue.incoming(at.type)) {
      const onDelete = purpose === 'follow' && declared === 'protect' ? onDeleteWhenGone(other, field) : declared;
      if (
        !tables.owns(other.name) ||
        (purpose === 'ask' && !catalogue.deletions.mayBeRefusedBy({ model: other, field, onDelete }))
      )
        continue;
      const condition = refersTo(tables, other, field, at.type);
      if (onDelete === 'protect') {
        for (const id of await idsOf(tables, other, condition, [at.ids], executor))
          out.dependents.push({ model: other, id });
        continue;
      }
      const found =
        purpose === 'preview'
          ? await findRows(tables, other, condition, [at.ids], executor)
          : onDelete === 'cascade'
            ? await lockRows(tables, other, condition, [at.ids], executor, 'delete')
            : await lockRows(tables, other, condition, [at.ids], executor, 'change', batchSizeOf(purpose));
      if (!found.length) continue;
      if (onDelete === 'cascade') queue.push({ type: other.name, ids: addDeleted(out, other, found) });
      else {
        addLoss(out, other, found, (loss) => loss.fields, field, gone);
        if (found.length === batchSizeOf(purpose)) return firstBatch(tables, out, executor);
      }
    }
    if (purpose !== 'ask' && (await followCustomFields(engine, out, at, gone, purpose, executor)))
      return firstBatch(tables, out, executor);
  }
  if (purpose !== 'ask') await followWholes(engine, out, start, purpose, executor);
  // An object that is deleted itself neither stands in the way nor has to be cleared; one that stands in the way by two
  // fields counts once.
  const deleted = new Map(out.deleted.map(({ model, rows }) => [model, rows]));
  const seen = new Set<string>();
  out.dependents = out.dependents.filter(
    ({ model, id }) => !deleted.get(model)?.has(id) && seen.size !== seen.add(`${model.name} ${id}`).size,
  );
  for (const { model, objects } of out.cleared)
    for (const id of objects.keys()) if (deleted.get(model)?.has(id)) objects.delete(id);
  for (const cleared of out.cleared) await keepUnique(tables, cleared, out, purpose, executor);
  return out;
}

const batchSizeOf = (purpose: Purpose): number | undefined => (purpose === 'follow' ? BATCH_SIZE : undefined);

/** Of what has been found, only the objects that lose something; the rest is found when these are done. */
async function firstBatch(tables: Tables, { cleared }: Consequences, executor: Executor): Promise<Consequences> {
  const first: Consequences = { ...noConsequences(), cleared, more: true };
  for (const one of cleared) await keepUnique(tables, one, first, 'follow', executor);
  return first;
}

/**
 * Finds out which objects would be the same as others without what they lose. A follower cannot refuse what has already
 * happened, so for it they are renamed.
 */
async function keepUnique(
  tables: Tables,
  { model, objects }: Cleared,
  out: Consequences,
  purpose: Purpose,
  executor: Executor,
): Promise<void> {
  const rules = rulesOf(model, new Set([...objects.values()].flatMap(({ fields }) => [...fields.keys()])));
  if (!rules.length) return;
  const index = indexOf(rowColumns(model));
  const after = [...objects.values()].map(
    (loss) => (loss.after = withoutLosses(model, valuesOf(model, index, loss.cells), loss)),
  );
  if (purpose === 'follow') {
    await renameClashing(tables, model, rules, after, executor);
    return;
  }
  const clashes = await clashesOf(tables, model, rules, after, executor);
  const ids = new Set(clashes.flatMap(({ ids, other }) => (other === null ? ids : [...ids, other])));
  out.clashing.push(...[...ids].sort((a, b) => a - b).map((id) => ({ model, id })));
}

/** What happens to a protecting reference when its object was deleted all the same. */
function onDeleteWhenGone(model: Model, field: string): OnDelete {
  const { generic, relation, column } = model.fields[field]!;
  const mayBeEmpty = generic
    ? [generic.typeField, generic.idField].every((name) => model.fields[name]!.nullable)
    : relation!.many || column!.nullable;
  return mayBeEmpty ? 'setNull' : 'cascade';
}

/**
 * Custom fields point at objects, too: finds the values that name deleted objects and have to be emptied. Returns
 * whether there are more than fit in one pass.
 */
async function followCustomFields(
  engine: WriteEngine,
  out: Consequences,
  { type, ids }: TypedIds,
  gone: DeletedIds,
  purpose: Purpose,
  executor: Executor,
): Promise<boolean> {
  const values = (name: string) => [ids, name];
  // A follower hears of other processes' writes only here, so it does not rely on what it remembers.
  for (const { model, name } of fieldsPointingAt(
    engine,
    await engine.definitions(executor, purpose === 'follow'),
    type,
  )) {
    const found =
      purpose === 'preview'
        ? await findRows(engine.tables, model, NAMES_ONE, values(name), executor)
        : await lockRows(engine.tables, model, NAMES_ONE, values(name), executor, 'change', batchSizeOf(purpose));
    if (found.length) addLoss(out, model, found, (loss) => loss.custom, name, gone);
    if (found.length === batchSizeOf(purpose)) return true;
  }
  return false;
}

/** Whether objects that lose a reference were last changed now; an import brings when they were. */
export type Stamps = 'now' | 'kept';

/** Empties references and deletes objects, last found first. Returns the changes to record. */
export async function applyConsequences(
  tables: Tables,
  { deleted, cleared }: Consequences,
  executor: Executor,
  stamps: Stamps = 'now',
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { model, objects } of cleared)
    changes.push(...(await clearReferences(tables, model, [...objects.values()], executor, stamps)));
  const last = [...deleted].reverse();
  // In one statement, as these objects may refer to each other in a circle: foreign keys are checked when all of them
  // are deleted.
  const parts = last.map(
    ({ model }, i) => `gone${i} as (delete from ${tables.nameOf(model.name)} where id = any($${i + 1}::bigint[]))`,
  );
  if (parts.length)
    await rowsOf(executor, {
      text: `with ${parts.join(', ')} select 1`,
      values: last.map(({ rows }) => [...rows.keys()]),
    });
  for (const { model, rows } of last) {
    for (const cells of rows.values())
      changes.push({ action: 'deleted', model, before: cells, after: null, message: '' });
  }
  return changes;
}

/** Takes ids out of reference fields. */
async function clearReferences(
  tables: Tables,
  model: Model,
  losses: Loss[],
  executor: Executor,
  stamps: Stamps,
): Promise<Change[]> {
  if (!losses.length) return [];
  const index = indexOf(rowColumns(model));
  const after = await updateRows(
    tables,
    model,
    losses.map((loss) => loss.after ?? withoutLosses(model, valuesOf(model, index, loss.cells), loss)),
    executor,
    stamps === 'now' ? 'changed' : 'derived',
  );
  return losses.map(
    ({ cells }, i): Change => ({ action: 'updated', model, before: cells, after: after[i]!, message: '' }),
  );
}

function withoutLosses(model: Model, object: Values, { fields, custom }: Loss): Values {
  const changed = { ...object };
  if (custom.size) changed['custom_fields'] = withoutObjects(object['custom_fields'] as Dict, custom);
  for (const [field, gone] of fields) {
    const { generic, relation } = model.fields[field]!;
    if (generic) Object.assign(changed, { [generic.typeField]: null, [generic.idField]: null });
    else
      changed[field] = relation!.many
        ? ((object[field] as number[]).filter((id) => !gone.some((ids) => ids.has(id))) as Json)
        : null;
  }
  return changed;
}

/** The refusal to delete what others depend on. */
export const dependentsConflict = (count: number, names: string[]) =>
  refuse(409, `Unable to delete object. ${count} dependent objects were found: ${names.join(', ')}`);

/** The refusal to delete what some objects differ by. */
export const duplicatesConflict = (names: string[]) =>
  refuse(409, `Unable to delete object. Without it, these objects would no longer be unique: ${names.join(', ')}`);

/** @throws Refusal 409 when something stands in the way */
export async function refuseDependents(
  readContext: () => Promise<ReadContext>,
  { dependents, clashing }: Pick<Consequences, 'dependents' | 'clashing'>,
): Promise<void> {
  if (dependents.length) throw dependentsConflict(dependents.length, await namesOf(await readContext(), dependents));
  if (clashing.length) throw duplicatesConflict(await namesOf(await readContext(), clashing));
}

/** How dependents are named to the client; those that the requester may not view, by type and id only. */
export async function namesOf(readContext: ReadContext, dependents: readonly Dependent[]): Promise<string[]> {
  const named = dependents.slice(0, NAMED);
  const hides = await readContext.visibility?.(named.map(({ model, id }) => ({ type: model.name, id })));
  const names = new Map<string, string>();
  const keyOf = (model: Model, id: number) => `${model.name} ${id}`;
  for (const [model, group] of Map.groupBy(named, (d) => d.model)) {
    const rows = await readRows(
      readContext.tables,
      model,
      group.map(({ id }) => id),
      readContext.executor,
    );
    const texts = await textsOf(readContext, model, wholeIndex(model), rows);
    for (const [i, cells] of rows.entries())
      names.set(
        keyOf(model, Number(cells[0])),
        hides?.(model.name, cells[0]!) ? typeAndId(model.name, cells[0]!) : `${texts[i]} (${cells[0]})`,
      );
  }
  return named.flatMap(({ model, id }) => names.get(keyOf(model, id)) ?? []);
}
