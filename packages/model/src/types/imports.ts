import type { Dict, Json } from './json.ts';

/** Among what an object is looked for: the column of the row by the filter of the object's list that takes its value. */
export type Among = Readonly<Record<string, string>>;

/** What becomes of another object once the object of a row has been written: a field of it leads there. */
export interface Mark {
  /** Columns that say the other object: the first that the row has. */
  on: readonly string[];
  /** The field of the other object, of what was written. */
  field(written: { readonly [member: string]: Json }): string;
}

/** A column of files for import that is no field of the model, or says one in another way. */
export interface ImportColumn {
  /** What its cells are. Objects are named. */
  is: 'object' | 'objectType' | 'boolean' | 'integer' | 'field';
  /** Of objects: their type, or types by the column of the row that is filled; of types: those that there may be. */
  of?: string | Readonly<Record<string, string>> | readonly string[];
  /** The column that says the type of the object. */
  ofColumn?: string;
  /** Types of the object by what another column says. */
  ofValue?: { column: string; types: Readonly<Record<string, string>> };
  /** By which attribute the object is found first; the one of its type otherwise. */
  by?: string;
  among?: Among;
  /** The generic relation that the object is put into. */
  fills?: string;
  /** The field that the column is another name of. */
  field?: string;
  /** What is written of what was found, and of the other columns of the row. Columns without say only where to look. */
  puts?(value: Json, row: { readonly [column: string]: Json }): Dict;
  /** The field whose object lies in this one, by its member of that name: what an export says here. */
  from?: string;
  marks?: Mark;
  /** Columns without which it says nothing: one of each list. */
  needs?: readonly (readonly string[])[];
}

/** What files for import say of a model's objects beyond its fields. All of it may be left out. */
export interface ImportWords {
  /** What its objects are found by first where a file names one: `vid`. By default `name`, or what they are called. */
  called?: string;
  /** The same for single references of this model; `id` where a number is an id. */
  by?: Readonly<Record<string, string>>;
  /**
   * Among what an object is looked for, where that does not follow: by the field the filters with their columns. What
   * follows: what the object must name as the row does (a rack its site), and what it may name that lies there, too.
   */
  among?: Readonly<Record<string, Among>>;
  /** The same, where it counts only if there are several. */
  rather?: Readonly<Record<string, Among>>;
  columns?: Readonly<Record<string, ImportColumn>>;
  /**
   * References to what is made after the object, as the primary address of a device: a new object out of an export goes
   * without those that are not there yet.
   */
  later?: readonly string[];
  /** Columns of such files elsewhere for which there is no place here. */
  passed?: readonly string[];
}

/** An object that the row does not hold: other objects are looked for within it. */
export const narrows = (of: string, more: Pick<ImportColumn, 'by' | 'among' | 'from'> = {}): ImportColumn => ({
  is: 'object',
  of,
  ...more,
});

/** An object, by its name, that a generic relation leads to. Without a type, the relation's own field says it. */
export const names = (fills: string, more: Partial<ImportColumn> = {}): ImportColumn => ({
  is: 'object',
  fills,
  ...more,
});

/** Another name of a field. */
export const alias = (field: string): ImportColumn => ({ is: 'field', field });

/** Whether another object leads to the one of the row. */
export const marked = (marks: Mark, ...needs: readonly (readonly string[])[]): ImportColumn => ({
  is: 'boolean',
  marks,
  needs,
});
