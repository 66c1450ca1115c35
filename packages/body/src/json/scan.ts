import type { JsonLimits } from '../limits.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** A list or an object that is large enough to be built piece by piece: where it ends, and the commas between its parts. */
export interface Large {
  close: number;
  commas: number[];
}

export interface ScanOptions {
  /** Items that the text may have when it is a list itself, and what is said about more. */
  top?: { items: number; refusal: () => Refusal } | undefined;
  /** Notes the containers that have more bytes than this. */
  large?: number | undefined;
}

interface Open {
  at: number;
  /** Of an object. */
  names: Set<string> | undefined;
  count: number;
  most: number;
  commas: number[] | undefined;
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
/** Bytes that may continue a number: digits, signs, point and exponent. */
const inNumber = (byte: number): boolean =>
  isDigit(byte) || byte === 46 || byte === MINUS || byte === 43 || byte === 69 || byte === 101;

const wrong = (why: string): Refusal => refuse(400, `JSON parse error - ${why}`);
const tooMany = (what: string): Refusal => refuse(413, `The JSON text has more than ${what}.`);

/** Only numbers with this many characters, or with an exponent, can exceed what can be stored. */
const LONG_NUMBER = 300;

/**
 * Looks at the bytes of a JSON text as they arrive, each of them once, and refuses the text as soon as it exceeds a
 * limit, before anything has been built. Invalid JSON is left to JSON.parse. Two members with one name, of which
 * JSON.parse keeps the last, and unlimited nesting, which it accepts, are refused here.
 */
export class JsonScan {
  readonly #limits: JsonLimits;
  readonly #top: ScanOptions['top'];
  readonly #largeFrom: number | undefined;
  readonly #open: Open[] = [];
  #at = 0;
  #inText = false;
  /** The present text, or the last one: where it begins and ends, with its quotes, and whether something in it is escaped. */
  #start = 0;
  #end = 0;
  #escaped = false;
  /** Values so far, and bytes that were looked at (for tests: each one counts once). */
  values = 1;
  steps = 0;
  /** Large containers by the position at which they begin. */
  readonly large = new Map<number, Large>();

  constructor(limits: JsonLimits, { top, large }: ScanOptions = {}) {
    this.#limits = limits;
    this.#top = top;
    this.#largeFrom = large;
  }

  /**
   * Scans on to `end`. `bytes` begins with the bytes of the previous call. @throws Refusal 400 for too deep nesting, a
   * member that is given twice, and a name, number or text that is too long; 413 for too many values
   */
  advance(bytes: Buffer, end: number): void {
    let i = this.#at;
    const from = i;
    while (i < end) {
      if (this.#inText) {
        i = this.#text(bytes, i, end);
        continue;
      }
      const byte = bytes[i]!;
      if (byte === QUOTE) {
        this.#inText = true;
        this.#start = i;
        this.#escaped = false;
      } else if (byte === COMMA) this.#comma(i);
      else if (byte === COLON) this.#member(bytes);
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#enter(i, byte === OPEN_OBJECT);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#leave(i, byte === CLOSE_OBJECT);
      else if (byte === MINUS || isDigit(byte)) {
        const after = this.#number(bytes, i, end);
        // It may go on with the next bytes.
        if (after === end) break;
        i = after;
        continue;
      }
      i++;
    }
    this.steps += i - from;
    this.#at = i;
  }

  /** All bytes have been seen. @throws Refusal 400 where large containers were noted and are not closed */
  finish(bytes: Buffer, end: number): void {
    if (this.#at < end) this.#checkNumber(bytes, this.#at, end);
    if (this.#largeFrom !== undefined && (this.#open.length || this.#inText))
      throw wrong('Unexpected end of JSON input');
  }

  #text(bytes: Buffer, from: number, end: number): number {
    let i = from === this.#start ? from + 1 : from;
    for (; i < end; i++) {
      const byte = bytes[i]!;
      if (byte === BACKSLASH) {
        this.#escaped = true;
        i++;
      } else if (byte === QUOTE) {
        this.#inText = false;
        this.#end = i + 1;
        break;
      }
    }
    if (i - this.#start - 1 > this.#limits.text) throw wrong(`a text is longer than ${this.#limits.text} bytes.`);
    return this.#inText ? i : i + 1;
  }

  #number(bytes: Buffer, from: number, end: number): number {
    let i = from + 1;
    while (i < end && inNumber(bytes[i]!)) i++;
    if (i < end || i - from > this.#limits.number) this.#checkNumber(bytes, from, i);
    return i;
  }

  #checkNumber(bytes: Buffer, from: number, end: number): void {
    const length = end - from;
    if (length > this.#limits.number) throw wrong(`a number is longer than ${this.#limits.number} characters.`);
    if (length < 4) return;
    const text = bytes.toString('latin1', from, end);
    if ((length >= LONG_NUMBER || /[eE]/.test(text)) && Math.abs(Number(text)) === Number.POSITIVE_INFINITY)
      throw wrong('a number is too large.');
  }

  #comma(at: number): void {
    this.#value();
    const open = this.#open.at(-1);
    if (!open) return;
    open.commas?.push(at);
    if (!open.names) this.#count(open);
  }

  #value(): void {
    if (++this.values > this.#limits.values) throw tooMany(`${this.#limits.values} values`);
  }

  /** One more item of a list, after the first. */
  #count(open: Open): void {
    if (++open.count < open.most) return;
    if (this.#top && this.#open.length === 1) throw this.#top.refusal();
    throw tooMany(`${this.#limits.items} items in one list`);
  }

  #member(bytes: Buffer): void {
    const open = this.#open.at(-1);
    // A member outside of an object, or without a name, is invalid JSON and left to JSON.parse.
    if (!open?.names || this.#end === 0) return;
    const { name: most, members } = this.#limits;
    if (this.#end - this.#start - 2 > most) throw wrong(`the name of a member is longer than ${most} bytes.`);
    // Names are compared by their bytes, which are cheaper to get than their characters.
    const literal = bytes.toString('latin1', this.#start, this.#end);
    const name = this.#escaped ? unescaped(literal) : literal;
    if (open.names.has(name)) throw wrong(`the member ${shown(name)} is given twice.`);
    if (open.names.size >= members) throw tooMany(`${members} members in one object`);
    open.names.add(name);
    this.#end = 0;
  }

  #enter(at: number, isObject: boolean): void {
    this.#value();
    const depth = this.#open.length;
    if (depth >= this.#limits.depth) throw wrong(`nested deeper than ${this.#limits.depth} levels.`);
    this.#open.push({
      at,
      names: isObject ? new Set() : undefined,
      count: 0,
      most: !depth && this.#top ? this.#top.items : this.#limits.items,
      commas: this.#largeFrom === undefined ? undefined : [],
    });
  }

  #leave(at: number, isObject: boolean): void {
    const open = this.#open.pop();
    if (this.#largeFrom === undefined) return;
    if (!open || (open.names !== undefined) !== isObject) throw wrong(`Unexpected token at position ${at}`);
    if (at - open.at > this.#largeFrom) this.large.set(open.at, { close: at, commas: open.commas! });
  }
}

const shown = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8').slice(0, 100);

/** One spelling for all spellings of a name, which may have escapes in different places. */
function unescaped(literal: string): string {
  try {
    const name = JSON.parse(Buffer.from(literal, 'latin1').toString('utf8')) as string;
    return Buffer.from(JSON.stringify(name)).toString('latin1');
  } catch {
    return literal;
  }
}
