import {
  type Dict,
  type Field,
  isDict,
  type Json,
  MASK,
  type Model,
  type Owned,
  type ParseContext,
  placeOf,
  type Reference,
  referenceOf,
  typeName,
  unstorable,
  viewOf,
} from '@cadastre/model';
import type { ImportRun } from '../context/importRun.ts';
import type { Item, Mode } from '../context/item.ts';
import { isStorable } from './storable.ts';

/** Longest text of `changelog_message`, in characters. */
export const MAX_MESSAGE = 200;

const entries = new WeakMap<Model, [string, Field][]>();

/** The fields of a model with their names. */
export function fieldsOf(model: Model): [string, Field][] {
  let known = entries.get(model);
  if (!known) entries.set(model, (known = Object.entries(model.fields)));
  return known;
}

/**
 * Reads one object. Wrong fields end up in `errors`; nothing is thrown. For an import more fields are read, and less
 * strictly: what the column can hold is kept and noted.
 */
export function parseItem(
  model: Model,
  body: Json,
  index: number,
  mode: Mode,
  context: ParseContext,
  importing?: ImportRun,
): Item {
  const item: Item = {
    index,
    given: {},
    values: {},
    references: new Map(),
    addTags: [],
    removeTags: [],
    customFields: undefined,
    rows: new Map(),
    readMessage: '',
    errors: {},
  };
  if (!isDict(body)) {
    item.errors['non_field_errors'] = [`Invalid data. Expected a dictionary, but got ${typeName(body)}.`];
    return item;
  }
  item.given = body as Dict;
  for (const [name, field] of fieldsOf(model)) {
    if (!(importing ? isImportable(field) : isWritten(field))) continue;
    const value = (body as Dict)[name];
    if (value === undefined) {
      // Not every source can export a field that its API does not show.
      const needed = field.required && !field.readOnly && !(importing && field.writeOnly);
      if (needed && mode !== 'patch') item.errors[name] = ['This field is required.'];
      continue;
    }
    if (field.secret && value === MASK && (mode !== 'create' || importing)) continue;
    if (field.owned) readOwnedRows(item, name, field.owned, value, context);
    else {
      const parse = (importing && field.imported) ?? field.parse;
      if (parse) readField(item, model.name, name, { ...field, parse }, value, context, importing);
    }
  }
  if (mode === 'create') fillDefaults(model, item);
  if (mode === 'replace')
    for (const name of model.resets)
      if (item.given[name] === undefined) item.values[name] = defaultOf(model.fields[name]!);
  if (model.features.has('tags')) tagLists(item, mode);
  if (model.features.has('changeLogging') || model.features.has('timestamps')) message(item);
  return item;
}

/** Whether clients write a field, or may believe so. */
const isWritten = (field: Field): boolean => !field.hidden && !field.readOnly;

/**
 * Whether an import brings a field. Reverse relations come with the objects at their other end, and parts with an
 * address of their own come by themselves.
 */
const isImportable = (field: Field): boolean =>
  field.imported !== undefined ||
  (isWritten(field) && (field.owned ? field.owned.from.part !== 'listed' : field.reverse === undefined));

function readField(
  item: Item,
  type: string,
  name: string,
  field: Field,
  value: Json,
  context: ParseContext,
  importing: ImportRun | undefined,
): void {
  if (value === null) {
    if (field.special === 'customFields') return;
    if (field.nullable) item.values[name] = field.column?.nullable === false ? '' : null;
    else if (importing && !field.required) item.values[name] = defaultOf(field);
    else item.errors[name] = ['This field may not be null.'];
    return;
  }
  const parsed = field.parse!(value, field.sealed ? { ...context, place: placeOf(type, name) } : context);
  if (
    'errors' in parsed &&
    importing &&
    field.column &&
    !field.relation &&
    !field.upload &&
    isStorable(field.column.type, value)
  ) {
    importing.note(item, { [name]: parsed.errors });
    item.values[name] = value;
  } else if ('errors' in parsed) item.errors[name] = parsed.errors;
  else if ('reference' in parsed) item.references.set(name, [parsed.reference]);
  else if ('references' in parsed) item.references.set(name, parsed.references);
  else if (field.special === 'customFields') {
    const problem = unstorable(parsed.value);
    if (problem) item.errors[name] = [problem];
    else item.customFields = parsed.value as Dict;
  } else item.values[name] = parsed.value;
}

/** Reads a list of dictionaries as rows of the model that they are. */
function readOwnedRows(item: Item, name: string, list: Owned, value: Json, context: ParseContext): void {
  if (value === null) item.errors[name] = ['This field may not be null.'];
  else if (!Array.isArray(value))
    item.errors[name] = { non_field_errors: [`Expected a list of items but got type "${typeName(value)}".`] };
  else
    item.rows.set(
      name,
      value.map((given, index) => parseItem(viewOf(list), inRow(list, given), index, 'create', context)),
    );
}

/** A dictionary with the names of the row's fields. */
function inRow({ members }: Owned, given: Json): Json {
  if (!isDict(given)) return given;
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, of]) => (given[name] === undefined ? [] : [[of, given[name]]])),
  );
}

/** The stored value of a field that was not given. */
export const defaultOf = (field: Field): Json =>
  typeof field.default === 'function' ? field.default() : (field.default ?? null);

function fillDefaults(model: Model, item: Item): void {
  for (const [name, field] of fieldsOf(model)) {
    if (!field.column || name in item.values || item.references.has(name)) continue;
    item.values[name] = defaultOf(field);
  }
}

function tagLists(item: Item, mode: Mode): void {
  const { given, errors } = item;
  // Said when the tags themselves are in order.
  if (replacesAndChangesTags(item)) return;
  if (mode === 'create' && given['remove_tags'] !== undefined) {
    errors['remove_tags'] = ['Cannot use "remove_tags" when creating a new object.'];
    return;
  }
  item.addTags = tagReferences(item, 'add_tags');
  item.removeTags = tagReferences(item, 'remove_tags');
}

/** Whether all tags are given, and besides them some to add or to take away. */
export const replacesAndChangesTags = ({ given }: Item): boolean =>
  given['tags'] !== undefined && (given['add_tags'] !== undefined || given['remove_tags'] !== undefined);

function tagReferences(item: Item, name: 'add_tags' | 'remove_tags'): Reference[] {
  const value = item.given[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    item.errors[name] = [`Expected a list of items but got type "${typeName(value)}".`];
    return [];
  }
  const references: Reference[] = [];
  for (const entry of value) {
    const reference = typeof entry === 'number' || isDict(entry) ? referenceOf(entry) : undefined;
    if (reference && !('errors' in reference)) references.push(reference);
    else
      ((item.errors[name] as string[] | undefined) ?? (item.errors[name] = [])).push(
        `Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`,
      );
  }
  return references;
}

function message(item: Item): void {
  const value = item.given['changelog_message'];
  if (value === undefined || value === null) return;
  if (typeof value !== 'string') item.errors['changelog_message'] = ['Not a valid string.'];
  else if ([...value].length > MAX_MESSAGE)
    item.errors['changelog_message'] = [`Ensure this field has no more than ${MAX_MESSAGE} characters.`];
  else if (unstorable(value)) item.errors['changelog_message'] = [unstorable(value)];
  else item.readMessage = value.trim();
}
