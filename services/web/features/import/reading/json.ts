import type { Dict } from '@cadastre/model';
import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import type { TextName } from '../../../ui/texts/texts.ts';
import {
  Count,
  fieldsWithin,
  type ImportLimits,
  oneMore,
  type Parsed,
  type Place,
  placeIn,
  type Position,
  type Row,
  Unreadable,
  within,
} from './rows.ts';

/** No value that can be stored has more digits. */
const DIGITS = 100;

/** Error codes of the library for missing tokens, with our texts. */
const EXPECTED: Readonly<Record<string, TextName>> = {
  ValueExpected: 'importJsonValue',
  CommaExpected: 'importJsonComma',
  EndOfFileExpected: 'importJsonEnd',
  ColonExpected: 'importJsonColon',
  PropertyNameExpected: 'importJsonName',
};

/** What is open at the present position: a list, or an object with the names that it has so far. */
type Open = Set<string> | undefined;

/**
 * The objects of a list, or a single object. The text is read in one pass, and each object is built when its end is
 * reached, so that a text over a limit is refused at the position of the excess. @throws Unreadable
 */
export function jsonRows(text: string, limits: ImportLimits): Parsed {
  const rows: Row[] = [];
  const columns = new Map<string, Position>();
  const count = new Count(limits);
  const open: Open[] = [];
  let row: { start: number; line: number; places: Record<string, Place> } | undefined;
  /** The list of a row at the present position, and the index of its item. */
  let list = { name: '', nth: -1 };
  const isItem = (): boolean => row !== undefined && open.length === rowAt + 2 && open.at(-1) === undefined;

  const at = (line: number, character: number): Position => ({ line: line + 1, column: character + 1 });
  /** Called when a value begins; outside of rows there may be one list, with objects in it. */
  function begin(where: Position, object: boolean, list: boolean): void {
    count.values(1, where);
    if (open.length >= limits.depth) throw new Unreadable('importDepth', { count: limits.depth }, where);
    if (!row && !object && !(list && open.length === 0)) throw new Unreadable('importObject', {}, where);
  }
  const visitor: JSONVisitor = {
    onArrayBegin(_offset, _length, line, character) {
      begin(at(line, character), false, true);
      if (isItem()) list.nth += 1;
      else if (open.length === rowAt + 1) list.nth = -1;
      open.push(undefined);
    },
    onArrayEnd: () => void open.pop(),
    onObjectBegin(offset, _length, line, character) {
      const where = at(line, character);
      begin(where, true, false);
      if (!row) {
        oneMore(rows, limits, where);
        row = { start: offset, line: where.line, places: Object.create(null) };
        rowAt = open.length;
      } else if (isItem()) {
        list.nth += 1;
        row.places[within(list.name, list.nth)] = placeIn(row.line, where);
      }
      open.push(new Set());
    },
    onObjectProperty(name, _offset, _length, line, character) {
      const where = at(line, character);
      const names = open.at(-1)!;
      if (names.has(name)) throw new Unreadable('importColumnTwice', { name: name.slice(0, 100) }, where);
      if (name.length > limits.length) throw new Unreadable('importLength', { count: limits.length }, where);
      fieldsWithin(names.add(name).size, limits, where);
      const { line: begun, places } = row!;
      if (open.length === rowAt + 3 && open.at(-2) === undefined)
        places[`${within(list.name, list.nth)}.${name}`] = placeIn(begun, where);
      if (open.length !== rowAt + 1) return;
      list = { name, nth: -1 };
      places[name] = placeIn(begun, where);
      if (!columns.has(name)) columns.set(name, where);
    },
    onObjectEnd(offset, length) {
      open.pop();
      if (open.length !== rowAt) return;
      const { start, line, places } = row!;
      rows.push({ line, values: JSON.parse(text.slice(start, offset + length)) as Dict, places });
      row = undefined;
    },
    onLiteralValue(value, _offset, length, line, character) {
      const where = at(line, character);
      begin(where, false, false);
      if (isItem()) list.nth += 1;
      if (typeof value === 'number' && (length > DIGITS || !Number.isFinite(value)))
        throw new Unreadable('importNumber', {}, where);
      if (length > limits.length) throw new Unreadable('importLength', { count: limits.length }, where);
    },
    onError(code, _offset, _length, line, character) {
      const name = printParseErrorCode(code);
      throw new Unreadable(EXPECTED[name] ?? 'importMalformed', { format: 'JSON', text: name }, at(line, character));
    },
  };
  let rowAt = 0;
  visit(text, visitor, { disallowComments: true, allowTrailingComma: false });
  return { rows, texts: false, columns };
}
