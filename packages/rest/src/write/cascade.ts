import { type Cell, columnName, type Dict, type Json, type Model, type OnDelete, quote, type Values } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { refuse } from '../errors.ts';
import { textsOf } from '../query/displays.ts';
import { wholeIndex } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { type Executor, holdsOne, rowsOf } from '../query/sql.ts';
import type { Tables } from '../query/tables.ts';
import { fieldsPointingAt, NAMES_ONE, without as withoutObjects } from './customPointers.ts';
import type { Change } from './record.ts';
import { lockRows, rowColumns, updateRows } from './store.ts';
import { indexOf, valuesOf } from './values.ts';

/** How many dependents an answer names. */
const NAMED = 50;

/** Objects that go, in the order in which they were found: what refers to an object comes after it. */
export interface Doomed { model: Model; rows: Map<number, Cell[]> }

export interface Consequences {
  doomed: Doomed[];
  /** Objects that stand in the way. */
  dependents: { model: Model; cells: Cell[] }[];
  /** Objects that lose references. */
  cleared: { model: Model; objects: Map<number, Loss> }[];
}

/** An object as it is, and what it refers to no longer: ids by field, and by custom field. */
export interface Loss { cells: Cell[]; fields: Map<string, number[]>; custom: Map<string, number[]> }

/** That a field of the aliased row refers to one of the objects of a type whose ids `$1` holds. */
export function refersTo(tables: Tables, model: Model, field: string, type: string): string {
  const { generic, relation } = model.fields[field]!, nameOf = (name: string) => `t.${quote(columnName(name, model.fields[name]!))}`;
  if (generic) return `${nameOf(generic.typeField)} = '${type}' and ${nameOf(generic.idField)} = any($1::bigint[])`;
  const column = nameOf(field);
  if (!relation!.many) return `${column} = any($1::bigint[])`;
  const own = columnName(field, model.fields[field]!);
  return holdsOne(column, `t.id in (select o.id from ${tables.nameOf(model.name)} o, unnest(o.${quote(own)}) as one(id) where one.id = any($1::bigint[]))`);
}

/**
 * Why consequences are looked for. `carryOut`: to have them. `ask`: only to learn what stands in the way, also of what goes along. `follow`: because
 * the object is gone already; what would have stood in the way came too late (a deletion that ran out of its time), and gives way.
 */
type Purpose = 'carryOut' | 'ask' | 'follow';

/** What deleting rows of a model means for the other objects of this service. All rows found are locked. */
export async function consequencesOf(engine: Engine, model: Model, rows: Cell[][], executor: Executor): Promise<Consequences> {
  const out = nothing();
  return spread(engine, out, { type: model.name, ids: doom(out, model, rows) }, 'carryOut', executor);
}

/** What it means for the objects of this service that another deletes, or has deleted, some of its own. */
export const consequencesElsewhere = (engine: Engine, type: string, ids: number[], purpose: 'ask' | 'follow', executor: Executor): Promise<Consequences> =>
  spread(engine, nothing(), { type, ids }, purpose, executor);

const nothing = (): Consequences => ({ doomed: [], dependents: [], cleared: [] });

/** Follows references from object to object. */
async function spread(engine: Engine, out: Consequences, start: { type: string; ids: number[] }, purpose: Purpose, executor: Executor): Promise<Consequences> {
  const { tables, catalogue } = engine, queue = [start];
  for (let at = queue.shift(); at; at = queue.shift()) {
    if (!at.ids.length) continue;
    for (const { model: other, field, onDelete: declared } of catalogue.incoming(at.type)) {
      const onDelete = purpose === 'follow' && declared === 'protect' ? givingWay(other, field) : declared;
      if (!tables.owns(other.name) || (purpose === 'ask' && onDelete !== 'protect' && !(onDelete === 'cascade' && catalogue.deletions.isGuarded(other.name)))) continue;
      const found = await lockRows(tables, other, refersTo(tables, other, field, at.type), [at.ids], executor, onDelete === 'cascade' ? 'delete' : 'change');
      if (!found.length) continue;
      if (onDelete === 'cascade') queue.push({ type: other.name, ids: doom(out, other, found) });
      else if (onDelete === 'setNull') lose(out, other, found, (loss) => loss.fields, field, at.ids);
      else for (const cells of found) out.dependents.push({ model: other, cells });
    }
    if (purpose !== 'ask') await spreadToCustomFields(engine, out, at, purpose, executor);
  }
  // What goes itself neither stands in the way nor has to be cleared.
  const goes = (m: Model, cells: Cell[]) => out.doomed.some((d) => d.model === m && d.rows.has(Number(cells[0])));
  out.dependents = out.dependents.filter(({ model: m, cells }) => !goes(m, cells));
  for (const { model: m, objects } of out.cleared) for (const [id, { cells }] of objects) if (goes(m, cells)) objects.delete(id);
  return out;
}

/** What becomes of a reference that protects when its object is gone all the same. */
function givingWay(model: Model, field: string): OnDelete {
  const { generic, relation, column } = model.fields[field]!;
  const mayBeEmpty = generic ? [generic.typeField, generic.idField].every((name) => model.fields[name]!.nullable) : relation!.many || column!.nullable;
  return mayBeEmpty ? 'setNull' : 'cascade';
}

