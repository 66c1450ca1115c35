import type { Check } from './check.ts';
import type { Choice, Column, FieldMetadata, LookupFamily, Schema } from './column.ts';
import type { Documents } from './documents.ts';
import type { Effect, Follow } from './effect.ts';
import type { Feature } from './feature.ts';
import type { Filter, FilterSql } from './filter.ts';
import type { FormWords } from './forms.ts';
import type { ImportWords } from './imports.ts';
import type { Cell, Json, Values } from './json.ts';
import type { Pages } from './pages.ts';
import type { ParseContext, Parsed, Upload } from './parsing.ts';
import type { Prominent } from './prominent.ts';
import type { Form, Generic, Reached, Relation, Reverse } from './relation.ts';
import type { Ahead, Guard, Need, Rule } from './rule.ts';

// Models, their fields and what fields are made of name each other, so their types stand in one file. It does nothing.

/**
 * What a field of a model is: everything that the rest of the system needs to know of it, said once.
 * One file in `fields/` for each field type builds one of these; nothing else in the system looks at a field's kind
 * to decide how to store, print, parse, filter or document it.
 */
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
  /** How an import reads the value from the system of origin, for a field that no client may write. */
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

/** What the SQL of a batched field may use. */
export type BatchSql = Pick<FilterSql, 'tableOf' | 'has' | 'typeId'>;

/** A value that is found for many objects by one statement, when it is asked for. */
export interface Batched {
  /**
   * Types whose objects the statement reads, besides the model's own: when one changes, the value may; columns of other
   * services' types are kept here.
   */
  from: readonly string[];
  /**
   * Read anew each time: for what is written together with the object's own row, and must not be shown in an older
   * state than that.
   */
  fresh?: boolean;
  /** Rows that start with the id of an object; `$1` is the array of ids that are asked for. */
  sql(context: BatchSql): string;
  /** JSON text of an object without rows. */
  empty: string;
  /** JSON text of an object's rows, less the id. */
  print?(rows: Cell[][]): string;
  /** The rows name objects (type and id), which are shown in that form. */
  links?: { many: boolean; form: Form; to?: readonly string[]; members?: readonly string[] };
}

/** Rows of another model that are part of an object. */
export interface Owned {
  from: Model;
  /** Their reference to the object. */
  field: string;
  /** What the rows of this list have in common: `{ cable_end: 'A' }`. */
  where: Record<string, Json>;
  /** The members of a dictionary on the wire, and the fields of the row that they are. */
  members: Readonly<Record<string, string>>;
  /** Fills in what is not on the wire, from the whole list and the object. */
  complete(rows: Values[], owner: Values): Values[];
}

/**
 * What objects of a model are about: an object of any type. A user who may not view that object sees only its type and
 * id, here and wherever these objects are shown, and cannot make anything that is about it: for this user it does not
 * exist.
 */
export interface About {
  /** Fields that hold its type and its id. */
  type: string;
  id: string;
  /** Further fields that reveal something of it (its name, its former state): empty for users who may not view it. */
  tells?: readonly string[];
}

/** The text that stands for an object, made of its columns and of the texts of related objects. */
export interface Display {
  columns: string[];
  /**
   * References and generic fields, or chains of them (`device_type.manufacturer`), whose objects' own texts are part of
   * this one. A chain that ends with a column (`module_bay.name`) stands for the value of that column.
   */
  related?: string[];
  /** Whether those texts matter for an object; always, unless said otherwise. */
  when?(cells: Cell[]): boolean;
  /** `related` are the texts in the order of their names; null where there is no such object. */
  text(cells: Cell[], related: readonly (string | null)[]): string;
}

/** How far reading without a permission may go; see `Definition.exempt`. */
export type Exempt = 'byName' | 'never';

export interface Unique {
  fields: string[];
  /** Those among the fields, texts, whose case does not count. */
  ignoreCase?: string[];
  /** SQL condition on the columns; rows outside it are not compared. */
  where?: string;
  /** The message; by default that of the reference for such a constraint. */
  message?: string;
  /** Key of the error: `__all__` unless said otherwise. */
  key?: string;
}

