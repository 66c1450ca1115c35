import type { Json } from '@cadastre/model';
import type { Pace } from '../pace.ts';
import { NoJson } from '../refusal.ts';
import type { Large } from './scan.ts';

/** Bytes that are parsed in one go. */
export const PIECE = 64 * 1024;

const wrong = (why: string) => new NoJson(why);

/** The value of a text. @throws Refusal 400 for invalid JSON */
export function parsed(text: string, at = 0): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const { message } = error as Error;
    // The position in a piece is reported as the position in the whole text.
    throw wrong(
      at ? message.replace(/ at position (\d+).*/, (_, n: string) => ` at position ${at + Number(n) - 1}`) : message,
    );
  }
}

interface Text {
  bytes: Buffer;
  large: ReadonlyMap<number, Large>;
  pace: Pace;
  /** Bytes that are parsed in one go. */
  piece?: number;
}

/**
 * The value of a large text, with turns for others in between: large lists and objects are put together from pieces,
 * each of which JSON.parse reads in one go.
 * @param from where the text begins @param to where it ends @throws Refusal 400 for invalid JSON
 */
export async function built(text: Text, from: number, to: number): Promise<Json> {
  const start = pastBlanks(text.bytes, from, to);
  const whole = text.large.get(start);
  if (!whole) return parsed(text.bytes.toString('utf8', from, to), from);
  if (pastBlanks(text.bytes, whole.close + 1, to) < to) throw wrong(`Unexpected token at position ${whole.close + 1}`);
  return container(text, start, whole);
}

async function container(text: Text, at: number, { close, commas }: Large): Promise<Json> {
  const { bytes, large, pace, piece = PIECE } = text;
  const isList = bytes[at] === 91;
  const list: Json[] = [];
  const object: Record<string, Json> = {};
  let [begin, parts] = [at + 1, 0];

  /** Parses the parts from `begin` on. */
  const take = (end: number): void => {
    if (!parts) return;
    const inner = bytes.toString('utf8', begin, end);
    const value = parsed(isList ? `[${inner}]` : `{${inner}}`, begin);
    const found = isList ? (value as Json[]).length : Object.keys(value as object).length;
    // A part is empty: there is nothing between two commas, or between a comma and the end.
    if (found !== parts) throw wrong(`Unexpected token at position ${end}`);
    if (isList) for (const item of value as Json[]) list.push(item);
    else for (const [name, one] of Object.entries(value as Record<string, Json>)) define(object, name, one);
    parts = 0;
  };

  for (let i = 0, from = at + 1; i <= commas.length; i++) {
    const end = commas[i] ?? close;
    const inside = end - from > piece ? largeIn(bytes, from, end, isList, large) : undefined;
    if (inside) {
      take(from - 1);
      const value = await built(text, inside.value, end);
      if (isList) list.push(value);
      else define(object, inside.name!, value);
    } else {
      if (!parts) begin = from;
      parts++;
      if (end - begin > piece) {
        take(end);
        await pace();
      }
    }
    from = end + 1;
  }
  take(close);
  return isList ? list : object;
}

/** Where a part holds a large container, and under which name. */
function largeIn(
  bytes: Buffer,
  from: number,
  to: number,
  isList: boolean,
  large: Text['large'],
): { value: number; name?: string } | undefined {
  const start = pastBlanks(bytes, from, to);
  if (isList) return large.has(start) ? { value: start } : undefined;
  const after = pastText(bytes, start, to);
  const colon = pastBlanks(bytes, after, to);
  if (after === start || bytes[colon] !== 58) return undefined;
  const value = pastBlanks(bytes, colon + 1, to);
  return large.has(value) ? { value, name: parsed(bytes.toString('utf8', start, after), start) as string } : undefined;
}

/** A name like `__proto__` is a member like any other. */
function define(object: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

function pastBlanks(bytes: Buffer, from: number, to: number): number {
  let i = from;
  while (i < to && (bytes[i] === 32 || bytes[i] === 10 || bytes[i] === 13 || bytes[i] === 9)) i++;
  return i;
}

/** The position after a text in quotes that begins at `from`; `from` itself when there is no such text. */
function pastText(bytes: Buffer, from: number, to: number): number {
  if (bytes[from] !== 34) return from;
  for (let i = from + 1; i < to; i++) {
    if (bytes[i] === 92) i++;
    else if (bytes[i] === 34) return i + 1;
  }
  return from;
}
