import { type Cell, type Column, columnsOf, type Model, quote, type Values } from '@cadastre/model';
import type { Pool } from 'pg';
import { perModel } from '../../db/perModel.ts';
import { type Executor, plainArray, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { recordOf, recordset, returning } from '../../write/store/store.ts';
import { transaction } from '../../db/transaction.ts';

/** Columns that are derived here, whatever their values were elsewhere. */
const MANAGED = new Set(['_version', '_path', '_sort']);
const importedColumns = (model: Model): Column[] => columnsOf(model).filter((c) => !MANAGED.has(c.name));
const recordsOf = (model: Model, objects: readonly Values[]): string =>
  JSON.stringify(objects.map((o) => ({ id: o['id']!, ...recordOf(model, o) })));

const insertText = perModel((tables, model) => {
  const columns = importedColumns(model);
  const list = columns.map((c) => quote(c.name)).join(', ');
  return `insert into ${tables.nameOf(model.name)} as t (${list}) select ${list} from jsonb_to_recordset($1::jsonb) as r(${recordset(columns)}) order by id
    returning ${returning(tables, model)}`;
});

/** Stores new objects with the ids that they have elsewhere. Returns their rows, in the order of the objects. */
export async function insertWithIds(
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
  const columns = importedColumns(model);
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
export async function updateAsGiven(
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

/**
 * Sees to it that the next id of a type is above `highest`. Done in a transaction of its own and before objects are
 * stored: sequences know no rollback, and nobody must get an id that an import is about to use.
 */
export async function raiseIds(
  tables: Pick<Tables, 'nameOf'>,
  { name }: Pick<Model, 'name'>,
  highest: number,
  pool: Pool,
): Promise<void> {
  const below = {
    text: `select s.name from (select pg_get_serial_sequence($1, 'id') as name) s
      where coalesce(pg_sequence_last_value(s.name::regclass), 0) < $2::bigint`,
    values: [tables.nameOf(name), highest],
  };
  // Sequences only go up, so an answer that it is high enough stays right.
  if (!(await rowsOf(pool, below)).length) return;
  await transaction(pool, async (client) => {
    const [[sequence] = []] = await rowsOf(client, below);
    if (sequence === undefined) return;
    // Nobody may draw an id between reading the sequence and setting it, or it might be set back below that id.
    // Altering a sequence, even without changing it, makes PostgreSQL lock it against those who draw until the commit.
    await client.query(`alter sequence ${sequence} no cycle`);
    await rowsOf(client, {
      text: `select setval(s.name, greatest($2::bigint, pg_sequence_last_value(s.name))) from (select pg_get_serial_sequence($1, 'id')::regclass as name) s`,
      values: below.values,
    });
  });
}
