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
   * For a table that is searched by this column while much is written: new entries go into the (GIN) index at once
   * (`fastupdate = off`), and not into its pending list, which every search would have to read as well.
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
