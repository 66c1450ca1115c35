import { isDict, type Dict, type Json } from '@cadastre/model';
import { givenValue, type Value } from '../../form/fields/values.ts';
import type { Widget } from '../../../schema/widget.ts';

export const TRUE = /^(true|yes|1|on)$/i;
export const FALSE = /^(false|no|0|off)$/i;

/** The value of a CSV cell for a field that is not a reference. */
export function cellOf(widget: Widget, text: string): Value {
  if (widget.kind === 'checkbox' || (widget.choices.length === 2 && widget.choices[0]!.value === 'true'))
    return TRUE.test(text) ? { value: true } : FALSE.test(text) ? { value: false } : { value: text };
  if (widget.kind === 'select') return { value: chosen(widget, text) };
  // Times in a file are in the notation of the API, independent of the user's zone.
  if (widget.kind === 'datetime') return { value: text };
  if (widget.kind === 'rows') return rowsOf(widget, text);
  if (widget.kind === 'selects') return { value: split(text).map((one) => chosen(widget, one)) };
  return givenValue(widget, [text]) ?? { value: text };
}

/** A choice, by its value or its label. */
function chosen({ choices }: Widget, text: string): Json {
  const found = choices.find(
    ({ value, label, declared = label }) =>
      String(value) === text || [label, declared].some((one) => one.toLowerCase() === text.toLowerCase()),
  );
  return found?.value ?? text;
}

/** Texts separated by commas; a text that contains a comma is quoted. */
export const split = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)]
    .map(([, quoted, plain = '']) => (quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')))
    .filter((one) => one !== '');

/** Rows in a cell: as JSON, as pairs such as `a:A,b:B`, or as one line for each `Name: value`. */
function rowsOf({ rows }: Widget, text: string): Value {
  if (/^\s*[[{]/.test(text)) {
    try {
      return { value: JSON.parse(text) as Json };
    } catch (error) {
      return { problem: `Enter valid JSON: ${(error as Error).message}` };
    }
  }
  if (rows?.as === 'dictionaries') return { value: text };
  const pairs = (rows?.as === 'secrets' ? text.split('\n') : split(text)).map((one): [string, string] => {
    const [, name = '', value = name] = /^\s*((?:\\.|[^:\\])+)(?::(.*))?$/s.exec(one) ?? [];
    return [name.replaceAll(/\\(.)/g, '$1').trim(), value.replaceAll(/\\(.)/g, '$1').trim()];
  });
  return { value: rows?.as === 'lists' ? pairs : Object.fromEntries(pairs) };
}

/** The JSON value for a field that is not a reference: a choice may be written as the API shows it. */
export const plainOf = (value: Json): Json =>
  Array.isArray(value) ? value.map(plainOf) : isChoice(value) ? value['value']! : value;

const isChoice = (value: Json): value is Dict =>
  isDict(value) && 'value' in value && Object.keys(value).every((name) => name === 'value' || name === 'label');
