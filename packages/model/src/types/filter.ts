import type { LookupFamily } from './column.ts';

/** How one lookup compares. `negated`: matches what the positive one does not, objects without a value included. */
export interface Lookup {
  compare:
    | 'exact'
    | 'contains'
    | 'startsWith'
    | 'endsWith'
    | 'iexact'
    | 'regex'
    | 'iregex'
    | 'lt'
    | 'lte'
    | 'gt'
    | 'gte'
    | 'empty';
  negated: boolean;
  /** Set where the values are not those of the field. */
  value?: 'boolean';
}

/**
 * A chain of relations from one model to another. A step is the name of a relation field, or `<app.model.field` for the
 * objects of another model that point here by that field, or `field:app.model` for a generic field where it points at
 * that type.
 */
export type Path = readonly string[];

/** Builds SQL for a filter that no declaration can express. */
export interface FilterSql {
  /** Alias of the filtered table. */
  table: string;
  /** Binds a value and returns its placeholder. */
  bind(value: unknown): string;
  /** Quoted name of the table of a model, as it is seen in this service (own table or replica). */
  tableOf(type: string): string;
  /** Id of an object type. */
  typeId(type: string): number;
  /** Object type of an id, or undefined. */
  typeById(id: number): string | undefined;
  /** Whether this service has objects of a type, or copies of them. */
  has(type: string): boolean;
  /** Id of the user who asks; null for nobody. */
  requester: number | null;
}

/** What a list parameter narrows by. */
export type Filter =
  /**
   * A column of the model itself; with `compare`, always compared that way and without lookups; `caseless` without one
   * compares without regard to case.
   */
  | { kind: 'column'; field: string; family: LookupFamily; compare?: Lookup['compare']; caseless?: true }
  /**
   * Objects at the end of a chain of relations: by id, or by an attribute of theirs; with `tree`, their descendants
   * too.
   */
  | { kind: 'related'; path: Path; by?: string; tree?: boolean; inclusive?: boolean }
  /** An attribute at the end of a chain of relations, compared like a column. */
  | { kind: 'through'; path: Path; field: string; family: LookupFamily }
  | { kind: 'tag'; by: 'slug' | 'id' }
  /** An object type by its number; `ordered` with the lookups of numbers. */
  | { kind: 'typeId'; field: string; ordered?: boolean }
  /** Objects that a request created or changed. */
  | { kind: 'request'; actions: ('created' | 'updated')[] }
  | { kind: 'search' }
  /** Objects for which one of the filters holds. */
  | { kind: 'either'; of: readonly Filter[] }
  /** Members of a JSON column; the filter's name is the prefix of theirs. */
  | { kind: 'keyed'; field: string; described?: `${string}.${string}` }
  | {
      kind: 'method';
      value: 'boolean' | 'text' | 'number' | 'uuid';
      many: boolean;
      sql(context: FilterSql, values: string[]): string;
    }
  /** Objects that must exist, compared by hand-written SQL. `ids` stands for an array of their ids. */
  | {
      kind: 'objects';
      type: string;
      by?: string;
      tree?: boolean;
      many: boolean;
      sql(context: FilterSql, ids: string): string;
    };
