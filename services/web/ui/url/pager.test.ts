import { describe, expect, test } from '@jest/globals';
import { pageQuery, pager } from './pager.ts';

const list = (count: number, length: number) => ({ count, results: Array.from({ length }, () => ({})) });
const at = (query: string, count = 120, length = 50) => pager(list(count, length), '/a/b/', new URLSearchParams(query));

describe('the way between the pages of a list', () => {
  test('keeps filters and order', () => {
    const { from, to, count, previous, next } = at('site=1&ordering=-name&limit=50&offset=50');
    expect([from, to, count]).toEqual([51, 100, 120]);
    expect(previous).toBe('/a/b/?site=1&ordering=-name&limit=50');
    expect(next).toBe('/a/b/?site=1&ordering=-name&limit=50&offset=100');
  });

  test('ends where the list ends', () => {
    expect(at('', 50)).toMatchObject({ from: 1, to: 50, previous: undefined, next: undefined });
    expect(at('', 0, 0)).toMatchObject({ from: 0, to: 0, count: 0 });
    expect(at('offset=100', 120, 20).next).toBeUndefined();
  });

  test('understands what bookmarks have', () => {
    expect(String(pageQuery(new URLSearchParams('page=3&per_page=25&site=1')))).toBe('site=1&limit=25&offset=50');
    expect(at('page=2&per_page=25', 120, 25)).toMatchObject({
      from: 26,
      previous: expect.not.stringMatching(/[?&]page=/),
    });
  });

  test('asks for a page of the usual size where an address says nonsense', () => {
    for (const query of ['limit=-1', 'limit=x', 'limit=0', 'page=0', 'offset=-5', 'page=x', ''])
      expect(String(pageQuery(new URLSearchParams(query)))).toMatch(/^limit=50$/);
  });

  test('shows as many objects as somebody prefers, unless the address says how many', () => {
    expect(String(pageQuery(new URLSearchParams('page=2'), 25))).toBe('limit=25&offset=25');
    expect(String(pageQuery(new URLSearchParams('limit=100'), 25))).toBe('limit=100');
    expect(pager(list(60, 25), '/a/', new URLSearchParams('offset=25'), 25).next).toBe('/a/?offset=50');
  });

  test('says nothing to the API of what is about the page alone', () => {
    expect(String(pageQuery(new URLSearchParams('columns=name,site&q=a')))).toBe('q=a&limit=50');
  });
});
