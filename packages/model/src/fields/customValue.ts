import { type Json, typeName } from '../types/json.ts';
import { bounded } from '../values/bounded.ts';
import { whyUnlike } from '../values/jsonSchema.ts';
import { momentOf } from './plain/time.ts';

/** What a custom field asks of its values. */
export interface CustomValueRules {
  type: string;
  required: boolean;
  minimum: number | null;
  maximum: number | null;
  regex: string;
  schema: Json;
  choiceSet: { name: string; values: ReadonlySet<string> } | null;
}

const TEXTS = new Set(['text', 'longtext', 'url']);

/**
 * Why a value cannot be one of a custom field, or undefined. Objects are checked for being ids; whether they exist is
 * asked elsewhere.
 */
export function customValueProblem(field: CustomValueRules, value: Json): string | undefined {
  if (value === null || value === '') return field.required ? 'Required field cannot be empty.' : undefined;
  if (TEXTS.has(field.type)) return textProblem(field, value);
  const check = CHECKS[field.type];
  return check?.(field, value);
}

function textProblem({ regex }: CustomValueRules, value: Json): string | undefined {
  if (typeof value !== 'string') return 'Value must be a string.';
  if (!regex) return undefined;
  const pattern = compiled(regex);
  const matches =
    pattern && (isHarmless(regex) ? pattern.test(value) : bounded(`regex ${regex}`, () => pattern.test(value)));
  if (pattern && matches === undefined) return `Value could not be compared in time with regex '${regex}'`;
  return matches ? undefined : `Value must match regex '${regex}'`;
}

/**
 * A pattern that is anchored at the start of the text and has at most one quantifier or alternative cannot backtrack
 * far.
 */
const isHarmless = (regex: string): boolean => (regex.match(/[*+{?|]/g)?.length ?? 0) <= 1;

/**
 * A regular expression that matches from the start of a text, or undefined when it is not one. It has no flag `u`, as
 * the linear engine that takes over on excessive backtracking does not support that flag.
 */
export function compiled(regex: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${regex})`);
  } catch {
    return undefined;
  }
}

const LIMIT = new Intl.NumberFormat('en', { minimumFractionDigits: 4, useGrouping: false });

function limitProblem({ minimum, maximum }: CustomValueRules, value: number): string | undefined {
  if (minimum !== null && value < minimum) return `Value must be at least ${LIMIT.format(minimum)}`;
  if (maximum !== null && value > maximum) return `Value must not exceed ${LIMIT.format(maximum)}`;
  return undefined;
}

const isId = (value: Json): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const CHECKS: Record<string, (field: CustomValueRules, value: Json) => string | undefined> = {
  integer: (field, value) =>
    typeof value === 'number' && Number.isSafeInteger(value) ? limitProblem(field, value) : 'Value must be an integer.',
  decimal: (field, value) => {
    const number = typeof value === 'string' && /^[-+]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number)
      ? limitProblem(field, number)
      : 'Value must be a decimal.';
  },
  boolean: (_, value) =>
    typeof value === 'boolean' || value === 0 || value === 1 ? undefined : 'Value must be true or false.',
  date: (_, value) =>
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && momentOf(value)
      ? undefined
      : 'Date values must be in ISO 8601 format (YYYY-MM-DD).',
  datetime: (_, value) =>
    typeof value === 'string' && momentOf(value)
      ? undefined
      : 'Date and time values must be in ISO 8601 format (YYYY-MM-DD HH:MM:SS).',
  select: ({ choiceSet }, value) =>
    typeof value === 'string' && choiceSet?.values.has(value)
      ? undefined
      : `Invalid choice (${shown(value)}) for choice set ${choiceSet?.name ?? ''}.`,
  multiselect: ({ choiceSet }, value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' && choiceSet?.values.has(item))
      ? undefined
      : `Invalid choice(s) (${shown(value)}) for choice set ${choiceSet?.name ?? ''}.`,
  object: (_, value) => (isId(value) ? undefined : `Value must be an object ID, not ${typeName(value)}`),
  multiobject: (_, value) => {
    if (!Array.isArray(value)) return `Value must be a list of object IDs, not ${typeName(value)}`;
    const wrong = value.find((item) => !isId(item));
    return wrong === undefined ? undefined : `Found invalid object ID: ${shown(wrong)}`;
  },
  json: ({ schema }, value) => {
    const problem = schema !== null && typeof schema === 'object' ? whyUnlike(schema, value) : undefined;
    return problem === undefined ? undefined : `Value does not conform to the assigned schema: ${problem}`;
  },
};
