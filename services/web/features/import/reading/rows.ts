import type { Dict } from '@cadastre/model';
import type { TextName } from '../../../ui/texts/texts.ts';

/** Where something of a file stands. Both count from one; in CSV `column` is one of the table, else a character of the line. */
export interface Position {
  line: number;
  column: number;
}

/** A column of the line where the row begins, or another line with its column. */
export type Place = number | readonly [line: number, column: number];

/** One object of a file: where it begins, what the file says of it, and where it says that. Texts of CSV are read by what their field is. */
export interface Row {
  line: number;
  values: Dict;
  places: Readonly<Record<string, Place>>;
}

export interface Parsed {
  rows: Row[];
  /** Whether values are texts whatever they mean. */
  texts: boolean;
  /** The names of values, each where it stands first: all columns of a table, or whatever the objects have. */
  columns: ReadonlyMap<string, Position>;
}

/** Where a value of a row stands. */
export function positionOf({ line, places }: Row, name: string): Partial<Position> & Pick<Position, 'line'> {
  const place = Object.hasOwn(places, name) ? places[name]! : undefined;
  if (place === undefined) return { line };
  return typeof place === 'number' ? { line, column: place } : { line: place[0], column: place[1] };
}

/** What the place of an object in a list of a row is called, and those of its members behind a further dot. */
export const within = (list: string, nth: number): string => `${list}.${nth}`;

/** As short as it can be told for a row that begins in a line. */
export const placeIn = (line: number, at: Position): Place => (at.line === line ? at.column : [at.line, at.column]);

/** What a text may bring. */
export interface ImportLimits {
  /** Objects. */
  rows: number;
  /** Columns of a table, members of an object. */
  fields: number;
  /** Values of all objects together. */
  values: number;
  /** How deep values lie in each other. */
  depth: number;
  /** Characters of a value; in CSV, of a row. */
  length: number;
  /** Characters of all names and values, wherever an alias repeats them. */
  size: number;
  /** Hears how many objects there are so far. */
  seen?: ((rows: number) => void) | undefined;
}

/** Why a file cannot be read: a text of the pages, and where. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly text: TextName;
  readonly said: Readonly<Record<string, string | number>>;
  readonly at: Partial<Position>;
  constructor(text: TextName, said: Readonly<Record<string, string | number>> = {}, at: Partial<Position> = {}) {
    super(text);
    this.text = text;
    this.said = said;
    this.at = at;
  }
}

/** Counts what may not be too much of in all. */
export class Count {
  readonly #limits: ImportLimits;
  #values = 0;
  #size = 0;
  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }
  /** @throws Unreadable when there are more than there may be */
  values(more: number, at: Partial<Position>): void {
    this.#values += more;
    if (this.#values > this.#limits.values) throw new Unreadable('importValues', { count: this.#limits.values }, at);
  }
  size(more: number, at: Partial<Position>): void {
    this.#size += more;
    if (this.#size > this.#limits.size) throw new Unreadable('importSize', { count: this.#limits.size }, at);
  }
}

/** @throws Unreadable at the first row too many */
export function oneMore(rows: readonly Row[], { rows: most, seen }: ImportLimits, at: Partial<Position>): void {
  seen?.(rows.length);
  if (rows.length >= most) throw new Unreadable('importRows', { count: most }, at);
}

/** @throws Unreadable at the first field too many */
export function fieldsWithin(count: number, { fields }: ImportLimits, at: Partial<Position>): void {
  if (count > fields) throw new Unreadable('importFields', { count: fields }, at);
}
