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
