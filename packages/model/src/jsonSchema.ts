import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { bounded } from './bounded.ts';
import type { Json } from './field.ts';

const compile = (schema: object): ValidateFunction => new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);

const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/** Why a JSON value is no JSON schema, or undefined. */
export function whyNoSchema(schema: Json): string | undefined {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return 'Invalid JSON schema definition';
  try { compile(schema); return undefined; } catch (error) { return `Invalid JSON schema definition: ${error instanceof Error ? error.message : String(error)}`; }
}

/** The first way in which a value breaks a JSON schema, or undefined. The schema is a user's, so it gets limited time. */
export function whyUnlike(schema: object, value: Json): string | undefined {
  const key = JSON.stringify(schema);
  let validate = compiled.get(key);
  if (!validate) compiled.set(key, (validate = compile(schema)));
  const check = validate, fits = bounded(`schema ${key}`, () => check(value));
  if (fits) return undefined;
  if (fits === undefined) return 'value could not be compared in time with the schema';
  const [first] = check.errors ?? [];
  return `${first?.instancePath || 'value'} ${first?.message ?? 'does not fit the schema'}`;
}
