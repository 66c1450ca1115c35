import type { Field, Model } from '@cadastre/model';
import { PASSED_OVER, SECRET_WITHOUT, TREE_COLUMNS } from './differences.ts';
import { shown } from './forms.ts';
import type { Layout } from './layout.ts';
import {
  baseOf,
  type Columns,
  column,
  linked,
  ownedRows,
  placeOf,
  pointingHere,
  stored,
  tableOf,
  tagsOf,
} from './places.ts';

/** A member of a representation, and the SQL of its value; `t` is the row of the object. */
export interface Member {
  name: string;
  sql: string;
  /** No field of ours corresponds to it: its values are reported as lost. */
  unknown?: true;
}

/** The members that the tables hold of objects of a type that we know, in the order of its declaration. */
export function membersOf(model: Model, layout: Layout, models: ReadonlyMap<string, Model>): Member[] {
  const columns = layout.tables.get(tableOf(model.name))!;
  const fields = Object.entries(model.fields).filter(([name, field]) => !isSecret(model, name, field, columns));
  const known = fields.flatMap(([name, field]): Member[] => {
    const sql = isShown(field) ? sqlOf(model, name, field, layout, models) : undefined;
    return sql === undefined ? [] : [{ name, sql }];
  });
  return [
    { name: 'id', sql: column('t', 'id') },
    ...displayOf({ ...model, fields: Object.fromEntries(fields) }, columns),
    ...known,
    ...unknownIn(model, columns, layout),
  ];
}

/** Whether a field is not read with the objects: it is imported with the accounts, or not at all. */
const isSecret = ({ name: type }: Model, name: string, field: Field, columns: Columns): boolean => {
  const needed = SECRET_WITHOUT[type]?.[name];
  return field.writeOnly || Boolean(field.hidden && field.secret) || (needed !== undefined && !columns.has(needed));
};

/** The display name of an object: the first of the texts that it is made of. The API may show more. */
function displayOf(model: Model, columns: Columns): Member[] {
  const texts = model.display.columns.flatMap((name) => {
    const place = name === 'id' || !model.fields[name] ? undefined : placeOf(model, name, columns);
    return place && !place.isType ? [`nullif(${column('t', place.column)}::text, '')`] : [];
  });
  return texts.length ? [{ name: 'display', sql: `coalesce(${texts.join(', ')})` }] : [];
}

function sqlOf(
  model: Model,
  name: string,
  field: Field,
  layout: Layout,
  models: ReadonlyMap<string, Model>,
): string | undefined {
  const { tables, types } = layout;
  const columns = tables.get(tableOf(model.name))!;
  if (field.special === 'tags') return tagsOf(types.get(model.name));
  if (field.special === 'customFields') return columns.has(CUSTOM) ? column('t', CUSTOM) : undefined;
  if (field.owned) return ownedRows(field.owned, tables);
  if (field.reverse) return field.parse ? pointingHere(model, field.reverse, tables, models) : undefined;
  return field.column ? stored('t', model, name, tables) : undefined;
}

const CUSTOM = 'custom_field_data';
const TAGS = 'extras_taggeditem';

const isShown = (field: Field): boolean => !field.hidden || field.imported !== undefined;

/**
 * Columns, and link tables, without a field of ours. Those that begin with `_` are internal to NetBox; fields that are
 * hidden or counted here have no values to import either, except tags and custom fields, which users set.
 */
function unknownIn(model: Model, columns: Columns, { tables, types }: Layout): Member[] {
  const passedOver = new Set(['id', ...(PASSED_OVER[model.name] ?? []), ...(model.tree ? TREE_COLUMNS : [])]);
  for (const [name, field] of Object.entries(model.fields)) {
    passedOver.add(name).add(baseOf(field, name));
    const place = placeOf(model, name, columns);
    if (place) passedOver.add(place.column);
    if (field.special === 'customFields' && isShown(field)) passedOver.add(CUSTOM);
  }
  const table = `${tableOf(model.name)}_`;
  const links = [...tables.keys()].flatMap((one) => (one.startsWith(table) ? one.slice(table.length) : []));
  const hiddenTags = Object.values(model.fields).some((field) => field.special === 'tags' && !isShown(field));
  const isUnknown = (name: string): boolean => !name.startsWith('_') && !passedOver.has(name);
  return [
    ...[...columns].filter(([name]) => isUnknown(name)).map(([name, type]) => [name, shown(column('t', name), type)]),
    ...links.filter(isUnknown).map((name) => [name, linked(model, name, tables)]),
    ...(hiddenTags ? [[TAGS, tagsOf(types.get(model.name))]] : []),
  ].flatMap(([name, sql]) => (name !== undefined && sql !== undefined ? [{ name, sql, unknown: true }] : []));
}

/** Members that are reported for objects of types that are not known here. */
export function strangersMembers(columns: Columns): Member[] {
  const name = ['name', 'label', 'slug', 'ssid', 'cid', 'path'].find((one) => columns.has(one));
  return [
    { name: 'id', sql: column('t', 'id') },
    ...(name === undefined ? [] : [{ name: 'display', sql: `${column('t', name)}::text` }]),
  ];
}
