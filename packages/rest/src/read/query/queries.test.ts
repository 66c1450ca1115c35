import { expect, test } from '@jest/globals';
import { Queries } from './queries.ts';

const settings = { paginateCount: 50, maxPageSize: 1000 };

test('the same text is sorted out once, another one by itself', () => {
  const queries = new Queries(settings);
  const first = queries.of('name=a&limit=2');
  expect(first.page).toEqual({ mode: 'offset', limit: 2, offset: 0 });
  expect(queries.of('name=a&limit=2')).toBe(first);
  expect(queries.of('name=b&limit=2').filters).toEqual([['name', ['b']]]);
});

test('what is refused is refused again', () => {
  const queries = new Queries(settings);
  for (let i = 0; i < 2; i += 1) expect(() => queries.of('start=1&offset=2')).toThrow();
});

test('a long text is not kept, and 500 are', () => {
  const queries = new Queries(settings);
  const long = `name=${'a'.repeat(1_000)}`;
  expect(queries.of(long)).not.toBe(queries.of(long));
  const first = queries.of('name=0');
  for (let i = 1; i < 500; i += 1) queries.of(`name=${i}`);
  expect(queries.of('name=0')).toBe(first);
  for (let i = 500; i < 1_000; i += 1) queries.of(`name=${i}`);
  expect(queries.of('name=0')).not.toBe(first);
});
