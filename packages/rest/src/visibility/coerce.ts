import { booleanOf, type Json, momentOf, networkOf } from '@cadastre/model';

const WHOLE = /^\s*[-+]?\d{1,18}\s*$/;
const NUMBER = /^\s*[-+]?\d{1,100}(\.\d{1,100})?\s*$/;
const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** Types that smaller ones are compared as, so that a number that is too large matches nothing and is no error. */
const WIDE: Record<string, string> = { smallint: 'bigint', integer: 'bigint', varchar: 'text', cidr: 'inet' };

/** The type that values are bound as when they are compared with a column. */
export const boundType = (type: string): string => WIDE[type] ?? type;

/** A value as PostgreSQL reads it for a column of a type, or undefined when no value of the type looks like that. */
export function coerce(type: string, value: Json): string | boolean | null | undefined {
  if (value === null) return null;
  if (typeof value === 'object') return undefined;
  const text = String(value);
  if (text.includes('\0')) return undefined;
  switch (boundType(type)) {
    case 'bigint':
      return WHOLE.test(text) ? text : undefined;
    case 'numeric':
      return NUMBER.test(text) ? text : undefined;
    case 'boolean':
      return booleanOf(value);
    case 'timestamptz':
      return momentOf(text);
    case 'date':
      return momentOf(text)?.slice(0, 10);
    case 'inet':
      return networkOf(text) ? text : undefined;
    case 'uuid':
      return UUID.test(text) ? text : undefined;
    default:
      return text;
  }
}