export interface Definition {
  /** Last part of the address, e.g. `site-groups`. */
  path: string;
  /** What people call one, in lower case: `site group`. */
  label: string;
  plural?: string;
  /** Name of its class, where that does not follow from the label: `VMInterface`. */
  className?: string;
  /** Fields in the order of the representation. */
  fields: Record<string, Field>;
  /**
   * Default order: field names, `-` for descending; `vrf_id nulls first` is by the id itself. Always made total by the
   * id. A tree without one is listed branch by branch.
   */
  ordering?: string[];
  brief: string[];
  /** Fields of the `nested` form (tree parents, tags …). */
  nested?: string[];
  features?: Feature[];
  /** Filters besides the derived ones, and `false` for derived ones that the model does not have. */
  filters?: Record<string, Filter | false>;
  /** Columns that `q` looks into, also of related objects: `contact.name`; `=vid` compares the whole value. */
  search?: string[];
  /** What else `q` finds: SQL of a condition, or undefined for a text that cannot match. */
  searchBy?(context: FilterSql, text: string): string | undefined;
  /** Where there are too many objects to scan: the fields that `q` looks into, which get an index for substrings. */
  searchIndex?: string[];
  display?: Display;
  unique?: Unique[];
  /**
   * What must be right before an object is checked as a whole: while one of these finds errors, neither the uniqueness
   * of sets nor the rules are checked.
   */
  inputRules?: Rule[];
  rules?: Rule[];
  /** The same over all objects of a request at once. */
  checks?: Check[];
  /** Done before the transaction begins, so that nobody waits for its connection and its locks meanwhile. */
  ahead?: Ahead;
  needs?: Need[];
  /**
   * Checked before anything else in a deletion: throws Forbidden when the user may not delete the objects at all, so
   * that the answer does not reveal what depends on them.
   */
  guard?: Guard;
  /** What follows from changes, in the same transaction. */
  effects?: Effect[];
  /** What follows from changes of other services' objects, by their type. */
  follows?: Record<string, Follow>;
  /**
   * Fields of other services' models that rules, effects and hand-written filters look at: the replicas here keep them.
   */
  reads?: Record<string, string[]>;
  /**
   * There are very many of its objects, and few of them matter to a service that shows or counts some: it keeps those
   * that point at something of its own, and those that are pointed at, unless its declarations look at others too.
   * Rules and hand-written filters there see only these.
   */
  keptInPart?: boolean;
  /** Parent field of a tree; `path` and `sort` columns are kept by the pipeline. */
  tree?: boolean;
  /**
   * Objects that are not shared are for one user only, and superusers: the field that says whose they are, and the
   * boolean that says that everybody may see them.
   */
  private?: { user: string; unless: string };
  /**
   * What its objects are about, where that may be an object of any type: they say of it only what the reader may know.
   */
  about?: About;
  /** Its objects are the users: what is about a user may be shown to that user, whatever the permissions on users. */
  self?: boolean;
  /**
   * What `EXEMPT_VIEW_PERMISSIONS` cannot open to everybody: `byName` is about people or shows what belongs to other
   * objects, so `*` leaves it out; `never` holds secrets, or gives rights, and stays closed even when it is named.
   */
  exempt?: Exempt;
  /**
   * Its objects are secrets or rights: a user who has logged in to the pages must have re-authenticated recently to
   * make, change or delete one.
   */
  confirms?: boolean;
  /**
   * The attribute by which filters of other models name one (`?tenant=acme`). A slug is one, and so is a name that no
   * two objects share; a name that they may share (a device's) only where the model says so, as a value then stands for
   * all objects of that name.
   */
  key?: string;
  /** Read only: nothing but list and detail. */
  readOnly?: boolean;
  /**
   * Its objects are made from the change events of all services; a request that reads them waits a moment for events
   * that are still on their way.
   */
  fromEvents?: boolean;
  /** The type of event that its new objects are to event rules, besides `object_created`. */
  eventType?: string;
  /**
   * The field that says what the change records of these objects are about besides them: a reference or a generic
   * field, or the first of several that is not empty.
   */
  belongsTo?: string | string[];
  /**
   * A part of other objects, written with them (`owned`). `listed` parts can be read at an address of their own,
   * `hidden` ones have none.
   */
  part?: 'listed' | 'hidden';
  /** Columns that index together, in addition to those of the fields. */
  indexes?: string[][];
  /** Name of a table that its service makes and fills by itself: generated migrations leave it alone. */
  table?: string;
  /**
   * Path of the web page, when it is not `<app>/<path>`; false for objects that name no page (no `display_url`).
   */
  displayPath?: string | false;
  /**
   * How its web pages show it, where that should not follow from the fields alone; false for what has no pages of its
   * own. Objects without a `display_url` can have pages: they are found by what they belong to.
   */
  pages?: Pages | false;
  /** Where people look for its objects first. */
  prominent?: Prominent;
  /** What its forms and imports do beyond what follows from the fields. */
  forms?: FormWords;
  /** What it is as a document with parts inside. */
  documents?: Documents;
  /** What files for import call things, beyond what follows from the fields. */
  imports?: ImportWords;
  /** Text before the id in `display` when nothing else is there. */
  events?: boolean;
}

export interface Model
  extends Omit<
    Definition,
    | 'table'
    | 'className'
    | 'ordering'
    | 'features'
    | 'filters'
    | 'display'
    | 'key'
    | 'plural'
    | 'search'
    | 'searchIndex'
    | 'unique'
    | 'inputRules'
    | 'rules'
    | 'checks'
    | 'effects'
    | 'follows'
    | 'indexes'
  > {
  /** `<app>.<model>`. */
  name: string;
  app: string;
  className: string;
  plural: string;
  table: string;
  ordering: string[];
  /** Whether the table is made by generated migrations. */
  migrated: boolean;
  features: Set<Feature>;
  filters: Record<string, Filter>;
  /** Names of filters that do not come although fields or features would bring them. */
  without: string[];
  display: Omit<Display, 'text'> & { text(cells: Cell[], related?: readonly (string | null)[]): string };
  key: string | undefined;
  /** Whether references to it bring a filter by its key. */
  namesOne: boolean;
  /** Optional fields that a PUT without them sets to what a create without them has; all others keep their value. */
  resets: string[];
  search: string[];
  searchIndex: string[];
  unique: Unique[];
  inputRules: Rule[];
  rules: Rule[];
  checks: Check[];
  effects: Effect[];
  follows: Record<string, Follow>;
  indexes: string[][];
}
