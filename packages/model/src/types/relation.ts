import type { Cell } from './json.ts';

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
  /** The name of these objects at the one that they refer to, if not their plural; see `catalogue/backwards.ts`. */
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
