import { expect, test } from '@jest/globals';
import { formatOf, parseRows, Unreadable } from './parse.ts';

test('CSV has a head, quotes and lines', () => {
  expect(parseRows('name,site\nr1,"a, b"\n\nr2,"c\nd"\n', 'auto')).toEqual({
    texts: true,
    rows: [
      { line: 2, values: { name: 'r1', site: 'a, b' } },
      { line: 5, values: { name: 'r2', site: 'c\nd' } },
    ],
  });
  expect(parseRows('\uFEFFname;site\nr1;x', 'csv').rows[0]!.values).toEqual({ name: 'r1', site: 'x' });
});

test('JSON and YAML are objects, or lists of them; their lines are known', () => {
  expect(parseRows('[\n {"name": "a"},\n {"name": "b", "x": [1]}\n]', 'auto').rows).toEqual([
    { line: 2, values: { name: 'a' } },
    { line: 3, values: { name: 'b', x: [1] } },
  ]);
  expect(parseRows('---\nname: a\n---\nname: b\n', 'auto').rows).toEqual([
    { line: 2, values: { name: 'a' } },
    { line: 4, values: { name: 'b' } },
  ]);
  expect(parseRows('- name: a\n- name: b\n', 'auto').rows.map(({ line }) => line)).toEqual([1, 2]);
});

test('what is none of them says where', () => {
  expect(() => parseRows('{"a": ', 'json')).toThrow(Unreadable);
  expect(() => parseRows('a,b\n1', 'csv')).toThrow(expect.objectContaining({ line: 2 }) as unknown as Error);
  expect(() => parseRows('- 1\n', 'yaml')).toThrow(expect.objectContaining({ line: 1 }) as unknown as Error);
  expect(() => parseRows('a: [1\n', 'yaml')).toThrow(Unreadable);
});

test('formats are told by how a text begins', () => {
  expect(['{}', ' [', '---\na: 1', 'manufacturer: X', 'name,site', 'name'].map(formatOf)).toEqual([
    'json',
    'json',
    'yaml',
    'yaml',
    'csv',
    'csv',
  ]);
});
