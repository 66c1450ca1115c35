import { directionOf, type Field, type Model, type Owned, orderTerm, quote } from '@cadastre/model';
import pg from 'pg';
import { COLUMNS } from './differences.ts';
import { shown, typeName } from './forms.ts';
import type { Layout } from './layout.ts';

type Tables = Layout['tables'];
export type Columns = ReadonlyMap<string, string>;

/** The table of a type in Django's naming; our table may have another name. */
export const tableOf = (type: string): string => type.replace('.', '_');

/** The word by which Django names references to a type. */
const wordFor = (type: string): string => type.split('.')[1]!;

/** A column of the row `row`. */
export const column = (row: string, name: string): string => `${row}.${quote(name)}`;

const listed = (query: string): string => `array(${query})`;

/** Where a value is stored: in a column, in a column with the number of a type, or in a table of its own. */
export function stored(row: string, model: Model, name: string, tables: Tables): string | undefined {
  const columns = tables.get(tableOf(model.name))!;
  const found = placeOf(model, name, columns);
  if (found === undefined) return linked(model, baseOf(model.fields[name]!, name), tables);
  const sql = shown(column(row, found.column), columns.get(found.column)!);
  if (found.isType) return typeName(sql);
  return /char|text/.test(columns.get(found.column)!) && isNullWhenEmpty(model.fields[name]!)
    ? `nullif(${sql}, '')`
    : sql;
}

/** Choices and files: an empty text is shown as null. */
const isNullWhenEmpty = ({ upload, print }: Field): boolean => upload !== undefined || print?.('') === 'null';

export const baseOf = (field: Field, name: string): string => field.column?.name ?? name;

/** The column of a field. One that has no column but one with `_id` is the number of a type of objects. */
export function placeOf(model: Model, name: string, columns: Columns): { column: string; isType: boolean } | undefined {
  const { column: ours, relation } = model.fields[name]!;
  const base = baseOf(model.fields[name]!, name);
  const special = COLUMNS[model.name]?.[name];
  const wanted = special ?? (ours?.name === undefined ? base + (ours?.suffix ?? '') : base);
  const isType = special === undefined ? !columns.has(wanted) && !relation : special.endsWith('_id');
  const found = isType && special === undefined ? `${base}_id` : wanted;
  return columns.has(found) ? { column: found, isType } : undefined;
}

/** Both columns of a table that links the objects of a type to others: `interface_id`, `vlan_id`. */
function linkIn(tables: Tables, model: Model, name: string) {
  const table = `${tableOf(model.name)}_${name}`;
  const rest = [...(tables.get(table)?.keys() ?? [])].filter((one) => one !== 'id');
  const here = [`${wordFor(model.name)}_id`, `from_${wordFor(model.name)}_id`].find((one) => rest.includes(one));
  const there = rest.find((one) => one !== here);
  return here === undefined || there === undefined || rest.length > 2 ? undefined : { table, here, there };
}

/** The objects that those of a type are linked to: ids, or names of types. */
export function linked(model: Model, name: string, tables: Tables): string | undefined {
  const link = linkIn(tables, model, name);
  if (!link) return undefined;
  const there = column('l', link.there);
  const what = link.there === 'contenttype_id' ? typeName(there) : there;
  return listed(`select ${what} from ${quote(link.table)} l where ${column('l', link.here)} = t.id order by 1`);
}

/** Objects of another type that refer to this one, where the relation can be written from this side, too. */
export function pointingHere(
  model: Model,
  { from, field }: NonNullable<Field['reverse']>,
  tables: Tables,
  models: ReadonlyMap<string, Model>,
): string | undefined {
  const other = models.get(from);
  const columns = tables.get(tableOf(from));
  if (!other || !columns) return undefined;
  const link = linkIn(tables, other, baseOf(other.fields[field]!, field));
  if (link)
    return listed(
      `select ${column('l', link.here)} from ${quote(link.table)} l where ${column('l', link.there)} = t.id order by 1`,
    );
  const place = placeOf(other, field, columns);
  return place && other.fields[field]!.relation?.to === model.name
    ? listed(`select o.id from ${quote(tableOf(from))} o where ${column('o', place.column)} = t.id order by 1`)
    : undefined;
}

/** The rows of another table that are part of the object, in their default order. */
export function ownedRows({ from, field, where, members }: Owned, tables: Tables): string | undefined {
  const columns = tables.get(tableOf(from.name));
  const owner = columns && placeOf(from, field, columns);
  if (!columns || !owner) return undefined;
  const shownAs = Object.entries(members).flatMap(([name, of]) => {
    const sql = from.fields[of]!.column ? stored('o', from, of, tables) : undefined;
    return sql === undefined ? [] : `${pg.escapeLiteral(name)}, ${sql}`;
  });
  const conditions = Object.entries(where).map(
    ([name, value]) => `${column('o', placeOf(from, name, columns)!.column)} = ${pg.escapeLiteral(String(value))}`,
  );
  const order = from.ordering.flatMap((term) => {
    const asked = orderTerm(from, term);
    const place = placeOf(from, asked.field, columns);
    return place ? `${column('o', place.column)}${directionOf(asked)}` : [];
  });
  return `coalesce((select json_agg(json_build_object(${shownAs.join(', ')}) order by ${[...order, 'o.id'].join(', ')})
    from ${quote(tableOf(from.name))} o
    where ${[`${column('o', owner.column)} = t.id`, ...conditions].join(' and ')}), '[]')`;
}

/** The ids of an object's tags; `type` is the number of its type. */
export const tagsOf = (type: number | undefined): string =>
  type === undefined
    ? "'{}'::bigint[]"
    : listed(
        `select tag_id from extras_taggeditem i where i.content_type_id = ${type} and i.object_id = t.id order by 1`,
      );
