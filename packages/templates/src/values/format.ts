// Python's two ways of putting values into a text: `'%05d' % n` and `'{:>8}'.format(name)`.
import { type Callable, repeat, splitKeywords } from './arguments.ts';
import { attribute, number, own, text } from './values.ts';

interface Shape {
  fill: string;
  align: '<' | '>' | '^' | '=';
  sign: string;
  width: number;
  comma: boolean;
  precision: number | undefined;
  kind: string;
}

const quoted = (value: unknown): string => text([value]).slice(1, -1);

/** Two digits of exponent at least, as Python writes them. */
const exponent = (value: string) => value.replace(/e([+-])(\d)$/, 'e$10$2');

function general(value: number, precision: number): string {
  const digits = Math.max(precision, 1);
  const size = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (size < -4 || size >= digits) return exponent(value.toExponential(digits - 1).replace(/\.?0+e/, 'e'));
  const shown = value.toFixed(Math.max(digits - 1 - size, 0));
  return shown.includes('.') ? shown.replace(/\.?0+$/, '') : shown;
}

const wholeNumber = (value: unknown): number => {
  const found = number(value);
  if (Number.isNaN(found) && typeof value !== 'number') throw new Error('%d format: a real number is required');
  return Math.trunc(found);
};
const real = (value: unknown): number => {
  const found = number(value);
  if (Number.isNaN(found) && typeof value !== 'number') throw new Error('must be real number');
  return found;
};

/** A value without sign or padding, by the letter of its format. */
const shown: Record<string, (value: unknown, precision: number | undefined) => string> = {
  s: (value, precision) => text(value).slice(0, precision),
  r: (value, precision) => quoted(value).slice(0, precision),
  a: (value, precision) => quoted(value).slice(0, precision),
  c: (value) =>
    typeof value === 'number'
      ? String.fromCodePoint(Math.min(Math.max(Math.trunc(value), 0), 0x10ffff))
      : text(value).slice(0, 1),
  d: (value) => String(wholeNumber(value)),
  i: (value) => String(wholeNumber(value)),
  u: (value) => String(wholeNumber(value)),
  o: (value) => wholeNumber(value).toString(8),
  b: (value) => wholeNumber(value).toString(2),
  x: (value) => wholeNumber(value).toString(16),
  X: (value) => wholeNumber(value).toString(16).toUpperCase(),
  f: (value, precision = 6) => real(value).toFixed(precision),
  F: (value, precision = 6) => real(value).toFixed(precision),
  e: (value, precision = 6) => exponent(real(value).toExponential(precision)),
  E: (value, precision = 6) => exponent(real(value).toExponential(precision)).toUpperCase(),
  g: (value, precision = 6) => general(real(value), precision),
  G: (value, precision = 6) => general(real(value), precision).toUpperCase(),
  '%': (value, precision = 6) => `${(real(value) * 100).toFixed(precision)}%`,
};

const isNumeric = (kind: string) => !'srac'.includes(kind);

function laid(value: unknown, { fill, align, sign, width, comma, precision, kind }: Shape): string {
  let plain = shown[kind]!(value, precision);
  let before = '';
  if (isNumeric(kind)) {
    if (plain.startsWith('-')) [before, plain] = ['-', plain.slice(1)];
    else before = sign === '+' || sign === ' ' ? sign : '';
    if (comma) plain = plain.replace(/^\d+/, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ','));
  }
  const space = Math.max(width - before.length - plain.length, 0);
  if (align === '=') return before + repeat(fill, space) + plain;
  const left = align === '<' ? 0 : align === '>' ? space : Math.floor(space / 2);
  return repeat(fill, left) + before + plain + repeat(fill, space - left);
}

/** `'%s has %05.1f' % (name, count)`; a single dictionary serves `%(name)s`. */
export function printf(pattern: string, args: readonly unknown[]): string {
  let next = 0;
  let length = 0;
  return pattern.replaceAll(
    /%(?:\(([^()]{0,100})\))?([-+ 0#]{0,5})(\d{0,4})(?:\.(\d{1,2}))?([a-zA-Z%])/g,
    (_, key: string | undefined, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (kind === '%') return '%';
      if (!Object.hasOwn(shown, kind) || kind === 'b') throw new Error(`unsupported format character '${kind}'`);
      if (key === undefined && next >= args.length) throw new Error('not enough arguments for format string');
      const value = key === undefined ? args[next++] : own(args[0], key);
      const zero = flags.includes('0') && isNumeric(kind);
      const done = laid(value, {
        fill: zero && !flags.includes('-') ? '0' : ' ',
        align: flags.includes('-') ? '<' : zero ? '=' : '>',
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
        width: Number(width),
        comma: false,
        precision: precision === undefined ? undefined : Number(precision),
        kind,
      });
      length += done.length;
      repeat(' ', length);
      return done;
    },
  );
}

const specification = /^(?:(.)?([<>^=]))?([-+ ])?(0)?(\d{1,4})?(,)?(?:\.(\d{1,2}))?([a-zA-Z%])?$/su;

function bySpecification(value: unknown, spec: string): string {
  const found = specification.exec(spec);
  const kind =
    found?.[8] ?? (typeof value === 'number' ? (Number.isInteger(value) && !found?.[7] ? 'd' : 'number') : 's');
  if (!found || (kind !== 'number' && !Object.hasOwn(shown, kind))) throw new Error('Invalid format specifier');
  const precision = found[7] === undefined ? undefined : Number(found[7]);
  const simple = kind === 'number' && precision === undefined;
  return laid(simple ? text(value) : value, {
    fill: found[1] ?? (found[4] ? '0' : ' '),
    align: (found[2] as Shape['align'] | undefined) ?? (found[4] ? '=' : typeof value === 'number' ? '>' : '<'),
    sign: found[3] ?? '',
    width: Number(found[5] ?? 0),
    comma: found[6] !== undefined,
    precision,
    kind: simple ? 's' : kind === 'number' ? 'g' : kind,
  });
}

/** `'{} {name!r} {0:>8}'.format(…)`. Fields lead to data only. */
export const braces = (pattern: string, ...args: unknown[]): string => {
  const { positional, keywords } = splitKeywords(args);
  let next = 0;
  let length = 0;
  return pattern.replaceAll(
    /\{\{|\}\}|\{([^{}:!]{0,200})(?:!([rsa]))?(?::([^{}]{0,50}))?\}/g,
    (found, path: string | undefined, conversion: string | undefined, spec = '') => {
      if (path === undefined) return found.charAt(0);
      const [first = '', ...rest] = path.split(/[.[]/).map((part) => part.replace(/\]$/, ''));
      if (/^\d*$/.test(first) && (first === '' ? next : Number(first)) >= positional.length)
        throw new Error('Replacement index out of range for positional args tuple');
      const start =
        first === '' ? positional[next++] : /^\d+$/.test(first) ? positional[Number(first)] : own(keywords, first);
      const value = rest.length > 0 ? attribute(start, rest.join('.')) : start;
      const done = bySpecification(
        conversion === 'r' || conversion === 'a' ? quoted(value) : conversion === 's' ? text(value) : value,
        spec,
      );
      length += done.length;
      repeat(' ', length);
      return done;
    },
  );
};

/** The filter `format`: as `%`, with arguments by position or by name. */
export const format: Callable = (value, ...args) => {
  const { positional, keywords } = splitKeywords(args);
  if (positional.length > 0 && Object.keys(keywords).length > 0)
    throw new Error("can't handle positional and keyword arguments at the same time");
  return printf(text(value), positional.length > 0 ? positional : Object.keys(keywords).length > 0 ? [keywords] : []);
};
