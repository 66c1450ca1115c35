import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Refusal } from '../../core/errors.ts';
import { pageLink, parseQuery, truthy } from './query.ts';

const settings = { paginateCount: 50, maxPageSize: 1000 };
const parse = (search: string) => parseQuery(search, settings);
const refusal = (search: string): unknown => {
  try {
    return parse(search);
  } catch (error) {
    return [(error as Refusal).status, (error as Refusal).body];
  }
};

describe('page', () => {
  test.each([
    ['', 50, 0],
    ['limit=7', 7, 0],
    ['limit=abc', 50, 0],
    ['limit=-1', 50, 0],
    ['limit=0', 1000, 0],
    ['limit=5000', 1000, 0],
    ['limit=1.5', 50, 0],
    ['limit=1e3', 50, 0],
    ['limit=%207%20', 7, 0],
    ['limit=9999999999999999999', 50, 0],
    ['offset=5', 50, 5],
    ['offset=-5', 50, 0],
    ['offset=abc', 50, 0],
    ['offset=999999999999999', 50, 999_999_999_999_999],
    ['offset=99999999999999999999', 50, 0],
    ['start=&offset=5', 50, 5],
  ])('%s', (search, limit, offset) => {
    expect(parse(search).page).toEqual({ mode: 'offset', limit, offset });
  });
  test('has no limit where the greatest size is switched off and 0 is asked for', () => {
    expect(parseQuery('limit=0', { paginateCount: 50, maxPageSize: 0 }).page).toMatchObject({ limit: 0 });
    expect(parseQuery('limit=9999', { paginateCount: 50, maxPageSize: 0 }).page).toMatchObject({ limit: 9999 });
  });
  test('by cursor begins at an id', () => {
    expect([parse('start=0&limit=2').page, parse('start=17').page]).toEqual([
      { mode: 'cursor', limit: 2, start: 0 },
      { mode: 'cursor', limit: 50, start: 17 },
    ]);
  });
  test.each([
    ['start=abc', ["Invalid 'start' parameter: must be a non-negative integer."]],
    ['start=-1', ["Invalid 'start' parameter: must be a non-negative integer."]],
    ['start=0&offset=0', ["'start' and 'offset' are mutually exclusive."]],
    ['start=1&ordering=name', ['Ordering cannot be specified in conjunction with cursor-based pagination.']],
  ])('%s is refused', (search, body) => {
    expect(refusal(search)).toEqual([400, body]);
  });
  test('by cursor takes an empty ordering for none', () => {
    expect(parse('start=1&ordering=').page.mode).toBe('cursor');
  });
});

describe('shape', () => {
  test('names members', () => {
    expect(parse('fields=id,%20name,,&omit=tags&exclude=config_context&ordering=-name,id')).toMatchObject({
      fields: ['id', 'name'],
      omit: ['tags'],
      exclude: ['config_context'],
      ordering: ['-name', 'id'],
      brief: false,
    });
  });
  test('is whole when nothing is said', () => {
    expect(parse('fields=&omit=&ordering=')).toMatchObject({
      fields: null,
      omit: null,
      ordering: null,
      exclude: [],
      brief: false,
    });
  });
  test('is brief for any value', () => {
    expect(['brief=true', 'brief=false', 'brief=0', 'brief='].map((s) => parse(s).brief)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

test('everything else may be a filter, with its values in their order', () => {
  expect(parse('name=b&tag=x&name=a&limit=1&format=json&name__ic=%25&q=').filters).toEqual([
    ['name', ['b', 'a']],
    ['tag', ['x']],
    ['name__ic', ['%']],
    ['q', ['']],
  ]);
  expect(parse('__proto__=1&constructor=2').filters).toEqual([
    ['__proto__', ['1']],
    ['constructor', ['2']],
  ]);
});

test('NUL characters and endless lists of parameters are refused', () => {
  expect(refusal('name=a%00b')).toEqual([400, { name: ['Null characters are not allowed.'] }]);
  expect(refusal('na%00me=a')).toEqual([400, { name: ['Null characters are not allowed.'] }]);
  expect(refusal('a=1&'.repeat(1001))).toEqual([400, { detail: 'A request may have at most 1000 parameters.' }]);
  expect(parse('a=1&'.repeat(1000)).filters).toHaveLength(1);
});

test('no query string is a fault of ours', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (search) => {
      try {
        parse(search);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
  );
});

test('truth of a parameter', () => {
  expect(['true', 'T', 'yes', 'on', '1', 'false', '0', 'maybe', '', null].map(truthy)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

describe('pageLink', () => {
  const link = (search: string, change: Record<string, string | null>) =>
    pageLink('http://h/api/x/', new URLSearchParams(search), change);
  test('keeps the other parameters, sorted by name', () => {
    expect(link('omit=tags,custom_fields&limit=1', { limit: '1', offset: '1' })).toBe(
      'http://h/api/x/?limit=1&offset=1&omit=tags%2Ccustom_fields',
    );
    expect(link('tag=b&tag=a&brief=true', { offset: '50' })).toBe('http://h/api/x/?brief=true&offset=50&tag=b&tag=a');
  });
  test('replaces and removes', () => {
    expect(link('offset=1&limit=1&start=5', { limit: '7', offset: null })).toBe('http://h/api/x/?limit=7&start=5');
  });
  test('is read back as it was meant', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())), (pairs) => {
        const all = new URLSearchParams(pairs);
        const back = new URL(pageLink('http://h/', all, { offset: '5' })).searchParams;
        for (const name of new Set(all.keys()))
          if (name !== 'offset') expect(back.getAll(name)).toEqual(all.getAll(name));
        expect(back.getAll('offset')).toEqual(['5']);
      }),
    );
  });
});
