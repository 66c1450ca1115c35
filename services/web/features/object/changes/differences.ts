import { type Field, isDict, type Json, type Model } from '@cadastre/model';
import { diffLines } from 'diff';
import { fieldLabel } from '../../../schema/labels.ts';

/** The state of an object before or after a change, as its change record keeps it. */
export type Snapshot = { readonly [member: string]: Json } | null;

/** A line of a long text: removed (`-`), added (`+`), or unchanged. */
export interface Line {
  sign: '+' | '-' | ' ' | '…';
  text: string;
}

export interface Difference {
  label: string;
  /** Name of the field, for looking up what its values mean; undefined for members of custom fields. */
  name: string | undefined;
  before: Json | undefined;
  after: Json | undefined;
  /** Long texts and values with members, line by line. */
  lines: Line[] | undefined;
}

/** Members that differ after every change. */
const ALWAYS = new Set(['created', 'last_updated']);

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const nothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (typeof value === 'object' && !Object.keys(value).length);

/** The members in which two states differ. Custom fields are compared one by one. */
export function differences(model: Model | undefined, before: Snapshot, after: Snapshot): Difference[] {
  const names = new Set([
    ...Object.keys(model?.fields ?? {}),
    ...Object.keys(before ?? {}),
    ...Object.keys(after ?? {}),
  ]);
  return [...names]
    .filter((name) => !ALWAYS.has(name) && !name.startsWith('_'))
    .flatMap((name) =>
      name === 'custom_fields'
        ? ofMembers(before?.[name], after?.[name])
        : ofValue(fieldLabel(name), name, before?.[name], after?.[name], model?.fields[name]),
    );
}

function ofMembers(before: Json | undefined, after: Json | undefined): Difference[] {
  const was = isDict(before) ? before : {};
  const is = isDict(after) ? after : {};
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    ofValue(fieldLabel(name), undefined, was[name], is[name], undefined),
  );
}

function ofValue(
  label: string,
  name: string | undefined,
  before: Json | undefined,
  after: Json | undefined,
  field: Field | undefined,
): Difference[] {
  if (same(before, after) || (nothing(before) && nothing(after))) return [];
  const long = isLong(before, field) || isLong(after, field);
  return [{ label, name, before, after, lines: long ? linesOf(textOf(before), textOf(after)) : undefined }];
}

const isLong = (value: Json | undefined, field: Field | undefined): boolean =>
  typeof value === 'string'
    ? value.includes('\n')
    : isDict(value) ||
      (Array.isArray(value) && (field?.kind === 'json' || value.some((one) => typeof one === 'object')));

const textOf = (value: Json | undefined): string =>
  nothing(value) ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** How many unchanged lines are shown around those that changed. */
const AROUND = 3;

/** Two texts, line by line; of what stayed only what is near to a change. */
export function linesOf(before: string, after: string): Line[] {
  const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const parts = diffLines(ended(before), ended(after));
  return parts.flatMap(({ value, added, removed }, i): Line[] => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const lines = value.replace(/\n$/, '').split('\n');
    const all = lines.map((text): Line => ({ sign, text }));
    if (sign !== ' ' || lines.length <= 2 * AROUND + 1) return all;
    const first = i === 0 ? [] : all.slice(0, AROUND);
    const last = i === parts.length - 1 ? [] : all.slice(-AROUND);
    return [...first, { sign: '…', text: '' }, ...last];
  });
}
