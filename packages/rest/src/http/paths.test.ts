import { expect, test } from '@jest/globals';
import { pathTable } from './paths.ts';

const table = pathTable([
  ['/a/', 1],
  ['/a/b/', 2],
  ['/a/*/', 3],
  ['/a/*/c/', 4],
  ['/a/b/*/', 5],
]);

test.each([
  ['/a/', 1, []],
  ['/a/b/', 2, []],
  ['/a/x/', 3, ['x']],
  ['/a/x/c/', 4, ['x']],
  ['/a/b/x/', 5, ['x']],
  // What is named comes first, from the left.
  ['/a/b/c/', 5, ['c']],
])('%p is found whole', (path, target, parts) => expect(table.find(path)).toEqual({ target, parts }));

test.each(['/', '/a', '/a//', '/a//c/', '/a/b', '/a/x/d/', '/a/x/c/d/', 'a/'])('%p is not found', (path) =>
  expect(table.find(path)).toBeUndefined(),
);

test.each([
  ['/a/', 1, []],
  ['/a', undefined, []],
  ['/a/b', 1, []],
  ['/a/b/', 2, []],
  ['/a/x/c/d/e', 4, ['x']],
  ['/a/x/d/e', 3, ['x']],
  ['/a//', 1, []],
  ['/b/', undefined, []],
])('%p begins with what is found', (path, target, parts) =>
  expect(table.findPrefix(path)).toEqual(target && { target, parts }),
);

test('the empty path is a path, too', () => expect(pathTable([['', 1]]).find('')).toEqual({ target: 1, parts: [] }));

test('a path stands once in a table', () => {
  expect(() =>
    pathTable([
      ['/a/', 1],
      ['/a/', 2],
    ]),
  ).toThrow('stands twice in the table: /a/');
});
