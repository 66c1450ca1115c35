import type { Cell, Json } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails, type Parsed } from '../../types/parsing.ts';
import { both } from './text.ts';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * A moment that was written in ISO 8601 (a date alone is its midnight; without an offset it is UTC), as PostgreSQL
 * reads it.
 */
export function momentOf(text: string): string | undefined {
  const m = ISO.exec(text.trim());
  if (!m) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = m;
  if (
    !isDate(Number(year), Number(month), Number(day)) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  )
    return undefined;
  if (Number(zone.slice(1, 3)) > 15 || Number(zone.slice(3).replace(':', '')) > 59) return undefined;
  // In UTC it would lie outside the years that have four digits.
  if (
    /[1-9]/.test(zone) &&
    ((year === '0001' && month === '01' && day === '01') || (year === '9999' && month === '12' && day === '31'))
  )
    return undefined;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}${/z/i.test(zone) ? '+00' : zone}`;
}

/**
 * The same moment as ISO 8601 has it in full, with the offset that it was written with, if any: `2026-01-31 08:00`
 * becomes `2026-01-31T08:00:00`.
 */
export function fullMoment(text: string): string | undefined {
  const m = momentOf(text) === undefined ? null : ISO.exec(text.trim());
  if (!m) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = ''] = m;
  const offset = /^[+-]/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
    : zone.toUpperCase();
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${/[1-9]/.test(fraction.slice(0, 6)) ? `.${fraction.slice(0, 6).padEnd(6, '0')}` : ''}${/^[+-]00:00$/.test(offset) ? 'Z' : offset}`;
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1) return false;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A column of type `timestamptz` as ISO 8601 text with microseconds, in UTC, whatever the session's settings are. */
export const isoSql = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * A timestamp of PostgreSQL in UTC (`2026-11-21 05:20:24.0403+00`) in ISO 8601 with microseconds, none when they are
 * zero.
 */
export function isoOf(cell: string, zone = 'Z', digits = 6): string {
  const date = cell.slice(0, 10);
  const time = cell.slice(11, 19);
  const fraction = /\.(\d+)/.exec(cell)?.[1];
  return `${date}T${time}${fraction ? '.' + fraction.padEnd(6, '0').slice(0, digits) : ''}${zone}`;
}

const DATETIME_ERROR =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].';
const DATE_ERROR = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';

export interface TimeOptions extends Common {
  /** `now`: the moment of creation. */
  default?: 'now';
  /** Filter takes one value with `__gte`/`__lte` only. */
  instant?: boolean;
}

function time(
  kind: 'datetime' | 'date',
  o: TimeOptions,
  print: (cell: Cell) => string,
  parse: (value: Json) => Parsed,
): Field {
  const nullable = (o.optional ?? false) && o.default === undefined;
  const required = !o.optional && !o.default && !o.readOnly;
  return {
    kind,
    column: { type: kind === 'date' ? 'date' : 'timestamptz', nullable, ...(o.default ? { default: 'now()' } : {}) },
    required,
    nullable,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ? () => new Date().toISOString() : null,
    print,
    parse: (value) => (value === '' && nullable ? { value: null } : parse(value)),
    lookups: o.filter === false ? null : o.instant ? 'instant' : kind,
    metadata: () => ({ type: kind, required, read_only: o.readOnly ?? false }),
    schema: both({ type: 'string', format: kind === 'date' ? 'date' : 'date-time' }, nullable),
    ...(o.hidden ? { hidden: true } : {}),
  };
}

/** A moment, in UTC with microseconds. */
export function datetime(o: TimeOptions = {}): Field {
  const parse = (value: Json): Parsed => {
    const moment = typeof value === 'string' ? momentOf(value) : undefined;
    return moment === undefined ? fails(DATETIME_ERROR) : { value: moment };
  };
  return {
    ...time('datetime', o, (cell) => (cell === null ? 'null' : `"${isoOf(cell)}"`), parse),
    printSnapshot: (cell) => (cell === null ? 'null' : `"${isoOf(cell, 'Z', 3)}"`),
  };
}

/** A day. */
export function date(o: TimeOptions = {}): Field {
  const parse = (value: Json): Parsed => {
    const moment = typeof value === 'string' && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(value) ? momentOf(value) : undefined;
    return moment === undefined ? fails(DATE_ERROR) : { value: moment.slice(0, 10) };
  };
  return time('date', o, (cell) => (cell === null ? 'null' : `"${cell}"`), parse);
}

const ZONES = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', 'GMT']);

function isZone(name: string): boolean {
  if (ZONES.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}

/** Name of a time zone of the IANA database. */
export function timeZone(o: Common = {}): Field {
  return {
    kind: 'timeZone',
    column: { type: 'varchar(63)', nullable: true },
    required: false,
    nullable: true,
    readOnly: o.readOnly ?? false,
    writeOnly: false,
    default: null,
    print: (cell) => (cell === null || cell === '' ? 'null' : JSON.stringify(cell)),
    parse: (value) => {
      if (value === '') return { value: null };
      return typeof value === 'string' && value.length <= 63 && isZone(value)
        ? { value }
        : fails(`A valid timezone is required.`);
    },
    lookups: o.filter === false ? null : 'string',
    metadata: () => ({ type: 'string', required: false, read_only: o.readOnly ?? false }),
    schema: both({ type: 'string' }, true),
  };
}
