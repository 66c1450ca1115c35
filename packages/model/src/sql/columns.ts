import type { Column } from '../types/column.ts';
import type { Field, Model } from '../types/model.ts';

/** Columns that every table has besides those of its fields. */
export const ID: Column = { name: 'id', type: 'bigint', nullable: false };
export const VERSION: Column = { name: '_version', type: 'integer', nullable: false, default: '1' };
/** Of a tree: the ids from the root down to the row itself, and the names along that way. */
export const TREE: Column[] = [
  { name: '_path', type: 'bigint[]', nullable: false, default: "'{}'", index: 'gin' },
  { name: '_sort', type: 'text[]', nullable: false, default: "'{}'", natural: true, index: 'btree' },
];

/** Name of the column that holds a field. */
export const columnName = (name: string, field: Field): string =>
  field.column?.name ?? name + (field.column?.suffix ?? '');

/** The column of a field, or undefined when it has none. */
export function columnOf(name: string, field: Field): Column | undefined {
  if (!field.column) return undefined;
  const { suffix: _, ...column } = field.column;
  return { ...column, name: columnName(name, field) };
}

const columns = new WeakMap<Model, readonly Column[]>();

/** All columns of a model's table, in the order of its declaration. */
export function columnsOf(model: Model): readonly Column[] {
  let known = columns.get(model);
  if (!known) columns.set(model, (known = allColumns(model)));
  return known;
}

function allColumns(model: Model): Column[] {
  const own = Object.entries(model.fields).flatMap(([name, field]) => columnOf(name, field) ?? []);
  return [ID, ...own, ...(model.tree ? TREE : []), VERSION];
}

/**
 * Whether a column is worth keeping in a replica: bounded values that filters, briefs and permission constraints can
 * ask for.
 */
export function isReplicated(name: string, field: Field): boolean {
  if (!field.column || field.secret || field.writeOnly) return false;
  return (
    name !== 'created' && name !== 'last_updated' && field.special !== 'customFields' && field.column.type !== 'text'
  );
}

/** The collation that sorts `eth2` before `eth10`, and `a` beside `A`. */
export const NATURAL = 'natural';

/**
 * What a column sorts by, in lists and in the indexes for them. `sql` is the column as the statement names it. For
 * `set_masklen`, -1 is the longest mask: this gives a host's address at a tenth of the cost of `host(…)::inet`.
 */
export const sortedBy = (column: Pick<Column, 'natural' | 'order'>, sql: string): string =>
  column.natural ? `${sql} collate "${NATURAL}"` : column.order === 'host' ? `set_masklen(${sql}, -1)` : sql;

/**
 * A term of a default order: a field, in which direction, and whether by the id of what it refers to (`vrf_id nulls
 * first`).
 */
export interface OrderTerm {
  field: string;
  byId: boolean;
  descending: boolean;
  nullsFirst: boolean;
}

export function orderTerm(model: Pick<Model, 'fields'>, term: string): OrderTerm {
  const [, minus, name, rest] = /^(-?)(\S+)(.*)$/.exec(term)!;
  const reference = name!.replace(/_id$/, '');
  const byId = !(name! in model.fields) && model.fields[reference]?.relation !== undefined;
  return { field: byId ? reference : name!, byId, descending: minus === '-', nullsFirst: rest === ' nulls first' };
}

/** The direction of a term, after what it sorts by. */
export const directionOf = ({ descending, nullsFirst }: Pick<OrderTerm, 'descending' | 'nullsFirst'>): string =>
  `${descending ? ' desc' : ''}${nullsFirst ? ' nulls first' : ''}`;

/** Quotes a name for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
