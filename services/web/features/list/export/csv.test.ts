import { expect, test } from '@jest/globals';
import { columnsOf, csvLine } from './csv.ts';
import { escapeFormula } from '../../import/reading/formula.ts';

const object = {
  id: 7,
  url: 'http://x/api/dcim/sites/7/',
  display: 'Berlin',
  name: 'Berlin, "west"',
  status: { value: 'active', label: 'Active' },
  region: { id: 1, url: 'y', display: 'Europe (1)', name: 'Europe', slug: 'europe' },
  tags: [
    { id: 1, display: 'A', slug: 'a' },
    { id: 2, display: 'B', slug: 'b' },
  ],
  parent: null,
  enabled: false,
  custom_fields: { floor: 3, note: '=1+1' },
};

test('the columns are the members, with each custom field', () => {
  expect(columnsOf(object)).toEqual([
    'id',
    'display',
    'name',
    'status',
    'region',
    'tags',
    'parent',
    'enabled',
    'cf_floor',
    'cf_note',
  ]);
});

test('a line has values by which objects and choices are known', () => {
  expect(csvLine(columnsOf(object), object)).toBe(`7,Berlin,"Berlin, ""west""",active,europe,"a,b",,false,3,'=1+1\n`);
  expect(csvLine(['name', 'cf_x'], undefined)).toBe('name,cf_x\n');
});

test.each([
  ['=HYPERLINK("x")', `'=HYPERLINK("x")`],
  ['@sum', `'@sum`],
  ['-cmd', `'-cmd`],
  ['+1-2', `'+1-2`],
  ['\t=1', `'\t=1`],
  ['-52.5', '-52.5'],
  ['+49', '+49'],
  ['a=b', 'a=b'],
])('%j is %j in a cell', (given, safe) => {
  expect(escapeFormula(given)).toBe(safe);
});
