import type { Choice, Json } from '@cadastre/model';

/** How a field is filled in. */
export type Kind =
  | 'text'
  | 'area'
  | 'number'
  | 'checkbox'
  | 'select'
  | 'selects'
  | 'checks'
  | 'picker'
  | 'pickers'
  | 'date'
  | 'datetime'
  | 'color'
  | 'json'
  | 'rows'
  | 'list'
  | 'file'
  | 'secret'
  | 'url'
  | 'email';

/** What of a text can be looked at while it is typed. */
export type Check = 'address' | 'prefix' | 'mac';

/** A choice, the heading that it stands under among many, and what it is called where it is declared. */
export type Offered = Choice & { group?: string; declared?: string };

export interface Widget {
  name: string;
  label: string;
  kind: Kind;
  required: boolean;
  nullable: boolean;
  help: string | undefined;
  choices: readonly Offered[];
  /** The type of the objects that a picker offers. */
  of: string | undefined;
  /** Whether the items of a list are numbers. */
  numbers: boolean;
  /** Whether they are pairs of a first and a last number. */
  ranges?: boolean;
  /** Longest text, in characters. */
  max: number | undefined;
  /** The field that says of which type the objects are that a picker offers. */
  ofField?: string;
  /** The member that shows the object that a picker of such a pair holds. */
  shownBy?: string;
  /** What a picker is narrowed by: the field of the form by the filter that takes its value; `id` is the object itself. */
  narrowed?: Readonly<Record<string, string>>;
  check?: Check;
  /** Its initial value. */
  initial?: Json;
  /** What it consists of, if it is filled in row by row. */
  rows?: Rows;
  /** What tells of it while it is typed; the fields that it is told. */
  told?: { by: string; from: readonly string[] };
  /** Whether it is to be typed twice. */
  twice?: boolean;
  /** The field from which this one is derived while it is empty. */
  from?: string;
}

/** A field that is filled in row by row. */
export interface Rows {
  /** What the API takes: dictionaries, lists, one dictionary by the first column, or secrets, which it never shows. */
  as: 'dictionaries' | 'lists' | 'dictionary' | 'secrets';
  columns: readonly Widget[];
  /** The column that only helps to find something, and is not written. */
  helps?: string;
}
