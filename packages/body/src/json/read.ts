import { isUtf8 } from 'node:buffer';
import type { Json } from '@cadastre/model';
import type { JsonLimits } from '../limits.ts';
import { paced } from '../pace.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { built, PIECE, parsed } from './build.ts';
import { JsonScan, type ScanOptions } from './scan.ts';

/** Texts of more bytes than this are read with turns for others in between. */
const AT_ONCE = 128 * 1024;
/** Bytes that are looked at in one go. */
const SLICE = 64 * 1024;

export interface JsonOptions {
  /** Items that the text may have when it is a list itself, and what is said about more. */
  top?: ScanOptions['top'];
}

const noText = (): Refusal => refuse(400, 'JSON parse error - the body is not valid UTF-8.');

/** Some programs begin a text with a mark of its encoding. */
const beginOf = (bytes: Buffer): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

/**
 * The value of a small text: one in a field of a form, say. @throws Refusal 400 for invalid JSON or beyond a limit, 413
 * for too many values
 */
export function jsonOf(
  bytes: Buffer,
  limits: JsonLimits,
  options: JsonOptions = {},
): { value: Json /** Values that it consists of. */; count: number } {
  const scan = new JsonScan(limits, options);
  scan.advance(bytes, bytes.length);
  scan.finish(bytes, bytes.length);
  if (!isUtf8(bytes)) throw noText();
  return { value: parsed(bytes.toString('utf8', beginOf(bytes), bytes.length)), count: scan.values };
}

/** The value of a text of any size, with turns for others in between. @throws Refusal as `jsonOf` */
export async function readJson(bytes: Buffer, limits: JsonLimits, options: JsonOptions = {}): Promise<Json> {
  if (bytes.length <= AT_ONCE) return jsonOf(bytes, limits, options).value;
  const reading = jsonReading(limits, options);
  await reading.look(bytes, bytes.length);
  return reading.value(bytes);
}

/** Reads a text while it still grows. */
export interface JsonReading {
  /** Checks what has arrived so far. @throws Refusal as soon as something exceeds a limit */
  look(bytes: Buffer, length: number): Promise<void>;
  /** The value, when all is there. */
  value(bytes: Buffer): Promise<Json>;
}

export function jsonReading(limits: JsonLimits, options: JsonOptions = {}): JsonReading {
  const scan = new JsonScan(limits, { ...options, large: PIECE });
  const pace = paced();
  let seen = 0;
  return {
    async look(bytes, length) {
      while (seen < length) {
        seen = Math.min(seen + SLICE, length);
        scan.advance(bytes, seen);
        await pace();
      }
    },
    async value(bytes) {
      scan.finish(bytes, bytes.length);
      if (!isUtf8(bytes)) throw noText();
      return built({ bytes, large: scan.large, pace }, beginOf(bytes), bytes.length);
    },
  };
}
