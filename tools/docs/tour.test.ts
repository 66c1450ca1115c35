import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const docs = resolve(import.meta.dirname, '../../docs');
const tour = readFileSync(resolve(docs, 'tour.md'), 'utf8');

/** Links, each with the name in code that follows it directly, if any. */
const stops = [...tour.matchAll(/\]\(([^)]+)\)(?:\s+`(\w+)`)?/g)].map(
  ([, path, name]): [string, string | undefined] => [path!, name],
);

test.each(stops)('%s is there, with %s', (path, name) => {
  expect(existsSync(resolve(docs, path))).toBe(true);
  if (name) expect(readFileSync(resolve(docs, path), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
});

/** The files that the tour in a list leads through. */
const ofList = tour.slice(tour.indexOf('## GET of a list'), tour.indexOf('## POST'));

test('a list is read through 18 files at most: one more is a file that a reader has to open', () => {
  const files = new Set([...ofList.matchAll(/\]\((\.\.\/[^)]+\.ts)\)/g)].map(([, path]) => path));
  expect(files.size).toBeGreaterThan(10);
  expect(files.size).toBeLessThanOrEqual(18);
});
