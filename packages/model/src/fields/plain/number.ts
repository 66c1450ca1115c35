import { type Json, printRaw } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails, type Parsed } from '../../types/parsing.ts';
import { both } from './text.ts';

export interface IntegerOptions extends Common {
  min?: number;
  max?: number;
  unique?: boolean;
  default?: number;
  /** Column type; `integer` unless values may exceed 2³¹. */
  size?: 'smallint' | 'integer' | 'bigint';
  /** Has a filter of this family instead. */
}

const RANGE = { smallint: 32_767, integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER };

/** The smallest column type that holds all of some numbers. */
export const sizeFor = (numbers: readonly number[]): keyof typeof RANGE =>
  (['smallint', 'integer', 'bigint'] as const).find((size) =>
    numbers.every((number) => Math.abs(number) <= RANGE[size]),
  )!;

/** A whole number that a client sent as a number or as digits. */
export function integerOf(value: Json): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value === 'string' && /^\s*[-+]?\d{1,20}(\.0*)?\s*$/.test(value)) return Number(value);
  return undefined;
}

/** Messages for a number outside its limits. */
export function outOfRange(value: number, min: number | undefined, max: number | undefined): string[] {
  const errors: string[] = [];
  if (max !== undefined && value > max) errors.push(`Ensure this value is less than or equal to ${max}.`);
  if (min !== undefined && value < min) errors.push(`Ensure this value is greater than or equal to ${min}.`);
  return errors;
}

function parseInteger(value: Json, min: number, max: number): Parsed {
  const number = integerOf(value);
  if (number === undefined) return fails('A valid integer is required.');
  const errors = outOfRange(number, min, max);
  return errors.length ? { errors } : { value: number };
}

/** A whole number. */
export function integer(o: IntegerOptions = {}): Field {
  const size = o.size ?? 'integer';
  const min = o.min ?? -RANGE[size] - (size === 'bigint' ? 0 : 1);
  // Integers that a JavaScript number cannot hold exactly are refused, even where the reference accepts them.
  const max = Math.min(o.max ?? RANGE[size], RANGE[size]);
  const nullable = (o.optional ?? false) && o.default === undefined;
  const required = !o.optional && o.default === undefined && !o.readOnly;
  const limits = {
    ...(o.min === undefined ? {} : { min_value: o.min }),
    ...(o.max === undefined ? {} : { max_value: o.max }),
  };
  return {
    kind: 'integer',
    column: {
      type: size,
      nullable,
      ...(o.default === undefined ? {} : { default: String(o.default) }),
      ...(o.unique ? { unique: true } : {}),
    },
    required,
    nullable,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ?? null,
    print: printRaw,
    parse: (value) => (value === '' && nullable ? { value: null } : parseInteger(value, min, max)),
    lookups: o.filter === false ? null : 'number',
    metadata: () => ({ type: 'integer', required, read_only: o.readOnly ?? false, ...limits }),
    schema: both(
      {
        type: 'integer',
        ...(o.min === undefined ? {} : { minimum: o.min }),
        ...(o.max === undefined ? {} : { maximum: o.max }),
      },
      nullable,
    ),
    ...(o.hidden ? { hidden: true } : {}),
  };
}

export interface DecimalOptions extends Common {
  /** Digits in all. */
  digits: number;
  /** Digits after the point. */
  places: number;
  min?: number;
  max?: number;
  default?: number;
}

/** A number of at most 1,000 characters, its digits counted before and after the point. */
function parseDecimal(o: DecimalOptions, value: Json): Parsed {
  const text = typeof value === 'number' ? plain(value) : typeof value === 'string' ? value.trim() : undefined;
  if (text !== undefined && text.length > 1000) return fails('String value too large.');
  const match = text === undefined ? null : /^([-+]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!match || (!match[2] && !match[3])) return fails('A valid number is required.');
  const whole = (match[2] ?? '').replace(/^0+/, '');
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  const errors: string[] = [];
  if (whole.length + fraction.length > o.digits)
    errors.push(`Ensure that there are no more than ${o.digits} digits in total.`);
  else if (fraction.length > o.places) errors.push(`Ensure that there are no more than ${o.places} decimal places.`);
  else if (whole.length > o.digits - o.places)
    errors.push(`Ensure that there are no more than ${o.digits - o.places} digits before the decimal point.`);
  if (errors.length) return { errors };
  const limits = outOfRange(Number(text), o.min, o.max);
  return limits.length
    ? { errors: limits }
    : { value: `${match[1] === '-' ? '-' : ''}${whole || '0'}${fraction ? '.' + fraction : ''}` };
}

/** Decimal notation of a number, without an exponent. */
function plain(value: number): string {
  const [digits, exponent] = String(Math.abs(value)).split('e') as [string, string | undefined];
  const sign = value < 0 ? '-' : '';
  const [whole, fraction = ''] = digits.split('.') as [string, string | undefined];
  const moved = Number(exponent ?? 0);
  if (exponent === undefined) return sign + digits;
  return moved < 0
    ? `${sign}0.${'0'.repeat(-moved - 1)}${whole}${fraction}`
    : sign + whole + fraction.padEnd(moved, '0');
}

/** A number with a fixed count of decimals. Shape: JSON number; in snapshots a string with all its decimals. */
export function decimal(o: DecimalOptions): Field {
  const nullable = (o.optional ?? false) && o.default === undefined;
  const required = !o.optional && o.default === undefined && !o.readOnly;
  return {
    kind: 'decimal',
    column: {
      type: `numeric(${o.digits},${o.places})`,
      nullable,
      ...(o.default === undefined ? {} : { default: String(o.default) }),
    },
    required,
    nullable,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ?? null,
    print: (cell) => (cell === null ? 'null' : printFloat(Number(cell))),
    printSnapshot: (cell) => (cell === null ? 'null' : JSON.stringify(cell)),
    parse: (value) => (value === '' && nullable ? { value: null } : parseDecimal(o, value)),
    lookups: o.filter === false ? null : 'decimal',
    metadata: () => ({
      type: 'decimal',
      required,
      read_only: o.readOnly ?? false,
      ...(o.min === undefined ? {} : { min_value: o.min }),
      ...(o.max === undefined ? {} : { max_value: o.max }),
      max_digits: o.digits,
      decimal_places: o.places,
    }),
    schema: both(
      {
        type: 'number',
        ...(o.min === undefined ? {} : { minimum: o.min }),
        ...(o.max === undefined ? {} : { maximum: o.max }),
      },
      nullable,
    ),
  };
}

/** A whole value keeps its `.0`, so that a client that tells integers from decimals sees a decimal. */
export const printFloat = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));
