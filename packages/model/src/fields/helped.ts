import type { Batched } from './batched.ts';
import type { GivenFile, Upload } from './image.ts';
import type { Owned } from './owned.ts';

/**
 * What a field of a model is: everything that the rest of the system needs to know of it, said once.
 * One file under `fields/` per field type builds one of these; nothing else in the system looks at a field's kind
 * to decide how to store, print, parse, filter or document it.
 */

/** One column of a row as PostgreSQL sends it in text form; null is SQL NULL. */
export type Cell = string | null;

/** JSON as a client sends it, after parsing. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type Dict = { [key: string]: Json };

/** Whether a value of JSON is a dictionary. */
export const isDict = (value: Json | undefined): value is Dict =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * What a value that a client sent turned into: a value to store (or a reference still to resolve), or messages for the
 * field.
 */
export type Parsed = { value: Json } | { reference: Reference } | { references: Reference[] } | { errors: FieldErrors };

/** Messages of one field: a list of texts, or texts by key (custom fields), or by index (lists). */
export type FieldErrors = string[] | { [key: string]: FieldErrors };

/** A related object as a client names it: by its id, or by attributes that must match exactly one object. */
export type Reference = { id: number; written?: Dict } | { attributes: Dict };

/** Encrypts texts for the database. `place` is where they belong (`placeOf`): elsewhere they do not open. */
export interface Seal {
  close(text: string, place: string): string;
  /** @throws an error when no key opens it, or somebody has changed it */
  open(sealed: string, place: string): string;
  /** Whether a stored text is encrypted by the present key, by an `old` one, or `open` for all to read. */
  state(text: string): 'closed' | 'old' | 'open';
}

/** What parsing may ask of the world; no I/O. */
export interface ParseContext {
  /** Encrypts what sealed fields are given. */
  seal?: Seal;
  /** The field that is read, for those that are sealed. */
  place?: string;
  /** Whether `<app>.<model>` names a type of object that exists. */
  knowsObjectType(name: string): boolean;
  /** The file that came with the request and that a value stands for. */
  file?(value: string): GivenFile | undefined;
}

export interface Column {
  /** Column name in the table. */
  name: string;
  /** PostgreSQL type as it is written in DDL, e.g. `varchar(100)`, `bigint[]`, `numeric(8,6)`. */
  type: string;
  nullable: boolean;
  /** SQL expression of the default for rows that existed before the column. */
  default?: string;
  unique?: boolean;
  /** Access method of the index, or false for none. */
  index?: 'btree' | 'gin' | 'gist' | false;
  /**
   * The table is searched by it while much is written: what is written stands in the index at once, instead of in a
   * list beside it, which every search reads as well.
   */
  atOnce?: true;
  /** Sorts `eth2` before `eth10`, and without regard to case. */
  natural?: boolean;
  /** `host`: sorts addresses by themselves, whatever their masks. */
  order?: 'host';
}

/** The families of filter lookups; which suffixes each has is said in `filters/lookups.ts`. */
export type LookupFamily =
  | 'string'
  | 'choice'
  | 'oneChoice'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'datetime'
  | 'date'
  | 'uuid'
  | 'strings'
  | 'numbers'
  | 'objectType'
  | 'objectTypes'
  | 'instant'
  | 'mac'
  | 'wwn';

export interface Choice {
  value: string | number;
  label: string;
}

/**
 * How a related object is written inside another one: the `brief` fields, the `nested` fields, its id alone, its key
 * (slug or name) alone, or the named fields after `id`, `url` and `display` (`only:serial,description`, see `only`).
 */
export type Form = 'brief' | 'nested' | 'id' | 'key' | `only:${string}`;

/** The form that consists of `id`, `url`, `display` and the named fields. */
export const only = (...names: string[]): Form => `only:${names.join()}`;

/** What happens to this object when the one that it refers to is deleted. */
export type OnDelete = 'protect' | 'cascade' | 'setNull';

export interface Relation {
  /** Type of the object referred to, `<app>.<model>`. */
  to: string;
  many: boolean;
  onDelete: OnDelete;
  form: Form;
  /** What these objects are called where they refer to, if it is not their plural; see `catalogue/backwards.ts`. */
  backwards?: string;
}

/** Objects that point here, counted or listed with each object: not stored, asked for in one batch and cached. */
export interface Reverse {
  /** Type of the objects that point here. */
  from: string;
  /** Their field that does. */
  field: string;
  /** `count`: how many; `list`: the objects themselves, in the given form; `one`: the only one, or null. */
  as: 'count' | 'list' | 'one';
  form: Form;
  /** For a tree: also what points at descendants. */
  cumulative: boolean;
  /** Shown wherever the object is, also inside another one. */
  inside?: boolean;
  /** JSON text made of what was found and of columns of the object; without it, what was found is shown. */
  shown?: { columns: string[]; print(found: string, cells: Cell[]): string };
}

/** An object that this one leads to over others, in one of several ways; not stored. Counts may go by it. */
export interface Reached {
  to: string;
  /** As in `Path`, forwards only. */
  paths: readonly (readonly string[])[];
}

