import type { Dict, Json } from './json.ts';

/** What narrows the search for an object: by filter of the object's list, the row's column that gives the value. */
export type Among = Readonly<Record<string, string>>;

/** Another object, one of whose fields is set to the object of a row once that has been written. */
export interface Mark {
  /** Columns that name the other object; the first one that the row has counts. */
  on: readonly string[];
  /** The field of the other object, depending on what was written. */
  field(written: { readonly [member: string]: Json }): string;
}

/** A column of files for import that is not a field of the model, or that gives a field in another way. */
export interface ImportColumn {
  /** What its cells hold. Objects are given by name. */
  is: 'object' | 'objectType' | 'boolean' | 'integer' | 'field';
  /** For objects: their type, or types by the column of the row that is filled; for types: those that are allowed. */
  of?: string | Readonly<Record<string, string>> | readonly string[];
  /** The column that gives the type of the object. */
  ofColumn?: string;
  /** Types of the object by the value of another column. */
  ofValue?: { column: string; types: Readonly<Record<string, string>> };
  /** The attribute by which the object is looked up first; by default that of its type. */
  by?: string;
  among?: Among;
  /** The generic relation that the object is put into. */
  fills?: string;
  /** The field that the column is another name of. */
  field?: string;
  /** Makes what is written from what was found and the row's columns. Without it, a column only narrows searches. */
  puts?(value: Json, row: { readonly [column: string]: Json }): Dict;
  /** The field whose object lies in this one, by its member of that name: what an export says here. */
  from?: string;
  marks?: Mark;
  /** Columns without which it has no meaning: one of each list. */
  needs?: readonly (readonly string[])[];
}

/** What files for import say of a model's objects beyond its fields. All of it may be left out. */
export interface ImportWords {
  /** What its objects are found by first where a file names one: `vid`. By default `name`, or what they are called. */
  called?: string;
  /** The same for single references of this model; `id` where a number is an id. */
  by?: Readonly<Record<string, string>>;
  /**
   * By field, what narrows the search for the object that it refers to, where the default is not right. By default:
   * what that object must name as the row does (a rack its site), and what it may name that lies in that (a rack its
   * location).
   */
  among?: Readonly<Record<string, Among>>;
  /** The same, but used only to choose among several objects that match. */
  rather?: Readonly<Record<string, Among>>;
  columns?: Readonly<Record<string, ImportColumn>>;
  /**
   * References to objects that are made after this one, such as the primary address of a device: a new object from an
   * export is made without those that do not exist yet.
   */
  later?: readonly string[];
  /** Columns of such files from elsewhere that have no counterpart here. */
  passed?: readonly string[];
}

/** An object that is not a field of the row's object: it only narrows the search for other objects. */
export const narrows = (of: string, more: Pick<ImportColumn, 'by' | 'among' | 'from'> = {}): ImportColumn => ({
  is: 'object',
  of,
  ...more,
});

/** An object, by its name, that a generic relation leads to. Without a type, the relation's own type field gives it. */
export const names = (fills: string, more: Partial<ImportColumn> = {}): ImportColumn => ({
  is: 'object',
  fills,
  ...more,
});

/** Another name of a field. */
export const alias = (field: string): ImportColumn => ({ is: 'field', field });

/** Whether another object refers to the one of the row. */
export const marked = (marks: Mark, ...needs: readonly (readonly string[])[]): ImportColumn => ({
  is: 'boolean',
  marks,
  needs,
});
