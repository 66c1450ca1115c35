import { type Callable, named, repeat, whole } from '../values/arguments.ts';
import { format } from '../values/format.ts';
import { pprint, tojson } from '../values/notation.ts';
import { isDict, number, quoted, text, truth } from '../values/values.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
const escapeHtml: Callable = (value) => text(value).replaceAll(/[&<>"']/g, (found) => escapes[found] ?? found);

export const capitalize = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1).toLowerCase();
export const title = (value: string): string => value.replaceAll(/[^\s\-([{<]+/g, capitalize);

/** Removes characters from both ends; the line ends and spaces when none are named. */
export function strip(value: string, characters: unknown, ends: 'both' | 'left' | 'right' = 'both'): string {
  const unwanted = typeof characters === 'string' ? new Set(characters) : null;
  const drop = (character: string) => (unwanted ? unwanted.has(character) : /\s/.test(character));
  let [from, to] = [0, value.length];
  if (ends !== 'right') while (from < to && drop(value.charAt(from))) from += 1;
  if (ends !== 'left') while (to > from && drop(value.charAt(to - 1))) to -= 1;
  return value.slice(from, to);
}

export function replace(value: string, old: unknown, replacement: unknown, count: unknown): string {
  const [from, to] = [text(old), text(replacement)];
  const most = count === undefined || count === null ? -1 : whole(count, -1);
  // As in Python, the empty text is found before every character and at the end.
  const parts = from === '' ? ['', ...value, ''] : value.split(from);
  const used = most < 0 ? parts.length - 1 : Math.min(parts.length - 1, most);
  repeat(to, used);
  return [...parts.slice(0, used), parts.slice(used).join(from)].join(to);
}

function truncate(value: string, length: number, whole: unknown, end: string, leeway: number): string {
  if (value.length <= length + leeway) return value;
  const cut = value.slice(0, Math.max(length - end.length, 0));
  const space = cut.lastIndexOf(' ');
  return (whole || space < 0 ? cut : cut.slice(0, space)) + end;
}

function wordwrap(value: string, width: number, breakLong: boolean, end: string): string {
  return value
    .split('\n')
    .map((line) => {
      const lines: string[] = [];
      let current = '';
      for (const word of line.split(/\s+/)) {
        let rest = word;
        if (current !== '' && current.length + 1 + rest.length > width) {
          lines.push(current);
          current = '';
        }
        while (breakLong && rest.length > width) {
          lines.push(rest.slice(0, width));
          rest = rest.slice(width);
        }
        current = current === '' ? rest : `${current} ${rest}`;
      }
      return [...lines, current].join(end);
    })
    .join(end);
}

function indent(value: string, width: unknown, first: unknown, blank: unknown): string {
  const prefix = typeof width === 'string' ? width : repeat(' ', whole(width, 4));
  const lines = value.split('\n');
  repeat(prefix, lines.length);
  return lines
    .map((line, i) => ((i === 0 && !first) || (line === '' && i > 0 && !blank) ? line : prefix + line))
    .join('\n');
}

const encode = (value: unknown) =>
  encodeURIComponent(text(value)).replaceAll(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
function urlencode(value: unknown): string {
  const pairs = Array.isArray(value) ? value : isDict(value) ? Object.entries(value) : null;
  // In a query a blank is a plus sign.
  if (pairs)
    return pairs
      .map((pair) => (Array.isArray(pair) ? `${encode(pair[0])}=${encode(pair[1])}` : encode(pair)))
      .join('&')
      .replaceAll('%20', '+');
  return encode(value).replaceAll('%2F', '/');
}

function center(value: string, width: number): string {
  const space = Math.max(width - value.length, 0);
  return repeat(' ', Math.floor(space / 2)) + value + repeat(' ', Math.ceil(space / 2));
}

/** Removes what could end a header and begin another: line ends and all other control characters. */
const headerSafe = (value: unknown): string => text(value).replaceAll(/[\p{Cc}\u2028\u2029]/gu, '');

/** `a="1" b="2"`, without what has no value. */
function xmlattr(value: unknown, autospace: unknown): string {
  const pairs = Object.entries(isDict(value) ? value : {}).filter(([, item]) => item !== null && item !== undefined);
  for (const [key] of pairs)
    if (/[\s/>=]/.test(key)) throw new Error(`Invalid character in attribute name: ${quoted(key)}`);
  const all = pairs.map(([key, item]) => `${escapeHtml(key) as string}="${escapeHtml(item) as string}"`).join(' ');
  return all !== '' && autospace !== false ? ` ${all}` : all;
}

const sizes = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
function filesizeformat(value: unknown, binary: unknown): string {
  const bytes = typeof value === 'string' ? Number(value) : number(value);
  if (Number.isNaN(bytes)) throw new Error('filesizeformat: a number is required');
  const base = truth(binary) ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const step = Math.max(
    sizes.findIndex((_, i) => bytes < base ** (i + 2)),
    -1,
  );
  const place = step < 0 ? sizes.length - 1 : step;
  return `${(bytes / base ** (place + 1)).toFixed(1)} ${base === 1024 ? `${sizes[place]!.toUpperCase()}iB` : `${sizes[place]}B`}`;
}

const onText =
  (run: (value: string, ...args: unknown[]) => unknown): Callable =>
  (value, ...args) =>
    run(text(value), ...args);

export const textFilters: Record<string, Callable> = {
  capitalize: onText(capitalize),
  center: named(
    ['width'],
    onText((value, width) => center(value, whole(width, 80))),
  ),
  e: escapeHtml,
  escape: escapeHtml,
  forceescape: escapeHtml,
  filesizeformat: named(['binary'], filesizeformat),
  format,
  header_safe: headerSafe,
  indent: named(['width', 'first', 'blank'], onText(indent)),
  lower: onText((value) => value.toLowerCase()),
  replace: named(['old', 'new', 'count'], onText(replace)),
  safe: onText((value) => value),
  string: onText((value) => value),
  striptags: onText((value) =>
    value
      .replaceAll(/<!--[\s\S]*?-->|<[^<>]*>/g, '')
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' '),
  ),
  title: onText(title),
  tojson: named(['indent'], tojson),
  pprint,
  trim: named(
    ['chars'],
    onText((value, characters) => strip(value, characters)),
  ),
  truncate: named(
    ['length', 'killwords', 'end', 'leeway'],
    onText((value, length, whole_, end, leeway) =>
      truncate(value, whole(length, 255), whole_, end === undefined ? '...' : text(end), whole(leeway, 5)),
    ),
  ),
  upper: onText((value) => value.toUpperCase()),
  urlencode,
  xmlattr: named(['autospace'], xmlattr),
  wordcount: onText((value) => value.match(/\w+/g)?.length ?? 0),
  wordwrap: named(
    ['width', 'break_long_words', 'wrapstring'],
    onText((value, width, breakLong, end) =>
      wordwrap(value, Math.max(whole(width, 79), 1), breakLong !== false, end === undefined ? '\n' : text(end)),
    ),
  ),
};
