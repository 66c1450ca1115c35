import { canonicalAddress, type Choice, type Lookup, type LookupFamily, momentOf } from '@cadastre/model';
import { truthy } from '../query/query.ts';
import { type Binder, likeText } from '../../db/sql.ts';
import { regexProblem } from '../../visibility/regex.ts';

/** A column in a statement: its SQL, and the type that values are bound as. */
export interface Operand {
  sql: string;
  type: string;
  array: boolean;
  choices?: readonly Choice[];
}

/** What a comparison needs of the request. */
export interface Comparing {
  binder: Binder;
  maxRegexLength: number;
  maxRegexSize?: number | undefined;
  /** Collects messages by parameter; a parameter with messages has no condition. */
  fail(message: string): void;
  /** Notes that a regular expression is part of the statement: only PostgreSQL can judge its grammar. */
  regex(): void;
}

/** How values are compared with what is there; `empty` looks at no value. */
type Comparison = Exclude<Lookup['compare'], 'empty'>;

/** Comparisons of texts; other columns (numeric choices) are compared by their digits. */
const TEXTS = new Set<Comparison>(['contains', 'startsWith', 'endsWith', 'iexact', 'regex', 'iregex']);

const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/**
 * SQL condition of a lookup on a column, or undefined when the values do not narrow (or are wrong: then `fail` was
 * called).
 */
export function compare(
  operand: Operand,
  family: LookupFamily,
  { compare, negated }: Lookup,
  values: string[],
  context: Comparing,
): string | undefined {
  const positive =
    compare === 'empty'
      ? emptiness(operand, family, values)
      : operand.array
        ? anyItem(operand, family, compare, values, context)
        : one(operand, family, compare, values, context);
  return positive === undefined ? undefined : negated ? `(${positive}) is not true` : positive;
}

function emptiness({ sql, array }: Operand, family: LookupFamily, values: string[]): string {
  const empty = array
    ? `coalesce(cardinality(${sql}), 0) = 0`
    : WORDS.has(family)
      ? `coalesce(${sql}::text, '') = ''`
      : `${sql} is null`;
  return truthy(values.at(-1) ?? null) ? empty : `not (${empty})`;
}

function anyItem(
  operand: Operand,
  family: LookupFamily,
  comparison: Comparison,
  values: string[],
  context: Comparing,
): string | undefined {
  if (comparison === 'exact') {
    const bound = bindAll(operand, family, comparison, values, context);
    return bound && `${operand.sql} && ${bound}`;
  }
  const item = one(
    { ...operand, sql: 'item', array: false },
    family === 'objectTypes' || family === 'strings' ? 'string' : 'number',
    comparison,
    values,
    context,
  );
  return item && `exists (select 1 from unnest(${operand.sql}) as item where ${item})`;
}

function one(
  operand: Operand,
  family: LookupFamily,
  comparison: Comparison,
  values: string[],
  context: Comparing,
): string | undefined {
  if (comparison !== 'exact' && family === 'choice' && !areOffered(operand, values, context)) return undefined;
  const { bind } = context.binder;
  const sql = TEXTS.has(comparison) && !/char|text/.test(operand.type) ? `${operand.sql}::text` : operand.sql;
  switch (comparison) {
    case 'exact':
      return equality(operand, family, comparison, values, context);
    case 'contains':
      return `${sql} ilike any(${bind(values.map((v) => `%${likeText(v)}%`))}::text[])`;
    case 'startsWith':
      return `${sql} ilike any(${bind(values.map((v) => `${likeText(v)}%`))}::text[])`;
    case 'endsWith':
      return `${sql} ilike any(${bind(values.map((v) => `%${likeText(v)}`))}::text[])`;
    // Written so that an index on `lower(…)` can be used.
    case 'iexact':
      return `lower(${sql}) = any(array(select lower(v) from unnest(${bind(values)}::text[]) v))`;
    case 'regex':
    case 'iregex':
      return regex(sql, comparison === 'regex' ? '~' : '~*', values, context);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const parsed = parseAll(family, values, context);
      return parsed?.length
        ? `(${parsed.map((v) => `${sql} ${OPERATORS[comparison]} ${bind(v)}::${numericCast(family, operand, [v])}`).join(' or ')})`
        : undefined;
    }
  }
}

function regex(sql: string, operator: string, values: string[], context: Comparing): string | undefined {
  if (values.some((v) => v.length > context.maxRegexLength))
    return void context.fail(`A regular expression may have at most ${context.maxRegexLength} characters.`);
  const problem = values.map((v) => regexProblem(v, context.maxRegexSize)).find((one) => one !== undefined);
  if (problem !== undefined) return void context.fail(problem);
  context.regex();
  return `(${values.map((v) => `${sql} ${operator} ${context.binder.bind(v)}`).join(' or ')})`;
}

