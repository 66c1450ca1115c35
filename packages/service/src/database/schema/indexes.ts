import {
  columnName,
  columnsOf,
  type Column,
  directionOf,
  type Model,
  type OrderTerm,
  orderTerm,
  quote,
  sortedBy,
} from '@cadastre/model';
import { indexName, uniqueColumnName, uniqueSetName } from './names.ts';

/** The definition of an index. */
export interface Index {
  name: string;
  sql: string;
}

/**
 * Natural sorting of names applies only where a list is sorted, and in the indexes for that; columns keep the
 * database's own collation, which unique constraints and patterns use.
 */
const sorted = (column: Column): string => sortedBy(column, quote(column.name));

/** GiST has an operator class for networks that is not its default. */
const searched = (column: Column): string =>
  column.index === 'gist' ? `${quote(column.name)} inet_ops` : sorted(column);

const isList = (column: Column): boolean => column.type.endsWith('[]');

/** The indexes of a model's own table, besides the primary key and the unique columns. */
export function indexesOf(model: Model): Index[] {
  const { table } = model;
  const columns = columnsOf(model);
  const byName = new Map(columns.map((column) => [column.name, column]));
  const nameOf = (field: string): string => (model.fields[field] ? columnName(field, model.fields[field]) : field);
  const all = [
    ...columns.flatMap((column) => columnIndex(table, column)),
    ...model.unique.map(
      ({ fields, where, ignoreCase = [] }): Index => ({
        name: uniqueSetName(table, fields),
        sql: `unique index %name on %table (${fields.map((field) => (ignoreCase.includes(field) ? `lower(${quote(nameOf(field))})` : quote(nameOf(field)))).join(', ')})${where ? '' : ' nulls not distinct'}${where ? ` where ${where}` : ''}`,
      }),
    ),
    ...model.indexes.map(
      (fields): Index => ({
        name: indexName(table, fields.map(nameOf)),
        sql: `index %name on %table (${fields.map((field) => quote(nameOf(field))).join(', ')})`,
      }),
    ),
    ...caselessColumns(model).map(
      (name): Index => ({
        name: indexName(table, [name, 'lower']),
        sql: `index %name on %table (lower(${quote(name)}))`,
      }),
    ),
    ...genericColumns(model).map((pair) => pairIndex(table, pair)),
    ...searchIndex(model, (field) => byName.get(nameOf(field))!),
    ...orderIndex(model, (field) => byName.get(nameOf(field))),
  ];
  return distinct(all).map((index) => spelled(index, quote(table)));
}

/** Columns with case-insensitive filters. */
const caselessColumns = (model: Model): string[] =>
  Object.values(model.filters).flatMap((filter) =>
    filter.kind === 'column' && filter.caseless ? [columnName(filter.field, model.fields[filter.field]!)] : [],
  );

/**
 * The pairs of columns that refer to objects of any type: the objects that refer to one are searched for when it is
 * shown, filtered by, or deleted.
 */
const genericColumns = (model: Model): string[][] =>
  Object.values(model.fields).flatMap(({ generic }) =>
    generic ? [[generic.typeField, generic.idField].map((name) => columnName(name, model.fields[name]!))] : [],
  );

const pairIndex = (table: string, pair: string[]): Index => ({
  name: indexName(table, pair),
  sql: `index %name on %table (${pair.map(quote).join(', ')})`,
});

/** The indexes of a replica: what filters walk over, and the attribute by which they name an object. */
export function replicaIndexesOf(model: Model, kept: ReadonlySet<string>): Index[] {
  const indexed = columnsOf(model)
    .filter((column) => kept.has(column.name))
    .map(
      ({ unique: _, ...column }): Column =>
        column.name === model.key ? { ...column, index: 'btree', natural: false } : column,
    );
  const pairs = genericColumns(model).filter((pair) => pair.every((name) => kept.has(name)));
  return distinct([
    ...indexed.flatMap((column) => columnIndex(model.table, column)),
    ...pairs.map((pair) => pairIndex(model.table, pair)),
  ]).map((index) => spelled(index, `"replica".${quote(model.table)}`));
}

function columnIndex(table: string, column: Column): Index[] {
  // A list in a btree is as long as its items together, and PostgreSQL refuses what is longer than a third of a page.
  if (!column.index || column.unique || (column.index === 'btree' && isList(column))) return [];
  return [
    {
      name: indexName(table, [column.name]),
      sql: `index %name on %table using ${column.index} (${searched(column)})${column.atOnce ? ' with (fastupdate = off)' : ''}`,
    },
  ];
}

/** Trigram index: finds a text wherever it stands in another one. */
function searchIndex({ table, searchIndex: fields }: Model, columnOf: (field: string) => Column): Index[] {
  if (!fields.length) return [];
  const parts = fields.map((field) => {
    const { name, type } = columnOf(field);
    return `${/char|text/.test(type) ? quote(name) : `(${quote(name)}::text)`} gin_trgm_ops`;
  });
  return [{ name: indexName(table, ['search']), sql: `index %name on %table using gin (${parts.join(', ')})` }];
}

/** For pages in the model's own order; the id makes it total. */
function orderIndex(model: Model, columnOf: (field: string) => Column | undefined): Index[] {
  const terms = model.ordering.map((text) => {
    const term = orderTerm(model, text);
    return { column: columnOf(term.field), term };
  });
  if (
    !terms.length ||
    terms.some(
      ({ column }) =>
        !column || column.name === 'id' || isList(column) || column.type === 'text' || column.type === 'jsonb',
    )
  )
    return [];
  const known = terms as { column: Column; term: OrderTerm }[];
  const [only, ...more] = known;
  if (!more.length && only!.column.unique && !only!.column.natural) return [];
  // Ordering by what a column refers to and ordering by the column itself give the same term here, which is kept once.
  const list = [...new Set(known.map(({ column, term }) => sorted(column) + directionOf(term)))];
  return [
    { name: indexName(model.table, ['order']), sql: `index %name on %table (${[...list, quote('id')].join(', ')})` },
  ];
}

const spelled = ({ name, sql }: Index, table: string): Index => ({
  name,
  sql: `create ${sql.replace('%name', quote(name)).replace('%table', table)}`,
});

const distinct = (indexes: Index[]): Index[] => [...new Map(indexes.map((index) => [index.name, index])).values()];

/**
 * Names of a model's unique constraints and indexes, with the fields that they compare: a violation is reported by that
 * name.
 */
export function uniqueNames(model: Model): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>(
    model.unique.map(({ fields }) => [uniqueSetName(model.table, fields), fields]),
  );
  for (const [name, field] of Object.entries(model.fields))
    if (field.column?.unique) names.set(uniqueColumnName(model.table, columnName(name, field)), [name]);
  return names;
}
