import { type Json, printRaw } from '../../types/json.ts';
import type { Common, Field } from '../../types/model.ts';
import { fails, type Parsed } from '../../types/parsing.ts';
import { both } from './text.ts';

/** The deepest nesting of free JSON that is stored. */
export const MAX_JSON_DEPTH = 64;

/** Why a JSON value cannot be stored in PostgreSQL, or undefined. */
export function unstorable(value: Json, depth = 0): string | undefined {
  if (depth > MAX_JSON_DEPTH) return `Value must not be nested deeper than ${MAX_JSON_DEPTH} levels.`;
  if (typeof value === 'string') return badText(value);
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, item] of Object.entries(value)) {
    const problem = badText(key) ?? unstorable(item, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

const badText = (text: string): string | undefined =>
  text.includes('\0')
    ? 'Null characters are not allowed.'
    : text.isWellFormed()
      ? undefined
      : 'Surrogate characters are not allowed.';

/**
 * Any JSON. Shape: as written. `check` returns messages for a value that is not accepted; `dictionary` says in the API
 * document that only dictionaries are.
 */
export function json(
  o: Common & { default?: Json; check?: (value: Json) => string[]; notNull?: boolean; dictionary?: true } = {},
): Field {
  const nullable = !o.notNull;
  const required = !o.optional && o.default === undefined && !o.readOnly;
  return {
    kind: 'json',
    column: {
      type: 'jsonb',
      nullable,
      ...(o.default === undefined || o.default === null
        ? {}
        : { default: `'${JSON.stringify(o.default).replaceAll("'", "''")}'` }),
    },
    required,
    nullable,
    readOnly: o.readOnly ?? false,
    writeOnly: o.writeOnly ?? false,
    default: o.default ?? null,
    print: printRaw,
    parse: (value): Parsed => {
      const problem = unstorable(value);
      if (problem) return fails(problem);
      const errors = o.check?.(value) ?? [];
      return errors.length ? { errors } : { value };
    },
    lookups: null,
    metadata: () => ({ type: 'field', required, read_only: o.readOnly ?? false }),
    schema: o.dictionary ? both({ type: 'object', additionalProperties: true }, nullable) : both({}, false),
    ...(o.hidden ? { hidden: true } : {}),
  };
}
