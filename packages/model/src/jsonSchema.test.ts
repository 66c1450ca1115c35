import { expect, test } from '@jest/globals';
import { whyNoSchema, whyUnlike } from './jsonSchema.ts';

test.each([[null], [1], ['x'], [[]]])('%j is no schema', (value) => { expect(whyNoSchema(value)).toBe('Invalid JSON schema definition'); });

test('a schema must compile', () => {
  expect(whyNoSchema({ type: 'object', properties: { speed: { type: 'integer' } } })).toBeUndefined();
  expect(whyNoSchema({ type: 'nothing' })).toMatch(/^Invalid JSON schema definition: schema is invalid/);
  expect(whyNoSchema({ $ref: 'https://example.com/schema.json' })).toMatch(/^Invalid JSON schema definition: can't resolve reference/);
});

test('a value is told how it breaks a schema', () => {
  const schema = { type: 'object', properties: { speed: { type: 'integer' } }, required: ['speed'] };
  expect(whyUnlike(schema, { speed: 10 })).toBeUndefined();
  expect(whyUnlike(schema, { speed: 'x' })).toBe('/speed must be integer');
  expect(whyUnlike(schema, {})).toBe("value must have required property 'speed'");
});

test('a schema that never comes to an end is stopped', () => {
  expect(whyUnlike({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).toBe('value could not be compared in time with the schema');
});
