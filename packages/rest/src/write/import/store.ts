import { type Cell, type Column, columnsOf, type Model, quote, typeId, type Values } from '@cadastre/model';
import { perModel } from '../../query/perModel.ts';
import { type Executor, plainArray, rowsOf } from '../../query/sql.ts';
import type { Tables } from '../../query/tables.ts';
import { recordOf, recordset, returning } from '../store/store.ts';

/** What keeps a row in its place is worked out here, whatever it was elsewhere. */
const OWN = new Set(['_version', '_path', '_sort']);
const brought = (model: Model): Column[] => columnsOf(model).filter((c) => !OWN.has(c.name));
const recordsOf = (model: Model, objects: readonly Values[]): string =>
  JSON.stringify(objects.map((o) => ({ id: o['id']!, ...recordOf(model, o) })));

const insertText = perModel((tables, model) => {
  const columns = brought(model);
  const list = columns.map((c) => quote(c.name)).join(', ');
  return `insert into ${tables.nameOf(model.name)} as t (${list}) select ${list} from jsonb_to_recordset($1::jsonb) as r(${recordset(columns)}) order by id
    returning ${returning(tables, model)}`;
});

/** Stores new objects with the ids that they have elsewhere. Returns their rows, in the order of the objects. */
export async function insertBrought(
  tables: Tables,
  model: Model,
  objects: readonly Values[],
  executor: Executor,
): Promise<Cell[][]> {
  const rows = await rowsOf(executor, { text: insertText(tables, model), values: [recordsOf(model, objects)] });
  const byId = new Map(rows.map((cells) => [Number(cells[0]), cells]));
  return objects.map((o) => byId.get(Number(o['id']))!);
}

const updateText = perModel((tables, model) => {
  const columns = brought(model);
  const given = columns.filter((c) => c.name !== 'id');
  const tuple = (alias: string): string => given.map((c) => `${alias}.${quote(c.name)}`).join(', ');
  return `update ${tables.nameOf(model.name)} as t set ${given.map((c) => `${quote(c.name)} = r.${quote(c.name)}`).join(', ')}, "_version" = t."_version" + 1
    from jsonb_to_recordset($1::jsonb) as r(${recordset(columns)}) where t.id = r.id and t.id = any($2::bigint[])
    and (row(${tuple('t')}) is distinct from row(${tuple('r')}) or t.id = any($3::bigint[])) returning ${returning(tables, model)}`;
});

/**
 * Stores objects as they are elsewhere, together with when they were changed there. Those in which nothing differs are
 * left alone, unless they are among `anyhow`. Returns the rows of the others by id.
 */
export async function updateBrought(
  tables: Tables,
  model: Model,
  objects: readonly Values[],
  anyhow: readonly number[],
  executor: Executor,
): Promise<Map<number, Cell[]>> {
  const rows = await rowsOf(executor, {
    text: updateText(tables, model),
    values: [recordsOf(model, objects), plainArray(objects.map((o) => o['id'] as number)), plainArray([...anyhow])],
  });
  return new Map(rows.map((cells) => [Number(cells[0]), cells]));
}

/** Any number: tells the locks of sequences from others. */
const LOCK = 4_621_901;

/**
 * Sees to it that the next id of a type is above `highest`. Done by itself and before objects are stored: sequences know
 * no transactions, and nobody must get an id that an import is about to use.
 */
export async function raiseIds(tables: Tables, model: Model, highest: number, executor: Executor): Promise<void> {
  await rowsOf(executor, {
    text: `with one as materialized (select pg_advisory_xact_lock($1, $2))
      select setval(s.sequence, $3::bigint) from one, (select pg_get_serial_sequence($4, 'id')::regclass as sequence) s
      where coalesce(pg_sequence_last_value(s.sequence), 0) < $3::bigint`,
    values: [LOCK, typeId(model.name), highest, tables.nameOf(model.name)],
  });
}
