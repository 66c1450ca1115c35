import type { Json } from '@cadastre/model';
import type { Widget } from '../../../schema/widget.ts';
import { instantText, localText } from '../../../ui/time/formTimes.ts';

/** The value of a form field for the API, or the problem with it. */
export type Value = { value: Json } | { problem: string };

const numeric = /^-?\d+(\.\d+)?$/;
const numberOr = (text: string): Json => (numeric.test(text) ? Number(text) : text);

/** `100-199`; a single number is a range with the same start and end. */
function rangeOr(text: string): Json {
  const [, first, last = first] = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(text) ?? [];
  return first === undefined ? text : [Number(first), Number(last)];
}

/** The value of a widget from its submitted texts; undefined if the field is to stay unchanged. */
export function givenValue(widget: Widget, given: readonly string[]): Value | undefined {
  const text = (given[0] ?? '').trim();
  const empty = widget.nullable ? null : '';
  switch (widget.kind) {
    case 'checkbox':
      return { value: given.length > 0 };
    case 'picker':
      return { value: text === '' ? null : numberOr(text) };
    case 'pickers':
      return { value: given.filter((one) => one !== '').map(numberOr) };
    case 'select':
      if (text === '') return { value: empty };
      return { value: widget.choices.find(({ value }) => String(value) === text)?.value ?? text };
    case 'selects':
      return { value: given.filter((one) => one !== '') };
    case 'number':
      return { value: text === '' ? null : numberOr(text) };
    case 'date':
      return { value: text === '' ? null : text };
    case 'datetime':
      return { value: text === '' ? null : instantText(text) };
    case 'color':
      return { value: text.replace(/^#/, '').toLowerCase() };
    case 'checks':
      return { value: [...new Set(given.flatMap((one) => one.split(',')).map((one) => one.trim()))].filter(Boolean) };
    case 'list':
      return {
        value: text
          .split(/[\n,]/)
          .map((one) => one.trim())
          .filter((one) => one !== '')
          .map((one) => (widget.ranges ? rangeOr(one) : widget.numbers ? numberOr(one) : one)),
      };
    case 'json':
      return parsed(text);
    case 'secret':
      return text === '' ? undefined : { value: given[0]! };
    case 'file':
    case 'rows':
      return undefined;
    default:
      return { value: text === '' ? empty : (given[0] ?? '').replaceAll('\r\n', '\n') };
  }
}

function parsed(text: string): Value {
  if (text === '') return { value: null };
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { problem: `Enter valid JSON: ${(error as Error).message}` };
  }
}

/** The texts of a form field for the value of an object's member, as the form would submit them. */
export function textsOf(widget: Widget, value: Json | undefined): string[] {
  if (value === null || value === undefined) return [];
  if (widget.kind === 'json') return [JSON.stringify(value, null, 2)];
  if (widget.kind === 'rows') return [];
  if (widget.kind === 'checkbox') return value ? ['on'] : [];
  if (Array.isArray(value)) {
    const texts = value.map(widget.ranges ? rangeText : plain);
    return widget.kind === 'list' ? [texts.join(', ')] : texts;
  }
  return [widget.kind === 'datetime' ? localText(plain(value)) : plain(value)];
}

/** A range from the API, or from a default in PostgreSQL's notation. */
const rangeText = (value: Json): string =>
  Array.isArray(value) ? value.join('-') : String(value).replace(/^\[(\d+),(\d+)\]$/, '$1-$2');

/** Related objects as ids, choices as their values. */
function plain(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return String(value);
  return 'id' in value ? String(value['id']) : 'value' in value ? String(value['value']) : JSON.stringify(value);
}
