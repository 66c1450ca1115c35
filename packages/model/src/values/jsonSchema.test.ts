import { expect, test } from '@jest/globals';
import type { Json } from '../types/json.ts';
import { MAX_SCHEMA, whyNoSchema, whyUnlike } from './jsonSchema.ts';

test.each([[null], [1], ['x'], [[]]])('%j is no schema', (value) => {
  expect(whyNoSchema(value)).toBe('Invalid JSON schema definition');
});

test('a schema must compile', () => {
  expect(whyNoSchema({ type: 'object', properties: { speed: { type: 'integer' } } })).toBeUndefined();
  expect(whyNoSchema({ type: 'nothing' })).toMatch(/^Invalid JSON schema definition: schema is invalid/);
  expect(whyNoSchema({ $ref: 'https://example.com/schema.json' })).toMatch(
    /^Invalid JSON schema definition: can't resolve reference/,
  );
});

test('a value is told how it breaks a schema', () => {
  const schema = { type: 'object', properties: { speed: { type: 'integer' } }, required: ['speed'] };
  expect(whyUnlike(schema, { speed: 10 })).toBeUndefined();
  expect(whyUnlike(schema, { speed: 'x' })).toBe("'x' is not of type 'integer'");
  expect(whyUnlike(schema, {})).toBe("'speed' is a required property");
});

test.each([
  [{ enum: ['a', 2] }, 'b', "'b' is not one of ['a', 2]"],
  [{ const: 'a' }, 'b', "'a' was expected"],
  [{ minimum: 3 }, 2, '2 is less than the minimum of 3'],
  [{ exclusiveMaximum: 3 }, 3, '3 is greater than or equal to the maximum of 3'],
  [{ minLength: 1 }, '', "'' should be non-empty"],
  [{ maxItems: 1 }, [1, 2], '[1, 2] is too long'],
  [{ pattern: '^b' }, 'a', "'a' does not match '^b'"],
  [{ additionalProperties: false }, { x: 1 }, "Additional properties are not allowed ('x' was unexpected)"],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, '1 is not valid under any of the given schemas'],
  [{ type: ['string', 'null'] }, true, "True is not of type 'string', 'null'"],
  [{ minProperties: 1 }, {}, 'value must NOT have fewer than 1 properties'],
])('%j does not fit %j: %s', (schema, value, message) => {
  expect(whyUnlike(schema, value)).toBe(message);
});

test('a schema that never comes to an end is stopped', () => {
  expect(whyUnlike({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).toBe(
    'value could not be compared in time with the schema',
  );
});

/** A schema with this many copies of a part that takes long to compile for its size. */
const laborious = (parts: number): { [name: string]: Json } => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: parts }, (_, i): [string, Json] => [
      `p${i}`,
      {
        anyOf: [
          { type: 'string', pattern: `a${i}` },
          { type: 'object', properties: { a: { type: 'string' } } },
        ],
      },
    ]),
  ),
});

test('the compilation of a schema is stopped when it takes too long, whatever the schema', () => {
  const before = process.threadCpuUsage();
  const hard = laborious(700);
  expect(JSON.stringify(hard).length).toBeLessThan(MAX_SCHEMA);
  expect(whyNoSchema(hard)).toBe('Invalid JSON schema definition: it is too complex to be compiled in time');
  expect(whyUnlike(hard, {})).toBe('value could not be compared in time with the schema');
  const { user, system } = process.threadCpuUsage(before);
  // Without the limit it takes seconds of the processor.
  expect((user + system) / 1_000).toBeLessThan(1_000);
  expect(whyNoSchema(laborious(10))).toBeUndefined();
});

test('a schema that is too large is not looked at', () => {
  const large = { description: 'x'.repeat(MAX_SCHEMA) };
  expect(whyNoSchema(large)).toBe(`Invalid JSON schema definition: it has more than ${MAX_SCHEMA} characters`);
  expect(whyUnlike(large, {})).toBe('value could not be compared in time with the schema');
});