/** A pair of columns that can point at an object of any type. */
export interface Generic {
  /** Field that holds the type. */
  typeField: string;
  /** Field that holds the id. */
  idField: string;
  /** The types that it may point at; without them any. */
  to?: readonly string[];
  /**
   * What happens here when the object pointed at is deleted: `setNull` where both fields may be empty, else `cascade`;
   * by its type, where that differs.
   */
  onDelete?: OnDelete | Readonly<Record<string, OnDelete>>;
  /** It stays as it is when the object pointed at is deleted, and then points at nothing. */
  outlives?: boolean;
  /** What messages call an object that is not there; the error stands at the whole object then. */
  missing?: string;
  /** As in `Relation`. */
  backwards?: string;
  form: Form;
}

/** An entry under `actions.POST` of an OPTIONS answer, less the label. */
export interface FieldMetadata {
  type: string;
  required: boolean;
  read_only: boolean;
  [more: string]: unknown;
}

/** A JSON Schema (OpenAPI 3.1). */
export interface Schema {
  [keyword: string]: unknown;
}

export interface Field {
  /** Name of the field type; for messages and documentation. */
  kind: string;
  /**
   * The column that holds it; its name is the field's plus `suffix` unless it is given. None for values that are
   * computed or asked for elsewhere.
   */
  column?: Omit<Column, 'name'> & { name?: string; suffix?: string };
  /** A create or a full update must name it. */
  required: boolean;
  nullable: boolean;
  readOnly: boolean;
  /** Accepted, never shown. */
  writeOnly: boolean;
  /** Value of an object that was created without it, as it is stored. */
  default?: Json | (() => Json);
  /** JSON text from the column's text. */
  print?(cell: Cell): string;
  /** JSON text in a snapshot; `print` where it is absent. */
  printSnapshot?(cell: Cell): string;
  /** Left out of snapshots, change records and events (passwords, keys). */
  secret?: boolean;
  /** Encrypted in the database: one text, or texts by name. */
  sealed?: 'text' | 'texts';
  /** From what the client sent; null is handled before. */
  parse?(value: Json, context: ParseContext): Parsed;
  /** Computed from other columns of the same row: their names, and JSON text from their cells in that order. */
  computed?: { columns: string[]; print(cells: Cell[]): string; snapshot?: boolean };
  relation?: Relation;
  reverse?: Reverse;
  generic?: Generic;
  reached?: Reached;
  /** It is a file: the column holds its path, the representation its address. */
  upload?: Upload;
  /** Rows of another model that are part of the object: shown, checked and written with it. */
  owned?: Owned;
  /** Found for all objects of a page by one statement. */
  batched?: Batched;
  /** Shows what the first of these references points at that is not empty. */
  firstOf?: readonly string[];
  /** Tag set or custom field values: what they mean is defined by other objects, so the pipeline handles them. */
  special?: 'tags' | 'customFields';
  choices?: Choice[];
  /** Values that forms offer, of a list that takes others, too. */
  offers?: readonly string[];
  /** Lookups of the filter named after the field; null for no such filter. */
  lookups: LookupFamily | null;
  metadata(): FieldMetadata;
  /** JSON Schema of what is read and of what is written, without the parts that refer to other objects. */
  schema: { read: Schema; write: Schema };
  /** Never in the representation (kept for rules, sorting, secrets). */
  hidden?: boolean;
  /** What the field is for, in the documentation and in OPTIONS. */
  help?: string;
  /** What stands in its place in the nested form. */
  inNested?: Field;
  /** Shown in answers to a create only. */
  onlyWhenCreated?: boolean;
  /** No client writes it, and yet an import brings it from where the object comes from: how it reads it. */
  imported?: NonNullable<Field['parse']>;
  /** What a PUT without this optional field does to it, where that differs from what `resetsOf` says of all. */
  replaced?: 'reset' | 'keep';
  /** Shown with one object; lists leave it out unless the request names it. */
  inDetail?: boolean;
  /** Shown only when the request names it (`fields=`). */
  onlyNamed?: boolean;
}

/** Options that every field type takes. */
export interface Common {
  /**
   * May be left out of a create; it is null then, unless the type has an empty value of its own or there is a default.
   */
  optional?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  hidden?: boolean;
  /** No filter of the field's own name. */
  filter?: false;
}

/** Python's name for a JSON type: the reference's messages use them. */
export function typeName(value: Json): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'dict';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) ? 'int' : 'float';
}

/** The field with a word on what it is for: `helped('Local facility ID', text({ max: 50 }))`. */
export const helped = (help: string, field: Field): Field => ({
  ...field,
  help,
  schema: { read: { ...field.schema.read, description: help }, write: { ...field.schema.write, description: help } },
});

export const fails = (...messages: string[]): Parsed => ({ errors: messages });

/** Text of a cell as a JSON string; null stays null. */
export const printText = (cell: Cell): string => (cell === null ? 'null' : JSON.stringify(cell));

/** A number or JSON in text form is JSON already. */
export const printRaw = (cell: Cell): string => cell ?? 'null';
