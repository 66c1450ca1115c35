import { type Cell, type Json, printText } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails, type Parsed } from '../../types/parsing.ts';

export interface TextOptions extends Common {
  /** Longest value, in characters; without it the text is unbounded. */
  max?: number;
  min?: number;
  unique?: boolean;
  /** SQL NULL instead of the empty string when there is no value. */
  nullable?: boolean;
  default?: string;
  /** Sorts numbers inside the text by value and ignores case. */
  natural?: boolean;
  /** Must match; the message is the error. `documented`: the expression stands in the API document. */
  pattern?: { expression: RegExp; message: string; documented?: true };
  /** Surrounding spaces belong to the value. */
  keepSpaces?: boolean;
  /** Kept out of snapshots and events. */
  secret?: boolean;
  /** Type name in OPTIONS; 'string' unless a field type says more. */
  metadataType?: string;
  format?: string;
}

/** The longest text that a field without a limit of its own accepts, in characters. */
export const UNBOUNDED_TEXT = 1_000_000;

/** The text of a JSON value where one is meant, or the reason why not. Numbers are accepted, as the reference does. */
export function textOf(value: Json): { text: string } | { errors: string[] } {
  if (typeof value === 'number' && Number.isFinite(value)) return { text: String(value) };
  if (typeof value !== 'string') return { errors: ['Not a valid string.'] };
  if (value.includes('\0')) return { errors: ['Null characters are not allowed.'] };
  if (!value.isWellFormed()) return { errors: ['Surrogate characters are not allowed.'] };
  return { text: value };
}

function parseText(o: TextOptions, value: Json): Parsed {
  const given = textOf(value);
  if ('errors' in given) return given;
  const text = o.keepSpaces ? given.text : given.text.trim();
  if (text === '') return o.optional ? { value: o.nullable ? null : '' } : fails('This field may not be blank.');
  const length = [...text].length;
  const max = o.max ?? UNBOUNDED_TEXT;
  const errors: string[] = [];
  if (length > max) errors.push(`Ensure this field has no more than ${max} characters.`);
  if (o.min !== undefined && length < o.min) errors.push(`Ensure this field has at least ${o.min} characters.`);
  if (o.pattern && !o.pattern.expression.test(text)) errors.push(o.pattern.message);
  return errors.length ? { errors } : { value: text };
}

/** What stands for a secret wherever it would be shown; sent back, it means that the secret stays as it is. */
export const MASK = '********';
const printMasked = (cell: Cell): string => (cell === null ? 'null' : cell === '' ? '""' : `"${MASK}"`);

/** A line or page of text. Shape: string. Empty when not given, unless `nullable`. */
export function text(o: TextOptions = {}): Field {
  const required = !o.optional && o.default === undefined && !o.readOnly;
  const limits = {
    ...(o.max === undefined ? {} : { max_length: o.max }),
    ...(o.min === undefined ? {} : { min_length: o.min }),
  };
  return {
    kind: 'text',
    column: {
      type: o.max === undefined ? 'text' : `varchar(${o.max})`,
      nullable: o.nullable ?? false,
      ...(o.nullable ? {} : { default: `'${(o.default ?? '').replaceAll("'", "''")}'` }),
      ...(o.unique ? { unique: true } : {}),
      natural: o.natural ?? false,
    },
    required,
    nullable: o.nullable ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ?? (o.nullable ? null : ''),
    print: o.secret ? printMasked : printText,
    parse: (value) => parseText(o, value),
    lookups: o.filter === false ? null : 'string',
    metadata: () => ({ type: o.metadataType ?? 'string', required, read_only: o.readOnly ?? false, ...limits }),
    schema: schemaOf(o),
    ...(o.hidden ? { hidden: true } : {}),
    ...(o.secret ? { secret: true } : {}),
  };
}

/**
 * An optional text has no format, as the empty text would not match it. A URL has none for reading, as it is shown as
 * it was given and may hold characters that a URI would escape.
 */
function schemaOf(o: TextOptions): Field['schema'] {
  const length = o.max ? { maxLength: o.max } : {};
  const format = o.format ? { format: o.format } : {};
  const pattern = o.pattern?.documented ? o.pattern.expression.source : undefined;
  const written = {
    type: 'string',
    ...length,
    ...(o.optional ? {} : { minLength: o.min ?? 1, ...format }),
    ...(pattern ? { pattern: o.optional ? `^$|${pattern}` : pattern } : {}),
  };
  return {
    read: both({ type: 'string', ...length, ...(o.optional || o.format === 'uri' ? {} : format) }, o.nullable).read,
    write: both(written, o.nullable).write,
  };
}

/** The same schema for reading and writing, with null where it may be. */
export function both(schema: Record<string, unknown>, nullable?: boolean) {
  const whole = nullable && typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema;
  return { read: whole, write: whole };
}

const SLUG = {
  expression: /^[-a-zA-Z0-9_]+$/,
  message: 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.',
  documented: true as const,
};

/** The short name that stands in URLs and filters. */
export const slug = (o: TextOptions = {}): Field => ({
  ...text({ max: 100, ...o, pattern: SLUG, metadataType: 'slug' }),
  kind: 'slug',
});

const COLOR = {
  expression: /^[0-9a-f]{6}$/,
  message: 'Enter a valid hexadecimal RGB color code.',
  documented: true as const,
};

/** Six lower-case hexadecimal digits. */
export const color = (o: TextOptions = {}): Field => ({ ...text({ max: 6, ...o, pattern: COLOR }), kind: 'color' });

const EMAIL = {
  expression:
    /^[^\s@<>()[\],;:"]+@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$|^[^\s@<>()[\],;:"]+@localhost$/i,
  message: 'Enter a valid email address.',
};

export const email = (o: TextOptions = {}): Field => ({
  ...text({ max: 254, ...o, pattern: EMAIL, metadataType: 'email', format: 'email' }),
  kind: 'email',
});

const URL_PATTERN = {
  expression: /^(https?|ftps?|ssh|telnet|tel|mailto|file|irc|sftp|tftp|vnc|rdp|rtsp|sip|sips|xmpp|scp|winrm):[^\s]+$/i,
  message: 'Enter a valid URL.',
};

/** A link of a scheme that is safe to show. */
export const url = (o: TextOptions = {}): Field => ({
  ...text({ max: 200, ...o, pattern: URL_PATTERN, metadataType: 'url', format: 'uri' }),
  kind: 'url',
});
