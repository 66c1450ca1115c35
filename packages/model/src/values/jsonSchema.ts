import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import type { Json } from '../types/json.ts';
import { bounded } from './bounded.ts';
import { pythonText } from './pythonText.ts';

const require = createRequire(import.meta.url);

const OPTIONS = { strict: false, validateFormats: false, unicodeRegExp: false, verbose: true };

type Compile = (schema: object) => ValidateFunction;
let compile: Compile | undefined;

/**
 * Loads ajv when the first schema is used: every process loads the models, but hardly any needs a schema when it
 * starts. The meta-schema is compiled here, once.
 */
function loaded(): Compile {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const meta = new Ajv2020(OPTIONS);
  meta.validateSchema({ type: 'object' }, true);
  return (schema) => {
    meta.validateSchema(schema, true);
    return new Ajv2020({ ...OPTIONS, validateSchema: false }).compile(schema);
  };
}

/** How many characters a schema may have as JSON. */
export const MAX_SCHEMA = 100_000;
/** How much of the processor its compilation may take, in milliseconds; a schema of some hundred fields takes a third of it. */
const COMPILE_MS = 150;

/** Schemas that are in use, by their JSON. */
const compiled = new LRUCache<string, ValidateFunction>({
  max: 500,
  maxSize: 4_000_000,
  sizeCalculation: (_, key) => key.length,
});

/**
 * The validator for a schema; undefined for a schema that is too large or takes too long to compile. Schemas come from
 * users, and compiled ones can be far larger than their text. @throws Error for an invalid schema
 */
function checkOf(schema: object, key: string): ValidateFunction | undefined {
  const known = compiled.get(key);
  if (known || key.length > MAX_SCHEMA) return known;
  // Loaded outside of the time limit: what all schemas share must not be stopped half way.
  const make = (compile ??= loaded());
  const made = bounded(`compile ${key}`, () => make(schema), COMPILE_MS);
  if (made) compiled.set(key, made);
  return made;
}

/** Why a JSON value is not a valid JSON schema, or undefined. */
export function whyNoSchema(schema: Json): string | undefined {
  const wrong = 'Invalid JSON schema definition';
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return wrong;
  const key = JSON.stringify(schema);
  if (key.length > MAX_SCHEMA) return `${wrong}: it has more than ${MAX_SCHEMA} characters`;
  try {
    return checkOf(schema, key) ? undefined : `${wrong}: it is too complex to be compiled in time`;
  } catch (error) {
    return `${wrong}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * The first way in which a value breaks a JSON schema, or undefined. The schema is a user's, so it gets limited time.
 */
export function whyUnlike(schema: object, value: Json): string | undefined {
  const key = JSON.stringify(schema);
  const check = checkOf(schema, key);
  const fits = check && bounded(`schema ${key}`, () => check(value));
  if (fits) return undefined;
  if (!check || fits === undefined) return 'value could not be compared in time with the schema';
  const first = check.errors?.at(-1);
  return first
    ? (SAID[first.keyword]?.(first.data as Json, first.schema as Json, first) ??
        `${first.instancePath || 'value'} ${first.message}`)
    : 'value does not fit the schema';
}

const tooFew = (what: Json, least: Json): string =>
  `${pythonText(what)} ${least === 1 ? 'should be non-empty' : 'is too short'}`;
const tooMany = (what: Json, most: Json): string =>
  `${pythonText(what)} ${most === 0 ? 'is expected to be empty' : 'is too long'}`;

/** Messages for the usual keywords, in the words of the reference. */
const SAID: Record<string, (what: Json, wanted: Json, error: ErrorObject) => string> = {
  type: (what, wanted) =>
    `${pythonText(what)} is not of type ${[wanted]
      .flat()
      .map((type) => pythonText(type))
      .join(', ')}`,
  required: (_, __, { params }) => `${pythonText(params['missingProperty'] as string)} is a required property`,
  enum: (what, wanted) => `${pythonText(what)} is not one of ${pythonText(wanted)}`,
  const: (_, wanted) => `${pythonText(wanted)} was expected`,
  minimum: (what, wanted) => `${pythonText(what)} is less than the minimum of ${pythonText(wanted)}`,
  maximum: (what, wanted) => `${pythonText(what)} is greater than the maximum of ${pythonText(wanted)}`,
  exclusiveMinimum: (what, wanted) =>
    `${pythonText(what)} is less than or equal to the minimum of ${pythonText(wanted)}`,
  exclusiveMaximum: (what, wanted) =>
    `${pythonText(what)} is greater than or equal to the maximum of ${pythonText(wanted)}`,
  multipleOf: (what, wanted) => `${pythonText(what)} is not a multiple of ${pythonText(wanted)}`,
  minLength: tooFew,
  minItems: tooFew,
  maxLength: tooMany,
  maxItems: tooMany,
  pattern: (what, wanted) => `${pythonText(what)} does not match ${pythonText(wanted)}`,
  uniqueItems: (what) => `${pythonText(what)} has non-unique elements`,
  additionalProperties: (_, __, { params }) =>
    `Additional properties are not allowed (${pythonText(params['additionalProperty'] as string)} was unexpected)`,
  anyOf: (what) => `${pythonText(what)} is not valid under any of the given schemas`,
};
