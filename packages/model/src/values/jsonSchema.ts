import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import { bounded } from './bounded.ts';
import type { Json } from '../fields/field.ts';
import { pythonText } from './pythonText.ts';

const require = createRequire(import.meta.url);

/** Loads ajv with the first schema: every process knows the models, and hardly any meets a schema when it starts. */
function compile(schema: object): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false, verbose: true }).compile(schema);
}

const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/** Why a JSON value is no JSON schema, or undefined. */
export function whyNoSchema(schema: Json): string | undefined {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return 'Invalid JSON schema definition';
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return `Invalid JSON schema definition: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * The first way in which a value breaks a JSON schema, or undefined. The schema is a user's, so it gets limited time.
 */
export function whyUnlike(schema: object, value: Json): string | undefined {
  const key = JSON.stringify(schema);
  let validate = compiled.get(key);
  if (!validate) compiled.set(key, (validate = compile(schema)));
  const check = validate;
  const fits = bounded(`schema ${key}`, () => check(value));
  if (fits) return undefined;
  if (fits === undefined) return 'value could not be compared in time with the schema';
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

/** What is said of the usual ways, in the words of the reference. */
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
