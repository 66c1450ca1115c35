import type { IncomingHttpHeaders } from 'node:http';
import { type Dict, isDict, type Json } from '@cadastre/model';
import { invalid, refuse } from '../errors.ts';

/** The deepest nesting of a request body. */
export const MAX_DEPTH = 100;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON of a request body. @throws Refusal 400 for bytes that are no UTF-8, no JSON, nested too deep, or name a member
 * twice; 415 for other media types
 */
export function parseBody(body: Buffer | undefined, contentType: string | undefined): Json | undefined {
  if (!body?.length) return undefined;
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json') throw refuse(415, `Unsupported media type "${type}" in request.`);
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw refuse(400, 'JSON parse error - the body is not valid UTF-8.');
  }
  checkStructure(text);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw refuse(400, `JSON parse error - ${(error as Error).message}`);
  }
  if (ENORMOUS.test(text) && hasInfinite(value)) throw refuse(400, 'JSON parse error - a number is too large.');
  return value;
}

/**
 * The dictionary that a request's body is; an empty one where there is none. @throws Refusal 400 when it is something
 * else, and as `parseBody`
 */
export function dictionaryOf({ body, headers }: { body: Buffer | undefined; headers: IncomingHttpHeaders }): Dict {
  const given = parseBody(body, headers['content-type']) ?? {};
  if (!isDict(given)) throw invalid({ non_field_errors: ['Invalid data. Expected a dictionary.'] });
  return given;
}

/**
 * Only texts in which this is found can hold a number beyond all that can be stored, which would come out as Infinity.
 */
const ENORMOUS = /\d[eE]\+?\d{3}|\d{300}/;

function hasInfinite(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return value !== null && typeof value === 'object' && Object.values(value).some(hasInfinite);
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const COLON = 58;

/**
 * JSON.parse keeps the last of two members with one name and nests without limit; both are refused here, by one pass
 * over the text. What is no JSON at all is left to JSON.parse.
 */
function checkStructure(text: string): void {
  const stack: (Set<string> | null)[] = [];
  let last = '';
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = endOfString(text, i);
        if (end < 0) return;
        last = text.slice(i, end + 1);
        i = end;
        break;
      }
      case COLON: {
        const names = stack.at(-1);
        if (!names) break;
        const name = last.includes('\\') ? unescaped(last) : last;
        if (names.has(name)) throw refuse(400, `JSON parse error - the member ${name.slice(0, 100)} is given twice.`);
        names.add(name);
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        stack.push(text.charCodeAt(i) === OPEN_OBJECT ? new Set() : null);
        if (stack.length > MAX_DEPTH) throw refuse(400, `JSON parse error - nested deeper than ${MAX_DEPTH} levels.`);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        stack.pop();
        break;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return -1;
}

function unescaped(literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}
