import { expect, test } from '@jest/globals';
import { configContext, localContextData, merge, mergedText } from './configContextField.ts';

const texts = (...data: unknown[]) => data.map((one) => [JSON.stringify(one)]);

test('dictionaries are merged, lists and all else are replaced', () => {
  expect(
    JSON.parse(
      mergedText(
        texts(
          { a: 1, ntp: { servers: [1, 2], key: 'x', deep: { p: 1 } } },
          { b: 2, ntp: { servers: [3], deep: { q: 2 } } },
          { a: null },
        ),
      ),
    ),
  ).toEqual({ a: null, b: 2, ntp: { servers: [3], key: 'x', deep: { p: 1, q: 2 } } });
  expect(JSON.parse(mergedText(texts({ a: { b: 1 } }, { a: 2 }, { a: { c: 3 } })))).toEqual({ a: { c: 3 } });
  expect([mergedText([]), mergedText([[null]]), mergedText(texts([1], 'x'))]).toEqual(['{}', '{}', '{}']);
});

test('merging changes neither of both, and no name is special', () => {
  const [first, second] = [{ a: { b: 1 } }, { a: { c: 2 } }];
  expect(JSON.parse(JSON.stringify(merge(first, second)))).toEqual({ a: { b: 1, c: 2 } });
  expect([first, second]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }]);
  expect(mergedText([['{"__proto__": {"polluted": 1}}'], ['{"__proto__": {"more": 2}, "constructor": 3}']])).toBe(
    '{"__proto__":{"polluted":1,"more":2},"constructor":3}',
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('data of an object is a dictionary', () => {
  const parse = (value: unknown) => localContextData().parse!(value as never, { knowsObjectType: () => true });
  expect(parse({ a: 1 })).toEqual({ value: { a: 1 } });
  for (const wrong of [[], 'x', 1, true])
    expect(parse(wrong)).toEqual({ errors: ['JSON data must be in object form. Example: {"foo": 123}'] });
});

test('assignments that a type does not have are met by no object of it', () => {
  const sqlOf = (field: ReturnType<typeof configContext>) =>
    field.batched!.sql({ tableOf: (type) => type, has: () => true, typeId: () => 1 });
  expect(sqlOf(configContext('a.machine'))).toContain("c.locations = '{}' and c.device_types = '{}'");
  expect(sqlOf(configContext('a.device', { locations: 'location_id', device_types: 'device_type_id' }))).toContain(
    "(c.locations = '{}' or t.location_id = any(c.locations))",
  );
});
