import { type Cell, columnName, type Model, quote, type Values } from '@cadastre/model';
import { refuse } from '../errors.ts';
import { displaysAt, textsOf } from '../query/displays.ts';
import { wholeIndex } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { type Executor, rowsOf } from '../query/sql.ts';
import type { Tables } from '../query/tables.ts';
import type { Change } from './record.ts';
import { lockRows, rowColumns, updateRows } from './store.ts';
import { indexOf, valuesOf } from './values.ts';
import type { Dependents } from './peers.ts';

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

/** An object as it is, and what it refers to no longer: ids by field. */
export interface Loss { cells: Cell[]; fields: Map<string, number[]> }

/** That a field of the aliased row refers to one of the objects of a type whose ids `$1` holds. */
export function refersTo(model: Model, field: string, type: string): string {
  const { generic, relation } = model.fields[field]!, nameOf = (name: string) => `t.${quote(columnName(name, model.fields[name]!))}`;
  if (generic) return `${nameOf(generic.typeField)} = '${type}' and ${nameOf(generic.idField)} = any($1::bigint[])`;
  const column = nameOf(field);
  return relation!.many ? `${column} && $1::bigint[]` : `${column} = any($1::bigint[])`;
}

/** What deleting rows of a model means for the other objects of this service. All rows found are locked. */
export async function consequencesOf(tables: Tables, model: Model, rows: Cell[][], executor: Executor): Promise<Consequences> {
  const out: Consequences = { doomed: [], dependents: [], cleared: [] };
  return spread(tables, out, { type: model.name, ids: doom(out, model, rows) }, executor);
}

/** What it means for the objects of this service that another has deleted some of its own; it has asked whether anything protects them. */
export const consequencesElsewhere = (tables: Tables, type: string, ids: number[], executor: Executor): Promise<Consequences> =>
  spread(tables, { doomed: [], dependents: [], cleared: [] }, { type, ids, asked: true }, executor);

/** Follows references from object to object. */
async function spread(tables: Tables, out: Consequences, start: { type: string; ids: number[]; asked?: boolean }, executor: Executor): Promise<Consequences> {
  const queue = [start];
  for (let at = queue.shift(); at; at = queue.shift()) {
    if (!at.ids.length) continue;
    for (const { model: other, field, onDelete } of tables.catalogue.incoming(at.type)) {
      if (!tables.owns(other.name) || (at.asked && onDelete === 'protect')) continue;
      const found = await lockRows(tables, other, refersTo(other, field, at.type), [at.ids], executor, onDelete === 'cascade' ? 'delete' : 'change');
      if (!found.length) continue;
      if (onDelete === 'cascade') queue.push({ type: other.name, ids: doom(out, other, found) });
      else if (onDelete === 'setNull') lose(out, other, field, at.ids, found);
      else for (const cells of found) out.dependents.push({ model: other, cells });
    }
  }
  // What goes itself neither stands in the way nor has to be cleared.
  const goes = (m: Model, cells: Cell[]) => out.doomed.some((d) => d.model === m && d.rows.has(Number(cells[0])));
  out.dependents = out.dependents.filter(({ model: m, cells }) => !goes(m, cells));
  for (const { model: m, objects } of out.cleared) for (const [id, { cells }] of objects) if (goes(m, cells)) objects.delete(id);
  return out;
}

/** Notes that objects lose what a field says; one may lose several, but is changed once. */
function lose(out: Consequences, model: Model, field: string, ids: number[], rows: Cell[][]): void {
  let entry = out.cleared.find((c) => c.model === model);
  if (!entry) out.cleared.push((entry = { model, objects: new Map() }));
  for (const cells of rows) {
    const id = Number(cells[0]), loss = entry.objects.get(id) ?? { cells, fields: new Map<string, number[]>() };
    loss.fields.set(field, [...loss.fields.get(field) ?? [], ...ids]);
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
  const after = await updateRows(tables, model, losses.map(({ cells, fields }) => without(model, valuesOf(model, index, cells), fields)), executor);
  return losses.map(({ cells }, i): Change => ({ action: 'updated', model, before: cells, after: after[i]!, message: '' }));
}

function without(model: Model, object: Values, fields: Loss['fields']): Values {
  const changed = { ...object };
  for (const [field, ids] of fields) {
    const { generic, relation } = model.fields[field]!;
    if (generic) Object.assign(changed, { [generic.typeField]: null, [generic.idField]: null });
    else changed[field] = relation!.many ? (object[field] as number[]).filter((id) => !ids.includes(id)) : null;
  }
  return changed;
}

/** The refusal to delete what others depend on. */
export const conflict = (count: number, names: string[]) => refuse(409, `Unable to delete object. ${count} dependent objects were found: ${names.join(', ')}`);

/** @throws Refusal 409 when something stands in the way */
export async function refuseDependents(source: () => Promise<Source>, { dependents }: Pick<Consequences, 'dependents'>): Promise<void> {
  if (dependents.length) throw conflict(dependents.length, await namesOf(await source(), dependents));
}

/** How dependents are named to the client. */
async function namesOf(source: Source, dependents: Consequences['dependents']): Promise<string[]> {
  const named = dependents.slice(0, NAMED), names = new Map<Cell[], string>();
  for (const [model, group] of Map.groupBy(named, (d) => d.model)) {
    const rows = group.map(({ cells }) => cells), texts = await textsOf(source, model, wholeIndex(model), rows);
    for (const [i, cells] of rows.entries()) names.set(cells, `${texts[i]} (${cells[0]})`);
  }
  return named.map(({ cells }) => names.get(cells)!);
}

/** Objects of this service that protect objects of another service from deletion. */
export async function protectorsOf(source: Source, type: string, ids: number[]): Promise<Dependents> {
  const { tables, executor } = source, found: Dependents = { count: 0, names: [] };
  for (const { model, field, onDelete } of tables.catalogue.incoming(type)) {
    if (onDelete !== 'protect' || !tables.owns(model.name)) continue;
    const rows = await rowsOf(executor, {
      text: `select count(*) over (), t.id from ${tables.nameOf(model.name)} t where ${refersTo(model, field, type)} order by t.id limit ${NAMED}`, values: [ids],
    });
    found.count += Number(rows[0]?.[0] ?? 0);
    const texts = await displaysAt(source, model.name, '', rows.map(([, id]) => id!));
    found.names.push(...rows.map(([, id]) => `${texts.get(id!) ?? ''} (${id})`));
  }
  return found;
}