function equality(
  operand: Operand,
  family: LookupFamily,
  comparison: Comparison,
  values: string[],
  context: Comparing,
): string | undefined {
  if (family === 'boolean') {
    const last = values.at(-1)!.toLowerCase();
    const truth = ['true', '1'].includes(last) ? true : ['false', '0'].includes(last) ? false : undefined;
    return truth === undefined ? undefined : `${operand.sql} is ${truth}`;
  }
  if (family === 'oneChoice') return equality(operand, 'choice', comparison, values.slice(-1), context);
  const nulls = family === 'choice' && values.includes('null');
  const rest = nulls ? values.filter((v) => v !== 'null') : values;
  const bound = rest.length ? bindAll(operand, family, comparison, rest, context) : undefined;
  if (!nulls) return bound && `${operand.sql} = any(${bound})`;
  const none = `coalesce(${operand.sql}::text, '') = ''`;
  return bound ? `(${operand.sql} = any(${bound}) or ${none})` : none;
}

/** All values as one bound array of the column's type. */
function bindAll(
  operand: Operand,
  family: LookupFamily,
  comparison: Comparison,
  values: string[],
  context: Comparing,
): string | undefined {
  if (family === 'choice' && comparison === 'exact' && !areOffered(operand, values, context)) return undefined;
  const all = parseAll(family, values, context);
  // Arrays are only comparable with arrays of their own type; a number beyond the range of the type is in no array.
  const parsed =
    operand.array && family === 'numbers'
      ? all?.filter((v) => Math.abs(Number(v)) <= (LARGEST[operand.type] ?? Infinity))
      : all;
  return parsed && `${context.binder.bind(parsed)}::${numericCast(family, operand, parsed)}[]`;
}

/** Whether a field offers the values; if not, `fail` was called. */
function areOffered({ choices }: Operand, values: string[], context: Comparing): boolean {
  const known = choices && new Set(choices.map((c) => String(c.value)));
  const wrong = known && values.find((v) => !known.has(v));
  if (wrong !== undefined) context.fail(`Select a valid choice. ${wrong} is not one of the available choices.`);
  return wrong === undefined;
}

/** Values as text that PostgreSQL reads as the family's type; undefined after `fail`. */
function parseAll(family: LookupFamily, values: string[], context: Comparing): string[] | undefined {
  const parsed: string[] = [];
  for (const value of values) {
    const read = parseOne(family, value.trim());
    // A text that is not an address matches no interface; it is not an error.
    if (read === undefined && (family === 'mac' || family === 'wwn')) continue;
    if (read === undefined) return void context.fail(MESSAGES[family] ?? 'Enter a valid value.');
    parsed.push(WORDS.has(family) ? value : read);
  }
  return parsed;
}

const MESSAGES: Partial<Record<LookupFamily, string>> = {
  number: 'Enter a whole number.',
  numbers: 'Enter a whole number.',
  decimal: 'Enter a number.',
  datetime: 'Enter a valid date/time.',
  instant: 'Enter a valid date/time.',
  date: 'Enter a valid date.',
  uuid: 'Enter a valid UUID.',
};

function parseOne(family: LookupFamily, value: string): string | undefined {
  switch (family) {
    case 'number':
    case 'numbers':
      return /^[-+]?\d{1,100}$/.test(value) ? value : undefined;
    case 'decimal':
      return /^[-+]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})$/.test(value) ? value : undefined;
    case 'datetime':
    case 'instant':
      return momentOf(value);
    case 'date':
      return momentOf(value)?.slice(0, 10);
    case 'uuid':
      return /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value) ? value : undefined;
    case 'mac':
      return canonicalAddress(value, 6);
    case 'wwn':
      return canonicalAddress(value, 8);
    default:
      return value;
  }
}

/** Numbers too large for the column's type are compared as numeric: they match nothing, and are not an error. */
function numericCast(family: LookupFamily, operand: Operand, values: string[]): string {
  // Choices may be numbers; what is offered has its place in the column.
  if (TEXTUAL.has(family)) return operand.array || operand.type in LARGEST ? operand.type : 'text';
  if (family === 'numbers' && operand.array) return operand.type;
  if (family === 'number' || family === 'numbers') return values.every((v) => v.length < 18) ? 'bigint' : 'numeric';
  if (family === 'decimal') return 'numeric';
  return operand.type;
}

const LARGEST: Record<string, number> = { smallint: 32_767, integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER };

/** Families whose values are compared as they are given. */
const WORDS = new Set<LookupFamily>(['string', 'choice', 'oneChoice']);
const TEXTUAL = new Set<LookupFamily>([...WORDS, 'objectType', 'objectTypes', 'strings']);
