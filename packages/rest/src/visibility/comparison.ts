import type { Json } from '@cadastre/model';
import { type Binder, likeText } from '../db/sql.ts';
import { boundType, coerce } from './coerce.ts';
import { regexProblem } from './regex.ts';

/** A constraint names something that does not exist, or compares it in a way that it cannot be compared. */
export class ConstraintError extends Error {}

/** A constraint compares something with a value that no object can have. */
export class UnfitValue extends ConstraintError {}

export const OPERATORS: ReadonlySet<string> = new Set([
  'exact',
  'iexact',
  'contains',
  'icontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  'isnull',
  'regex',
  'iregex',
  'range',
]);

/**
 * SQL of a comparison in a constraint or a reference by attributes, whose values come from clients. @throws
 * ConstraintError
 */
export function comparison(sql: string, columnType: string, operator: string, value: Json, binder: Binder): string {
  const type = castOf(columnType);
  const bound = (one: Json) => `${binder.bind(readAs(type, one))}::${type}`;
  const text = (one: Json) => binder.bind(readAs('text', one));
  const pattern = (one: Json) => {
    const problem = regexProblem(String(scalar(one)));
    if (problem !== undefined) throw new ConstraintError(problem);
    return text(one);
  };
  const like = (before: string, after: string, insensitive: boolean) =>
    `${sql}::text ${insensitive ? 'ilike' : 'like'} ${text(before + likeText(String(scalar(value))) + after)}`;
  switch (operator) {
    case 'exact':
      return value === null ? `${sql} is null` : `${sql} = ${bound(value)}`;
    case 'in':
      return `${sql} = any(${bindList(type, value, binder)})`;
    case 'isnull':
      return `${sql} is ${value ? '' : 'not '}null`;
    case 'gt':
      return `${sql} > ${bound(value)}`;
    case 'gte':
      return `${sql} >= ${bound(value)}`;
    case 'lt':
      return `${sql} < ${bound(value)}`;
    case 'lte':
      return `${sql} <= ${bound(value)}`;
    case 'range': {
      if (!Array.isArray(value) || value.length !== 2) throw new UnfitValue('A range is a list of two values.');
      return `${sql} between ${bound(value[0]!)} and ${bound(value[1]!)}`;
    }
    case 'iexact':
      return like('', '', true);
    case 'contains':
      return like('%', '%', false);
    case 'icontains':
      return like('%', '%', true);
    case 'startswith':
      return like('', '%', false);
    case 'istartswith':
      return like('', '%', true);
    case 'endswith':
      return like('%', '', false);
    case 'iendswith':
      return like('%', '', true);
    case 'regex':
      return `${sql}::text ~ ${pattern(value)}`;
    case 'iregex':
      return `${sql}::text ~* ${pattern(value)}`;
    default:
      throw new ConstraintError(`Unsupported lookup '${operator}'.`);
  }
}

/** Binds one value or a list of them as an array. @throws UnfitValue */
export function bindList(columnType: string, value: Json, binder: Binder): string {
  const type = castOf(columnType);
  return `${binder.bind((Array.isArray(value) ? value : [value]).map((one) => readAs(type, one)))}::${type}[]`;
}

/** The type that values are compared as; of `varchar(100)` the length does not matter. */
const castOf = (columnType: string): string => boundType(columnType.replace(/\(.*\)/, ''));

/** The longest text that anything is compared with, in characters. */
const MAX_TEXT = 10_000;

/** A value as PostgreSQL can read it as one of a type. @throws UnfitValue when the type has no such value */
function readAs(type: string, value: Json): string | boolean | null {
  const read = coerce(type, value);
  if (read === undefined || (typeof read === 'string' && read.length > MAX_TEXT))
    throw new UnfitValue(`${JSON.stringify(value).slice(0, 100)} is no value to compare with.`);
  return read;
}

function scalar(value: Json): string | number | boolean {
  if (value === null || typeof value === 'object') throw new UnfitValue('A single value is expected here.');
  return value;
}
