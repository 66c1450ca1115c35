import { expect, test } from '@jest/globals';
import type { Dict } from '@cadastre/model';
import { merged } from './config.ts';

test.each<[Dict, Dict, Dict]>([
  [{}, { a: 1 }, { a: 1 }],
  [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
  [{ a: { b: 1 } }, { a: 2 }, { a: 2 }],
  [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: null } }, { a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }],
  [{ a: 1 }, { a: null }, { a: null }],
])('%j with %j', (there, given, result) => {
  expect(JSON.parse(JSON.stringify(merged(there, given)))).toEqual(result);
});

test('a member called like what every object inherits is one like others', () => {
  const given = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"x": 1}}}') as Dict;
  expect(JSON.stringify(merged({}, given))).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
