import { steps } from '../../filters/filter.ts';
import type { Schema } from '../../types/column.ts';
import { type Cell, type Dict, isDict, type Json, typeName } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { type FieldErrors, fails, type Parsed, type Reference } from '../../types/parsing.ts';
import type { Form, OnDelete } from '../../types/relation.ts';

export interface RefOptions extends Common {
  /** What happens here when the object referred to is deleted; `protect` unless said otherwise. */
  onDelete?: OnDelete;
  /** How the object is written: `brief` unless said otherwise. */
  form?: Form;
  /** Must be given although it may be null. */
  mustBeGiven?: boolean;
  unique?: boolean;
  /** Name of the column, where it is not the field's. */
  column?: string;
  /**
   * What templates call these objects at the one that they refer to, where that is not their plural:
   * `rack.reservations`.
   */
  backwards?: string;
}

const idOf = (value: Json): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : typeof value === 'string' && /^\d{1,18}$/.test(value.trim())
      ? Number(value)
      : undefined;

/**
 * A reference as a client writes it: a number, digits, or a dictionary of attributes (one with an `id` means that
 * object).
 */
export function referenceOf(value: Json): Reference | { errors: string[] } {
  const id = idOf(value);
  if (id !== undefined) return { id };
  if (isDict(value)) return byIdAlone(value as Dict) ?? { attributes: value as Dict };
  return {
    errors: [
      `Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ],
  };
}

/**
 * A dictionary that holds nothing but an id is treated as the id, so that a client can refer to an object that it may
 * not view. Messages quote the dictionary as it was written.
 */
function byIdAlone(attributes: Dict): Reference | undefined {
  const [[name, value] = [], more] = Object.entries(attributes);
  const id = name === 'id' && more === undefined ? idOf(value!) : undefined;
  return id === undefined ? undefined : { id, written: attributes };
}

/** One object of another model. Read in its brief form, written as its id or as attributes that match exactly one. */
export function ref(to: string, o: RefOptions = {}): Field {
  const required = o.mustBeGiven ?? (!o.optional && !o.readOnly);
  return {
    kind: 'ref',
    column: {
      type: 'bigint',
      nullable: o.optional ?? false,
      suffix: '_id',
      index: 'btree',
      ...(o.column ? { name: o.column } : {}),
      ...(o.unique ? { unique: true } : {}),
    },
    required,
    nullable: o.optional ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: null,
    relation: {
      to,
      many: false,
      onDelete: o.onDelete ?? 'protect',
      form: o.form ?? 'brief',
      ...(o.backwards ? { backwards: o.backwards } : {}),
    },
    parse: (value) => {
      const reference = referenceOf(value);
      return 'errors' in reference ? reference : { reference };
    },
    lookups: null,
    metadata: () => ({ type: 'nested object', required, read_only: o.readOnly ?? false }),
    schema: {
      read: {},
      write: { anyOf: [{ type: 'integer' }, { type: 'object' }, ...(o.optional ? [{ type: 'null' }] : [])] },
    },
    ...(o.hidden ? { hidden: true } : {}),
  };
}

/** References as a client writes them; with `by`, a text is the attribute of that name. */
export function referencesOf(value: Json, by?: string): Parsed {
  if (!Array.isArray(value)) return fails(`Expected a list of items but got type "${typeName(value)}".`);
  const references: Reference[] = [];
  const errors: string[] = [];
  for (const item of value) {
    const reference = by !== undefined && typeof item === 'string' ? { attributes: { [by]: item } } : referenceOf(item);
    if ('errors' in reference) errors.push(...reference.errors);
    else references.push(reference);
  }
  return errors.length ? { errors: errors as FieldErrors } : { references };
}

/**
 * Several objects of another model, an id array in the row. The whole set is replaced on write. With `by`, they are
 * written and shown by that attribute, their key.
 */
export function refs(to: string, o: RefOptions & { by?: string } = {}): Field {
  const required = o.mustBeGiven ?? false;
  return {
    kind: 'refs',
    column: {
      type: 'bigint[]',
      nullable: false,
      default: "'{}'",
      index: 'gin',
      ...(o.column ? { name: o.column } : {}),
    },
    required,
    nullable: false,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: [],
    relation: {
      to,
      many: true,
      onDelete: o.onDelete ?? 'setNull',
      form: o.by ? 'key' : (o.form ?? 'brief'),
      ...(o.backwards ? { backwards: o.backwards } : {}),
    },
    parse: (value) => referencesOf(value, o.by),
    lookups: null,
    metadata: () => ({ type: 'field', required, read_only: o.readOnly ?? false }),
    schema: {
      read: { type: 'array' },
      write: {
        type: 'array',
        items: { anyOf: [...(o.by ? [{ type: 'string' }] : []), { type: 'integer' }, { type: 'object' }] },
      },
    },
    ...(o.hidden ? { hidden: true } : {}),
  };
}

/** The tags of an object, by name. */
export function tags(): Field {
  return { ...refs('extras.tag', { form: 'nested' }), kind: 'tags', special: 'tags' };
}

const computedList = (
  from: string,
  field: string,
  as: 'count' | 'list' | 'one',
  form: Form,
  cumulative: boolean,
  kind: string,
): Field => ({
  kind,
  required: false,
  nullable: false,
  readOnly: true,
  writeOnly: false,
  reverse: { from, field, as, form, cumulative },
  lookups: null,
  metadata: () => ({ type: as === 'count' && cumulative ? 'integer' : 'field', required: false, read_only: true }),
  schema: { read: as === 'count' ? { type: 'integer' } : { type: 'array' }, write: {} },
});

/** How many objects of another model point here by the named field. */
export const count = (from: string, field: string): Field => computedList(from, field, 'count', 'id', false, 'count');

/**
 * The same, but also shown where the object stands inside another one, and with a filter: for what the reference keeps
 * as a counter.
 */
export const counter = (from: string, field: string): Field => {
  const counted = computedList(from, field, 'count', 'id', false, 'counter');
  return {
    ...counted,
    reverse: { ...counted.reverse!, inside: true },
    lookups: 'number',
    metadata: () => ({ type: 'integer', required: false, read_only: true }),
  };
};

/** A value computed from the number of objects that point here and from columns, such as whether a bay is taken. */
export const countedAs = (
  from: string,
  field: string,
  columns: string[],
  print: (count: number, cells: Cell[]) => string,
  schema: Schema,
): Field => {
  const counted = computedList(from, field, 'count', 'id', false, 'countedAs');
  return {
    ...counted,
    reverse: {
      ...counted.reverse!,
      inside: true,
      shown: { columns, print: (found, cells) => print(Number(found), cells) },
    },
    metadata: () => ({ type: String(schema['type'] ?? 'field'), required: false, read_only: true }),
    schema: { read: schema, write: {} },
  };
};

/** `count` for a tree: objects that point at a descendant count, too. */
export const countBelow = (from: string, field: string): Field =>
  computedList(from, field, 'count', 'id', true, 'count');

/** The only object of another model that points here by the named field; null when none does. */
export const referrer = (from: string, field: string, o: { form?: Form } = {}): Field => ({
  ...computedList(from, field, 'one', o.form ?? 'brief', false, 'referrer'),
  nullable: true,
  metadata: () => ({ type: 'nested object', required: false, read_only: true }),
  schema: { read: { anyOf: [{ type: 'object' }, { type: 'null' }] }, write: {} },
});

/** The objects of another model that point here by the named field. With `writable`, writing it changes their field. */
export function referrers(from: string, field: string, o: { form?: Form; writable?: boolean } = {}): Field {
  const shown = computedList(from, field, 'list', o.form ?? 'brief', false, 'referrers');
  return o.writable
    ? {
        ...shown,
        readOnly: false,
        parse: (value) => referencesOf(value),
        metadata: () => ({ type: 'field', required: false, read_only: false }),
        schema: refs(from).schema,
      }
    : shown;
}

/**
 * The object that the first of these references points at that is not empty: `firstOf('primary_ip6', 'primary_ip4')`.
 */
export const firstOf = (...names: string[]): Field => ({
  kind: 'firstOf',
  required: false,
  nullable: true,
  readOnly: true,
  writeOnly: false,
  firstOf: names,
  lookups: null,
  metadata: () => ({ type: 'nested object', required: false, read_only: true }),
  schema: { read: { anyOf: [{ type: 'object' }, { type: 'null' }] }, write: {} },
});

export interface GenericOptions {
  /** The types that it may point at; any unless said otherwise. */
  to?: readonly string[];
  /**
   * What happens here when the object pointed at is deleted: `setNull` where both fields may be empty, else `cascade`;
   * by its type, where that differs.
   */
  onDelete?: OnDelete | Readonly<Record<string, OnDelete>>;
  /** It stays as it is when the object pointed at is deleted, and then points at nothing. */
  outlives?: boolean;
  /** As in `RefOptions`. */
  backwards?: string;
  /** What messages call an object that is not there; the error stands at the whole object then. */
  missing?: string;
}

/** Whatever object a type field and an id field point at, brief; null when nothing. */
export function generic(
  typeField: string,
  idField: string,
  { to, onDelete, outlives, missing, backwards }: GenericOptions = {},
): Field {
  return {
    kind: 'generic',
    required: false,
    nullable: true,
    readOnly: true,
    writeOnly: false,
    generic: {
      typeField,
      idField,
      form: 'brief',
      ...(to ? { to } : {}),
      ...(onDelete ? { onDelete } : {}),
      ...(outlives ? { outlives } : {}),
      ...(missing ? { missing } : {}),
      ...(backwards ? { backwards } : {}),
    },
    lookups: null,
    metadata: () => ({ type: 'field', required: false, read_only: true }),
    schema: { read: { anyOf: [{ type: 'object' }, { type: 'null' }] }, write: {} },
  };
}

/**
 * What an object leads to, over one of several paths: `reached('dcim.site', 'scope:dcim.site',
 * 'scope:dcim.location/site')`. Neither stored nor shown; `count` may name it.
 */
export const reached = (to: string, ...paths: string[]): Field => ({
  kind: 'reached',
  required: false,
  nullable: true,
  readOnly: true,
  writeOnly: false,
  hidden: true,
  reached: { to, paths: paths.map(steps) },
  lookups: null,
  metadata: () => ({ type: 'field', required: false, read_only: true }),
  schema: { read: {}, write: {} },
});
