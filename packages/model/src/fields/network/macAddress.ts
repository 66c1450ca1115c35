import type { Cell, Json } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails, type Parsed } from '../../types/parsing.ts';
import { both } from '../plain/text.ts';

export interface MacAddressOptions extends Common {
  unique?: boolean;
}

interface Kind {
  bytes: 6 | 8;
  column: 'macaddr' | 'macaddr8';
  name: string;
  family: 'mac' | 'wwn';
}

const MAC: Kind = { bytes: 6, column: 'macaddr', name: 'MAC address', family: 'mac' };
const WWN: Kind = { bytes: 8, column: 'macaddr8', name: 'WWN', family: 'wwn' };

/**
 * Digits of an address in one of the usual notations, or undefined: bytes apart (`0:1b:…`), words of two bytes
 * (`1b.21ab.def`), halves (`001b21-ab0def`, of six bytes only), or in one piece. Leading zeros may be missing: all of
 * a byte or word, only the first of a half or of an address in one piece.
 */
function digitsOf(text: string, bytes: number): string | undefined {
  const separator = /[-:.]/.exec(text)?.[0];
  const words = separator === undefined ? [text] : text.split(separator);
  const width = { [bytes]: 2, [bytes / 2]: 4, 2: bytes === 6 ? 6 : 0, 1: bytes * 2 }[words.length] ?? 0;
  const shortest = { 2: 1, 4: 1, 6: 5 }[width] ?? width - 1;
  if (!width || (separator === '.' && width !== 4)) return undefined;
  return words.every((word) => /^[0-9a-f]+$/i.test(word) && word.length >= shortest && word.length <= width)
    ? words.map((word) => word.padStart(width, '0')).join('')
    : undefined;
}

/** An address as it is kept and shown: bytes in upper case, apart by colons; undefined for a text that is not an address. */
export function canonicalAddress(text: string, bytes: 6 | 8): string | undefined {
  return digitsOf(text.trim(), bytes)
    ?.toUpperCase()
    .replace(/(?<=.)(?=(..)+$)/g, ':');
}

function address(kind: Kind, o: MacAddressOptions): Field {
  const required = !o.optional && !o.readOnly;
  const nullable = o.optional ?? false;
  const parse = (value: Json): Parsed => {
    if (value === '' && nullable) return { value: null };
    const text = typeof value === 'string' ? canonicalAddress(value, kind.bytes) : undefined;
    return text === undefined
      ? fails(`Invalid ${kind.name} format: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      : { value: text };
  };
  const print = (cell: Cell): string => (cell === null ? 'null' : `"${cell.toUpperCase()}"`);
  return {
    kind: kind.column,
    column: { type: kind.column, nullable, ...(o.unique ? { unique: true } : { index: 'btree' as const }) },
    required,
    nullable,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: null,
    print,
    parse,
    lookups: o.filter === false ? null : kind.family,
    metadata: () => ({ type: kind.family === 'mac' ? 'field' : 'string', required, read_only: o.readOnly ?? false }),
    schema: both({ type: 'string' }, nullable),
    ...(o.hidden ? { hidden: true } : {}),
  };
}

/** Address of a network interface, six bytes. Read as `00:1B:21:AB:CD:EF`, written in any usual notation. */
export const macAddress = (o: MacAddressOptions = {}): Field => address(MAC, o);

/** World wide name of a storage interface, eight bytes. */
export const wwn = (o: MacAddressOptions = {}): Field => address(WWN, o);
