import type { Choice, Json } from '@cadastre/model';

/** The kind of input of a field. */
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

/** The checks of a text while it is typed. */
export type Check = 'address' | 'prefix' | 'mac';

/** A choice; in long lists with the heading under which it is listed; and its label in the model's declaration. */
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
  /** Whether they are ranges, each with a first and a last number. */
  ranges?: boolean;
  /** The longest text, in characters. */
  max: number | undefined;
  /** The field that has the type of the objects that a picker offers. */
  ofField?: string;
  /** The member that has the present object of such a picker. */
  shownBy?: string;
  /**
   * The filters that narrow a picker: the name of the filter, and the form field that has its value; `id` is the object
   * itself.
   */
  narrowed?: Readonly<Record<string, string>>;
  check?: Check;
  /** Its initial value. */
  initial?: Json;
  /** The rows that it consists of, if it is filled in row by row. */
  rows?: Rows;
  /** The page that comments on the value while it is typed, and the fields that it receives. */
  told?: { by: string; from: readonly string[] };
  /** Whether it has to be typed twice. */
  twice?: boolean;
  /** The field from which this one is derived while it is empty. */
  from?: string;
}

/** A field that is filled in row by row. */
export interface Rows {
  /**
   * The type that the API takes: dictionaries, lists, one dictionary by the first column, or secrets, which it never
   * shows.
   */
  as: 'dictionaries' | 'lists' | 'dictionary' | 'secrets';
  columns: readonly Widget[];
  /** The column that only helps to find an object, and is not written. */
  helps?: string;
}
