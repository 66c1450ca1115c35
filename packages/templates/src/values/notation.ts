// Data as text: JSON as Jinja2 writes it, and Python's notation over several lines.
import { whole } from './arguments.ts';
import { isDict, Room, text } from './values.ts';

const maxDepth = 200;

// As in Jinja2, so that the result may also stand in HTML, and is the same wherever it is read.
const escaped = (json: string): string =>
  json.replaceAll(/[<>&'\u007f-\uffff]/g, (found) =>
    found === '\u007f' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function json(value: unknown, indent: number | null, depth: number, room: Room): string {
  if (depth > maxDepth) throw new Error('Circular reference detected');
  if (typeof value === 'string') return room.take(escaped(JSON.stringify(value)));
  if (value === undefined || value === null || typeof value === 'function') return room.take('null');
  if (typeof value !== 'object')
    return room.take(
      Number.isNaN(value)
        ? 'NaN'
        : text(value)
            .replace(/^(-?)inf$/, '$1Infinity')
            .replace('True', 'true')
            .replace('False', 'false'),
    );
  const list = Array.isArray(value);
  if (!list && !isDict(value)) throw new Error(`Object of type ${value.constructor.name} is not JSON serializable`);
  const members = list
    ? value.map((item) => json(item, indent, depth + 1, room))
    : Object.keys(value)
        .sort()
        .map(
          (key) =>
            `${room.take(escaped(JSON.stringify(key)))}: ${json((value as Record<string, unknown>)[key], indent, depth + 1, room)}`,
        );
  const [open, close] = list ? '[]' : '{}';
  if (members.length === 0) return room.take(`${open}${close}`);
  if (indent === null) return `${open}${members.join(room.take(', '))}${close}`;
  const line = room.take(`\n${' '.repeat(indent * (depth + 1))}`);
  for (const _ of members) room.take(line);
  return `${open}${line}${members.join(`,${line}`)}\n${' '.repeat(indent * depth)}${close}`;
}

/** JSON with its keys in order; what is missing is null. */
export const tojson = (value: unknown, indent: unknown): string =>
  json(value, indent === undefined || indent === null ? null : whole(indent, 0, 10), 0, new Room());

const width = 80;

const inOrder = (value: unknown, depth = 0): unknown =>
  depth > maxDepth
    ? value
    : Array.isArray(value)
      ? value.map((item) => inOrder(item, depth + 1))
      : isDict(value)
        ? Object.fromEntries(
            Object.keys(value)
              .sort()
              .map((key) => [key, inOrder(value[key], depth + 1)]),
          )
        : value;
const line = (value: unknown): string => text([value]).slice(1, -1);

function pretty(value: unknown, indent: number, after: number): string {
  const short = line(value);
  const pairs = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : isDict(value)
      ? Object.entries(value).map(([key, item]) => [`${line(key)}: `, item] as const)
      : [];
  if (pairs.length === 0 || short.length <= width - indent - after || indent > maxDepth) return short;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return (
    open +
    pairs
      .map(([key, item], i) => key + pretty(item, indent + 1 + key.length, i === pairs.length - 1 ? after + 1 : 1))
      .join(`,\n${' '.repeat(indent + 1)}`) +
    close
  );
}

/** A value for people to read, in lines of 80 characters. */
export function pprint(value: unknown): string {
  // Refuses what is too large or refers to itself before its members are gone through more than once.
  text(value);
  return pretty(inOrder(value), 0, 0);
}
