import type { Dict } from '@cadastre/model';
import type { TextName } from '../../../ui/texts/texts.ts';

/** A position in a file, counted from one; in CSV, `column` is a column of the table, else a character in the line. */
export interface Position {
  line: number;
  column: number;
}

/** A column in the line where the row begins, or a position in another line. */
export type Place = number | readonly [line: number, column: number];

/**
 * One object of a file: the line where it begins, its values, and their places. In CSV, values are texts, which are
 * parsed later by the type of their field.
 */
export interface Row {
  line: number;
  values: Dict;
  places: Readonly<Record<string, Place>>;
}

export interface Parsed {
  rows: Row[];
  /** Whether all values are texts that still have to be parsed. */
  texts: boolean;
  /**
   * The names of values, each with its first position: all columns of a table, or all members that occur in objects.
   */
  columns: ReadonlyMap<string, Position>;
}

/** The position of a value of a row. */
export function positionOf({ line, places }: Row, name: string): Partial<Position> & Pick<Position, 'line'> {
  const place = Object.hasOwn(places, name) ? places[name]! : undefined;
  if (place === undefined) return { line };
  return typeof place === 'number' ? { line, column: place } : { line: place[0], column: place[1] };
}

/** The name under which the place of an item in a row's list is kept; a further dot leads to the item's members. */
export const within = (list: string, nth: number): string => `${list}.${nth}`;

/** The shortest notation of a position in a row that begins in the given line. */
export const placeIn = (line: number, at: Position): Place => (at.line === line ? at.column : [at.line, at.column]);

/** The limits of a text. */
export interface ImportLimits {
  /** Number of objects. */
  rows: number;
  /** Columns of a table, or members of an object. */
  fields: number;
  /** Values of all objects together. */
  values: number;
  /** Nesting depth of values. */
  depth: number;
  /** Characters of a value; in CSV, of a row. */
  length: number;
  /** Characters of all names and values, with every alias counted in full. */
  size: number;
  /** Called with the number of objects so far. */
  seen?: ((rows: number) => void) | undefined;
}

/** Why a file cannot be read, as the name of a text of the pages, and where. */
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

/** Counts totals that are limited for the whole text. */
export class Count {
  readonly #limits: ImportLimits;
  #values = 0;
  #size = 0;
  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }
  /** @throws Unreadable above the limit */
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