/** Custom fields point at objects, too; they let go of what is deleted. */
async function spreadToCustomFields(engine: Engine, out: Consequences, { type, ids }: { type: string; ids: number[] }, purpose: Purpose, executor: Executor): Promise<void> {
  // A follower hears of other processes' writes only here, so it does not rely on what it remembers.
  for (const { model, name } of fieldsPointingAt(engine, await engine.definitions(executor, purpose === 'follow'), type)) {
    const found = await lockRows(engine.tables, model, NAMES_ONE, [ids, name], executor);
    if (found.length) lose(out, model, found, (loss) => loss.custom, name, ids);
  }
}

/** Notes that objects lose what a field says; one may lose several, but is changed once. */
function lose(out: Consequences, model: Model, rows: Cell[][], part: (loss: Loss) => Map<string, number[]>, field: string, ids: number[]): void {
  let entry = out.cleared.find((c) => c.model === model);
  if (!entry) out.cleared.push((entry = { model, objects: new Map() }));
  for (const cells of rows) {
    const id = Number(cells[0]), loss = entry.objects.get(id) ?? { cells, fields: new Map<string, number[]>(), custom: new Map<string, number[]>() }, lost = part(loss);
    lost.set(field, [...lost.get(field) ?? [], ...ids]);
    entry.objects.set(id, loss);
  }
}

/** Adds rows to what goes; returns the ids that are new. */
function doom(out: Consequences, model: Model, rows: Cell[][]): number[] {
  let entry = out.doomed.find((d) => d.model === model);
  if (!entry) out.doomed.push((entry = { model, rows: new Map() }));
  const added: number[] = [];
  for (const cells of rows) { const id = Number(cells[0]); if (!entry.rows.has(id)) { entry.rows.set(id, cells); added.push(id); } }
  return added;
}

/** Empties references and removes what goes, last found first. Returns the changes to record. */
export async function carryOut(tables: Tables, { doomed, cleared }: Consequences, message: string, executor: Executor): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { model, objects } of cleared) changes.push(...await clear(tables, model, [...objects.values()], executor));
  const last = [...doomed].reverse();
  // In one statement, as what goes may refer to each other in a circle: foreign keys are looked at when all of it is gone.
  const parts = last.map(({ model }, i) => `gone${i} as (delete from ${tables.nameOf(model.name)} where id = any($${i + 1}::bigint[]))`);
  if (parts.length) await rowsOf(executor, { text: `with ${parts.join(', ')} select 1`, values: last.map(({ rows }) => [...rows.keys()]) });
  for (const { model, rows } of last) {
    for (const cells of rows.values()) changes.push({ action: 'deleted', model, before: cells, after: null, message });
  }
  return changes;
}

/** Takes ids out of reference fields. */
export async function clear(tables: Tables, model: Model, losses: Loss[], executor: Executor): Promise<Change[]> {
  if (!losses.length) return [];
  const index = indexOf(rowColumns(model));
  const after = await updateRows(tables, model, losses.map((loss) => without(model, valuesOf(model, index, loss.cells), loss)), executor);
  return losses.map(({ cells }, i): Change => ({ action: 'updated', model, before: cells, after: after[i]!, message: '' }));
}

function without(model: Model, object: Values, { fields, custom }: Loss): Values {
  const changed = { ...object };
  if (custom.size) changed['custom_fields'] = withoutObjects(object['custom_fields'] as Dict, custom);
  for (const [field, ids] of fields) {
    const { generic, relation } = model.fields[field]!;
    if (generic) Object.assign(changed, { [generic.typeField]: null, [generic.idField]: null });
    else changed[field] = relation!.many ? withoutIds(object[field] as number[], ids) : null;
  }
  return changed;
}

function withoutIds(list: number[], ids: number[]): Json {
  const gone = new Set(ids);
  return list.filter((id) => !gone.has(id));
}

/** The refusal to delete what others depend on. */
export const conflict = (count: number, names: string[]) => refuse(409, `Unable to delete object. ${count} dependent objects were found: ${names.join(', ')}`);

/** @throws Refusal 409 when something stands in the way */
export async function refuseDependents(source: () => Promise<Source>, { dependents }: Pick<Consequences, 'dependents'>): Promise<void> {
  if (dependents.length) throw conflict(dependents.length, await namesOf(await source(), dependents));
}

/** How dependents are named to the client. */
export async function namesOf(source: Source, dependents: Consequences['dependents']): Promise<string[]> {
  const named = dependents.slice(0, NAMED), names = new Map<Cell[], string>();
  for (const [model, group] of Map.groupBy(named, (d) => d.model)) {
    const rows = group.map(({ cells }) => cells), texts = await textsOf(source, model, wholeIndex(model), rows);
    for (const [i, cells] of rows.entries()) names.set(cells, `${texts[i]} (${cells[0]})`);
  }
  return named.map(({ cells }) => names.get(cells)!);
}
