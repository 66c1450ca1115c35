import {
  type Cell,
  type Column,
  columnName,
  columnsOf,
  type Json,
  type Model,
  quote,
  type Values,
} from '@cadastre/model';
import { perModel } from '../../db/perModel.ts';
import { type Executor, plainArray, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { takenSql } from '../check/unique.ts';
import { recordType } from '../../db/values.ts';

/** Columns whose values the pipeline sets, not the client. */
const MANAGED = new Set(['id', '_version', '_path', '_sort', 'created', 'last_updated']);

const names = new WeakMap<Model, readonly string[]>();

/** All columns of a model's rows, in the order in which statements here return them. */
export function rowColumns(model: Model): readonly string[] {
  let known = names.get(model);
  if (!known) names.set(model, (known = columnsOf(model).map((c) => c.name)));
  return known;
}

const writtenColumns = (model: Model): Column[] =>
  columnsOf(model).filter((c) => !MANAGED.has(c.name) || (c.name === 'created' && !timestamped(model)));
const timestamped = (model: Model): boolean => model.features.has('timestamps');
export const returning = perModel((_, model) =>
  rowColumns(model)
    .map((c) => `t.${quote(c)}`)
    .join(', '),
);
export const recordset = (columns: Column[]): string =>
  columns.map((c) => `${quote(c.name)} ${recordType(c)}`).join(', ');

const stored = new WeakMap<Model, (readonly [field: string, column: string])[]>();

/** Values by column name. */
export function recordOf(model: Model, object: Values): Record<string, Json> {
  let pairs = stored.get(model);
  if (!pairs)
    stored.set(
      model,
      (pairs = Object.entries(model.fields).flatMap(([name, field]) =>
        field.column ? [[name, columnName(name, field)] as const] : [],
      )),
    );
  const record: Record<string, Json> = {};
  for (const [name, column] of pairs) record[column] = object[name] ?? null;
  return record;
}

const insertText = perModel((tables, model) => {
  const taken = takenSql(tables, model, 'given');
  return { all: insertStatement(tables, model), free: taken ? insertStatement(tables, model, taken) : undefined };
});

/**
 * `taken` is a query for those of the rows in `given` whose unique values are taken; if there are any, none is
 * inserted.
 */
function insertStatement(tables: Tables, model: Model, taken?: string): string {
  const columns = writtenColumns(model);
  const list = columns.map((c) => quote(c.name));
  const stamps = timestamped(model) ? ['created', 'last_updated'] : [];
  const rows = `rows from (jsonb_to_recordset($1::jsonb) as (${recordset(columns)})) with ordinality as r(${list.join(', ')}, ord)`;
  const [first, from] = taken
    ? [
        `with given as materialized (select * from ${rows}), taken as (${taken})`,
        'given r where not exists (select from taken)',
      ]
    : ['', rows];
  return `${first} insert into ${tables.nameOf(model.name)} as t (${[...list, ...stamps].join(', ')})
    select ${[...list.map((n) => `r.${n}`), ...stamps.map(() => 'now()')].join(', ')} from ${from} order by r.ord
    returning ${returning(tables, model)}`;
}

/** Stores new objects, in order. One statement; returns their rows. */
export const insertRows = (tables: Tables, model: Model, objects: Values[], executor: Executor): Promise<Cell[][]> =>
  insert(insertText(tables, model).all, model, objects, executor);

/**
 * Stores new objects if no unique value of theirs is taken. If one is, nothing is stored, no ids are used up, and no
 * rows are returned; two of them that are the same are an error as everywhere.
 */
export function insertIfUnique(tables: Tables, model: Model, objects: Values[], executor: Executor): Promise<Cell[][]> {
  const { all, free } = insertText(tables, model);
  return insert(free ?? all, model, objects, executor);
}

const insert = (text: string, model: Model, objects: Values[], executor: Executor): Promise<Cell[][]> =>
  rowsOf(executor, { text, values: [JSON.stringify(objects.map((o) => recordOf(model, o)))] });

const updateText = perModel((tables, model) => ({
  changed: updateStatement(tables, model, timestamped(model)),
  derived: updateStatement(tables, model, false),
}));

function updateStatement(tables: Tables, model: Model, stamped: boolean): string {
  const columns = writtenColumns(model);
  const sets = columns.map((c) => `${quote(c.name)} = r.${quote(c.name)}`);
  const stamp = stamped ? ', last_updated = clock_timestamp()' : '';
  return `update ${tables.nameOf(model.name)} as t set ${[...sets, '"_version" = t."_version" + 1'].join(', ')}${stamp}
    from jsonb_to_recordset($1::jsonb) as r(id bigint, ${recordset(columns)}) where t.id = r.id and t.id = any($2::bigint[]) returning ${returning(tables, model)}`;
}

/**
 * Stores changed objects. One statement, which names them twice: without their ids PostgreSQL may read the whole table
 * to find those of the recordset; returns their rows, in the order of the objects. What is only derived leaves
 * `last_updated` alone.
 */
export async function updateRows(
  tables: Tables,
  model: Model,
  objects: Values[],
  executor: Executor,
  kind: 'changed' | 'derived' = 'changed',
): Promise<Cell[][]> {
  const rows = await rowsOf(executor, {
    text: updateText(tables, model)[kind],
    values: [
      JSON.stringify(objects.map((o) => ({ id: o['id']!, ...recordOf(model, o) }))),
      plainArray(objects.map((o) => o['id'] as number)),
    ],
  });
  const byId = new Map(rows.map((cells) => [Number(cells[0]), cells]));
  return objects.map((o) => byId.get(Number(o['id']))!);
}

/**
 * Rows that meet a condition, locked for the rest of the transaction, in order of id. A lock for a change lets others
 * refer to the rows meanwhile; a lock for a deletion does not. `most`: no more than the first of them.
 */
export function lockRows(
  tables: Tables,
  model: Model,
  condition: string,
  values: unknown[],
  executor: Executor,
  purpose: 'change' | 'delete' = 'change',
  most?: number,
): Promise<Cell[][]> {
  const lock = purpose === 'delete' ? 'for update' : 'for no key update';
  const limit = most === undefined ? '' : `limit ${most} `;
  return rowsOf(executor, {
    text: `select ${returning(tables, model)} from ${tables.nameOf(model.name)} t where ${condition} order by t.id ${limit}${lock}`,
    values,
  });
}

/** Rows that meet a condition, not locked. */
export const findRows = (
  tables: Tables,
  model: Model,
  condition: string,
  values: unknown[],
  executor: Executor,
): Promise<Cell[][]> =>
  rowsOf(executor, {
    text: `select ${returning(tables, model)} from ${tables.nameOf(model.name)} t where ${condition} order by t.id`,
    values,
  });

/** Rows by id, not locked. */
export function readRows(tables: Tables, model: Model, ids: number[], executor: Executor): Promise<Cell[][]> {
  return rowsOf(executor, {
    text: `select ${returning(tables, model)} from ${tables.nameOf(model.name)} t where t.id = any($1::bigint[]) order by t.id`,
    values: [ids],
  });
}

/** The ids of rows that meet a condition. */
export async function idsOf(
  tables: Tables,
  model: Model,
  condition: string,
  values: unknown[],
  executor: Executor,
): Promise<number[]> {
  const rows = await rowsOf(executor, {
    text: `select t.id from ${tables.nameOf(model.name)} t where ${condition} order by t.id`,
    values,
  });
  return rows.map(([id]) => Number(id));
}
