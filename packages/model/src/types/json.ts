// The types of JSON and of cells of rows, on which all others are based.

/** One column of a row as PostgreSQL sends it in text form; null is SQL NULL. */
export type Cell = string | null;

/** JSON as a client sends it, after parsing. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type Dict = { [key: string]: Json };

/** Whether a value of JSON is a dictionary. */
export const isDict = (value: Json | undefined): value is Dict =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Python's name for a JSON type: the reference's messages use them. */
export function typeName(value: Json): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'dict';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) ? 'int' : 'float';
}

/** Text of a cell as a JSON string; null stays null. */
export const printText = (cell: Cell): string => (cell === null ? 'null' : JSON.stringify(cell));

/** A number or JSON in text form is JSON already. */
export const printRaw = (cell: Cell): string => cell ?? 'null';

/** A row as rules see it: stored values by field name (references are ids, many-to-many are id lists). */
export type Values = Record<string, Json>;
