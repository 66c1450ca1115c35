import { type Dict, type DocumentRow, type Documents, isDict, type Json, typeName } from '@cadastre/model';
import type { Messages, Origin } from './messages.ts';

/** A part of a document as it is to be written, and where what it holds stands in the document. */
export interface Part {
  /** Which of the documents it is in. */
  at: number;
  list: string;
  /** Its place there, from 0. */
  nth: number;
  body: Dict;
  /** Where each row of a list inside stands: in the part itself, or in a list of its own. */
  rows: Record<string, Origin[]>;
  /** What its rows say, each once. */
  seen: Set<string>;
}

/** A document taken apart. */
export interface Read {
  own: Dict;
  /** By their list. */
  parts: Map<string, Part[]>;
}

/** Whether a document gives no value. */
const isNothing = (value: Json | undefined): boolean => value === undefined || value === null;

/** Leaves out members that are null or empty: exports name every member, even without a value. */
const said = (body: Dict): Dict =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));

/** Takes a document apart. What is wrong with it becomes messages. */
export function readDocument(documents: Documents, given: Json, at: number, messages: Messages): Read {
  const { parts: kinds, joined = {}, also = {}, ignored = [] } = documents;
  const read: Read = { own: {}, parts: new Map() };
  if (!isDict(given)) {
    messages.own(at, { non_field_errors: [`Invalid data. Expected a dictionary, but got ${typeName(given)}.`] });
    return read;
  }
  const isOwn = (member: string): boolean =>
    !Object.hasOwn(kinds, member) && !Object.hasOwn(joined, member) && !ignored.includes(member);
  read.own = said(
    Object.fromEntries(
      Object.entries(given).flatMap(([member, value]): [string, Json][] => {
        const field = Object.hasOwn(also, member) ? also[member]! : member;
        return isOwn(member) && (field === member || given[field] === undefined) ? [[field, value]] : [];
      }),
    ),
  );
  for (const [list, { row }] of Object.entries(kinds))
    read.parts.set(
      list,
      listIn(given, list, at, messages).map(({ nth, value }) => {
        const body = said(value);
        const part: Part = { at, list, nth, body, rows: {}, seen: new Set() };
        if (row) shortRow(part, row);
        return part;
      }),
    );
  for (const [list, join] of Object.entries(joined)) {
    const byName = new Map(read.parts.get(join.into)?.map((part) => [String(part.body['name']).trim(), part]));
    for (const { nth, value } of listIn(given, list, at, messages)) {
      const named = String(value[join.by] ?? '').trim();
      const to = byName.get(named);
      if (to) addRow(to, join, value, [list, nth]);
      else
        messages.part(at, [list, nth], {
          [join.by]: [named ? `There is no “${named}” among the ${join.into}.` : 'This field is required.'],
        });
    }
  }
  return read;
}

/** The dictionaries of a list with their places. */
function listIn(given: Dict, list: string, at: number, messages: Messages): { nth: number; value: Dict }[] {
  const value = given[list];
  if (isNothing(value)) return [];
  if (!Array.isArray(value)) {
    messages.own(at, { [list]: [`Expected a list of items but got type "${typeName(value!)}".`] });
    return [];
  }
  messages.length(at, list, value.length);
  return value.flatMap((one, nth) => {
    if (isDict(one)) return [{ nth, value: one }];
    messages.part(at, [list, nth], {
      non_field_errors: [`Invalid data. Expected a dictionary, but got ${typeName(one)}.`],
    });
    return [];
  });
}

/** The only row of a list, whose members stand beside the other fields. */
function shortRow(part: Part, row: DocumentRow): void {
  const names = Object.values(row.members);
  const beside = part.body;
  const own = Array.isArray(beside[row.list]) ? (beside[row.list] as Json[]) : [];
  part.rows[row.list] = own.map(() => [part.list, part.nth]);
  for (const one of own) part.seen.add(printed(one));
  // What the client sent stays as it is: a transaction that is tried again reads it once more.
  if (own.length) part.body = { ...part.body, [row.list]: [...own] };
  if (!names.some((name) => name in beside)) return;
  part.body = Object.fromEntries(Object.entries(part.body).filter(([name]) => !names.includes(name)));
  addRow(part, row, beside, [part.list, part.nth]);
}

/** Adds what one row says; twice the same is once. */
function addRow(part: Part, row: DocumentRow, value: Dict, origin: Origin): void {
  const own = Object.entries(row.members).flatMap(([member, name]): [string, Json][] =>
    isNothing(value[name]) ? [] : [[member, value[name]!]],
  );
  const made: Dict = { ...row.otherwise, ...Object.fromEntries(own) };
  const print = printed(made);
  if (part.seen.has(print)) return;
  part.seen.add(print);
  const rows = part.body[row.list];
  if (Array.isArray(rows)) rows.push(made);
  else part.body[row.list] = [made];
  (part.rows[row.list] ??= []).push(origin);
}

/** The same text for the same members in whatever order. */
const printed = (row: Json): string => JSON.stringify(isDict(row) ? Object.entries(row).toSorted() : row);
