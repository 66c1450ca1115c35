import { type Cell, type Common, type Field, fails, type Json, type Parsed } from '../field.ts';
import { both } from './text.ts';

export interface MacAddressOptions extends Common {
  unique?: boolean;
}

/** Ways to write an address: its bytes apart, in words of four digits, in halves, or in one piece. */
const separated = (count: number): RegExp => new RegExp(`^[0-9a-f]{1,2}([-:])[0-9a-f]{1,2}(?:\\1[0-9a-f]{1,2}){${count - 2}}$`, 'i');

interface Kind { bytes: 6 | 8; column: 'macaddr' | 'macaddr8'; name: string; family: 'mac' | 'wwn' }

const MAC: Kind = { bytes: 6, column: 'macaddr', name: 'MAC address', family: 'mac' };
const WWN: Kind = { bytes: 8, column: 'macaddr8', name: 'WWN', family: 'wwn' };

/** Digits of an address in one of the usual notations (`00:1B:…`, `0-1b-…`, `001b.…`, `001b…`), or undefined. */
function digitsOf(text: string, bytes: number): string | undefined {
  if (separated(bytes).test(text)) return text.split(/[-:]/).map((byte) => byte.padStart(2, '0')).join('');
  const words = text.split(/[.:-]/);
  const halves = words.length === 2 && words.every((w) => w.length === bytes);
  const fours = words.length === bytes / 2 && words.every((w) => w.length <= 4 && w.length > 0) && !text.includes('-');
  const digits = words.length === 1 ? text : halves ? words.join('') : fours ? words.map((w) => w.padStart(4, '0')).join('') : '';
  return digits.length === bytes * 2 && /^[0-9a-f]+$/i.test(digits) ? digits : undefined;
}

/** An address as it is kept and shown: bytes in upper case, apart by colons; undefined for what is none. */
export function canonicalAddress(text: string, bytes: 6 | 8): string | undefined {
  return digitsOf(text.trim(), bytes)?.toUpperCase().replace(/(?<=.)(?=(..)+$)/g, ':');
}

function address(kind: Kind, o: MacAddressOptions): Field {
  const required = !o.optional && !o.readOnly;
  const nullable = o.optional ?? false;
  const parse = (value: Json): Parsed => {
    if (value === '' && nullable) return { value: null };
    const text = typeof value === 'string' ? canonicalAddress(value, kind.bytes) : undefined;
    return text === undefined ? fails(`Invalid ${kind.name} format: ${typeof value === 'string' ? value : JSON.stringify(value)}`) : { value: text };
  };
  const print = (cell: Cell): string => (cell === null ? 'null' : `"${cell.toUpperCase()}"`);
  return {
    kind: kind.column,
    column: { type: kind.column, nullable, ...(o.unique ? { unique: true } : { index: 'btree' as const }) },
    required, nullable, readOnly: o.readOnly ?? false, writeOnly: o.writeOnly ?? false, default: null,
    print, parse,
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
