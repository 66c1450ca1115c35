import type { FormLimits } from '../limits.ts';
import { refuse } from '../refusal.ts';

export type Field = [name: string, value: string];

export const tooManyFields = (most: number) => refuse(413, `A form may have at most ${most} fields.`);
export const nameTooLong = (most: number) => refuse(400, `The name of a field may have at most ${most} bytes.`);

const AMPERSAND = 38;
const EQUALS = 61;

/**
 * The fields of `application/x-www-form-urlencoded`, read in one pass that ends with the first that is too many. (The
 * parser of Node takes a time that grows with the square of the number of nameless fields.) Separators with nothing in
 * between count as well.
 * @throws Refusal 413 for too many fields, 400 for a name that is too long
 */
export function readUrlencoded(bytes: Buffer, { fields: most, name: longest }: FormLimits): Field[] {
  const fields: Field[] = [];
  let seen = 0;
  for (let from = 0; from < bytes.length; seen++) {
    if (seen >= most) throw tooManyFields(most);
    const next = bytes.indexOf(AMPERSAND, from);
    const end = next < 0 ? bytes.length : next;
    if (end > from) fields.push(fieldOf(bytes.subarray(from, end), longest));
    from = end + 1;
  }
  return fields;
}

function fieldOf(part: Buffer, longest: number): Field {
  const equals = part.indexOf(EQUALS);
  const name = equals < 0 ? part : part.subarray(0, equals);
  if (name.length > 3 * longest) throw nameTooLong(longest);
  return [decoded(name), equals < 0 ? '' : decoded(part.subarray(equals + 1))];
}

const PLUS = 43;
const SPACE = 32;
const PERCENT = 37;

/** Decodes what browsers write: a plus is a space; a percent sign without two hexadecimal digits stands for itself. */
function decoded(bytes: Buffer): string {
  const held = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const code = byte === PERCENT && i + 2 < bytes.length ? hex(bytes[i + 1]!) * 16 + hex(bytes[i + 2]!) : Number.NaN;
    if (code >= 0) i += 2;
    held[length++] = code >= 0 ? code : byte === PLUS ? SPACE : byte;
  }
  return held.toString('utf8', 0, length);
}

/** The value of a hexadecimal digit; NaN for anything else. */
function hex(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN;
}
