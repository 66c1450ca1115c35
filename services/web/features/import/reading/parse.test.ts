import { expect, test } from '@jest/globals';
import { formatOf, type ImportLimits, parseRows, positionOf, Unreadable } from './parse.ts';

const LIMITS: ImportLimits = { rows: 100, fields: 20, values: 1_000, depth: 10, length: 2_000, size: 20_000 };
const parse = (text: string, format: 'auto' | 'csv' | 'json' | 'yaml' = 'auto', more: Partial<ImportLimits> = {}) =>
  parseRows(text, format, { ...LIMITS, ...more });
const rowsOf = (...given: Parameters<typeof parse>) =>
  parse(...given).rows.map(({ line, values }) => ({ line, values }));
/** Why a text cannot be read, and where. */
function fault(...given: Parameters<typeof parse>): [string, number?, number?] {
  try {
    parse(...given);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { line, column } = error.at;
    return [error.text, ...(line === undefined ? [] : [line]), ...(column === undefined ? [] : [column])] as [string];
  }
  throw new Error('it can be read');
}

test('CSV has a head, quotes and lines', () => {
  expect(rowsOf('name,site\nr1,"a, b"\n\nr2,"c\nd"\nr3,e\n')).toEqual([
    { line: 2, values: { name: 'r1', site: 'a, b' } },
    { line: 4, values: { name: 'r2', site: 'c\nd' } },
    { line: 6, values: { name: 'r3', site: 'e' } },
  ]);
  expect(rowsOf('\uFEFFname;site\nr1;x', 'csv')[0]!.values).toEqual({ name: 'r1', site: 'x' });
  expect(parse('a,b\n1,2').texts).toBe(true);
  expect(rowsOf('', 'csv')).toEqual([]);
});

test('JSON and YAML are objects, or lists of them; their lines are known', () => {
  expect(rowsOf('[\n {"name": "a"},\n {"name": "b", "x": [1]}\n]')).toEqual([
    { line: 2, values: { name: 'a' } },
    { line: 3, values: { name: 'b', x: [1] } },
  ]);
  expect(rowsOf('{"a": {"b": [{"c": 1}]}}')).toEqual([{ line: 1, values: { a: { b: [{ c: 1 }] } } }]);
  expect(rowsOf('---\nname: a\n---\nname: b\n')).toEqual([
    { line: 2, values: { name: 'a' } },
    { line: 4, values: { name: 'b' } },
  ]);
  expect(rowsOf('- name: a\n- name: b\n').map(({ line }) => line)).toEqual([1, 2]);
  expect(rowsOf('---\n---\n- a: 1\n---\n# nothing\n', 'yaml')).toEqual([{ line: 3, values: { a: 1 } }]);
  expect(rowsOf('[]')).toEqual([]);
});

test('every value has its place: its column of a table, or the line and column of its name', () => {
  const csv = parse('\nname, site ,tags\nr1,a,b\n');
  expect(['name', 'site', 'tags', 'other'].map((name) => positionOf(csv.rows[0]!, name))).toEqual([
    { line: 3, column: 1 },
    { line: 3, column: 2 },
    { line: 3, column: 3 },
    { line: 3 },
  ]);
  const json = parse('[{"a": 1,\n  "b": {"c": 2}},\n {"d": 3}]');
  expect(['a', 'b', 'c'].map((name) => positionOf(json.rows[0]!, name))).toEqual([
    { line: 1, column: 3 },
    { line: 2, column: 3 },
    { line: 1 },
  ]);
  const yaml = parse('- a: 1\n  b:\n    c: 2\n- d: 3\n');
  expect(['a', 'b'].map((name) => positionOf(yaml.rows[0]!, name))).toEqual([
    { line: 1, column: 3 },
    { line: 2, column: 3 },
  ]);
  expect(positionOf(parse('{"a": 1}').rows[0]!, 'toString')).toEqual({ line: 1 });
});

test('what lies in a list of a row has its place, too', () => {
  const json = parse('[{"a": [1, {"b": 2},\n {"c": [{"d": 1}], "e": 3}], "f": [{"b": 1}]}]');
  const placesOf = (row: (typeof json.rows)[number], ...names: string[]) => names.map((name) => positionOf(row, name));
  expect(placesOf(json.rows[0]!, 'a.1', 'a.1.b', 'a.2', 'a.2.e', 'f.0.b', 'a.0', 'a.2.d')).toEqual([
    { line: 1, column: 12 },
    { line: 1, column: 13 },
    { line: 2, column: 2 },
    { line: 2, column: 20 },
    { line: 2, column: 37 },
    { line: 1 },
    { line: 1 },
  ]);
  const yaml = parse('a: 1\nports:\n  - name: x\n    type: y\n  - {name: z, bridge: x}\n');
  expect(placesOf(yaml.rows[0]!, 'ports', 'ports.0', 'ports.0.type', 'ports.1.bridge', 'ports.1.type')).toEqual([
    { line: 2, column: 1 },
    { line: 3, column: 5 },
    { line: 4, column: 5 },
    { line: 5, column: 15 },
    { line: 1 },
  ]);
});

test('names are told where they stand first', () => {
  expect([...parse('[{"a": 1},\n{"b": 2, "a": 3}]').columns]).toEqual([
    ['a', { line: 1, column: 3 }],
    ['b', { line: 2, column: 2 }],
  ]);
  expect([...parse('name,site\n').columns]).toEqual([
    ['name', { line: 1, column: 1 }],
    ['site', { line: 1, column: 2 }],
  ]);
  expect([...parse('---\na: 1\n---\nb: 1\n').columns.keys()]).toEqual(['a', 'b']);
});

test('what is none of them says where', () => {
  expect(fault('{"a": ', 'json')).toEqual(['importJsonValue', 1, 7]);
  expect(fault('{"a": 1\n "b": 2}')).toEqual(['importJsonComma', 2, 2]);
  expect(fault('[{"a": 1}] x', 'json')).toEqual(['importMalformed', 1, 12]);
  expect(fault('[\n {"a": 1}, 2]')).toEqual(['importObject', 2, 12]);
  expect(fault('[[{}]]')).toEqual(['importObject', 1, 2]);
  expect(fault('{"a": 1, "a": 2}')).toEqual(['importColumnTwice', 1, 10]);
  expect(fault('[{"b": 1}, {"a": 1e999}]')).toEqual(['importNumber', 1, 18]);
  expect(fault('a,b\n1', 'csv')).toEqual(['importMalformed', 2]);
  expect(fault('a,b,a\n1,2,3', 'csv')).toEqual(['importColumnTwice', 1, 3]);
  expect(fault('- a: 1\n- 1\n', 'yaml')).toEqual(['importObject', 2, 3]);
  expect(fault('a: [1\n', 'yaml')).toEqual(['importMalformed', expect.any(Number), expect.any(Number)]);
  expect(fault('a: 1\nb: .nan\n')).toEqual(['importNumber', 1, 1]);
});

const many = (count: number, one: string, between = ''): string =>
  Array.from({ length: count }, () => one).join(between);

test.each<[string, string, Partial<ImportLimits>, [string, number?, number?]]>([
  ['rows of CSV', `a\n${many(101, '1\n')}`, {}, ['importRows', 102]],
  ['objects of JSON', `[${many(101, '{}', ',')}]`, {}, ['importRows', 1, 302]],
  ['documents', many(150, '---\na: 1\n'), {}, ['importRows', 202, 1]],
  ['items of YAML', many(150, '- a: 1\n'), {}, ['importRows', 102, 2]],
  [
    'items of YAML in brackets',
    `--- [${many(150, '{a: 1}', ', ')}]`,
    {},
    ['importRows', 1, expect.any(Number) as never],
  ],
  ['columns', `${Array.from({ length: 21 }, (_, i) => `c${i}`).join()}\n`, {}, ['importFields', 1]],
  [
    'members',
    `{${Array.from({ length: 21 }, (_, i) => `"c${i}":1`).join()}}`,
    {},
    ['importFields', 1, expect.any(Number) as never],
  ],
  [
    'members inside',
    `{"a":{${Array.from({ length: 21 }, (_, i) => `"c${i}":1`).join()}}}`,
    {},
    ['importFields', 1, expect.any(Number) as never],
  ],
  [
    'members of YAML',
    Array.from({ length: 23 }, (_, i) => `c${i}: 1\n`).join(''),
    {},
    ['importFields', expect.any(Number) as never, expect.any(Number) as never],
  ],
  ['cells', `a,b\n${many(60, '1,2\n')}`, { values: 100 }, ['importValues', 52]],
  [
    'values of JSON',
    `{"a":[${many(200, '1', ',')}]}`,
    { values: 100 },
    ['importValues', 1, expect.any(Number) as never],
  ],
  ['values of YAML', `a: [${many(200, '1', ',')}]`, { values: 100 }, ['importValues', 1, 1]],
  ['levels of JSON', `{"a":${'['.repeat(5_000)}`, {}, ['importDepth', 1, 15]],
  ['levels of YAML', `a: ${'['.repeat(5_000)}`, {}, ['importDepth', 1, expect.any(Number) as never]],
  ['levels of YAML in dashes', '- '.repeat(5_000), {}, ['importDepth', 1, expect.any(Number) as never]],
  ['a cell', `a\n"${'x'.repeat(3_000)}"\n`, {}, ['importLength', 2]],
  ['a cell without an end', `a\n"${'x'.repeat(3_000)}`, {}, ['importLength', 2]],
  ['a head', `${'x'.repeat(3_000)}\n`, {}, ['importLength', 1]],
  ['a text of JSON', `{"a": "${'x'.repeat(3_000)}"}`, {}, ['importLength', 1, 7]],
  ['a name of JSON', `{"${'x'.repeat(3_000)}": 1}`, {}, ['importLength', 1, 2]],
  ['a number of JSON', `{"a": ${'9'.repeat(101)}}`, {}, ['importNumber', 1, 7]],
  ['a text of YAML', `a: ${'x'.repeat(3_000)}`, {}, ['importLength', 1, 1]],
  ['what aliases repeat', `a: &a ${'x'.repeat(1_000)}\nb: [${many(50, '*a', ',')}]`, {}, ['importSize', 1, 1]],
  [
    'aliases of aliases',
    `a: &a [x,x,x,x]\nb: &b [${many(9, '*a', ',')}]\nc: &c [${many(9, '*b', ',')}]\nd: [${many(9, '*c', ',')}]`,
    {},
    ['importMalformed', 1, 1],
  ],
  ['aliases of what they stand in', 'a: &a [*a, *a]', {}, ['importDepth', 1, 1]],
])('too many %s are refused where they begin', (_name, text, more, expected) => {
  expect(fault(text, formatOf(text) === 'csv' && /^(a|---|- |c\d+):/.test(text) ? 'yaml' : 'auto', more)).toEqual(
    expected,
  );
});

test('what comes after the row too many is not read', () => {
  // The rest of each text is malformed, which would be reported if it were read.
  expect(fault(`${many(102, '---\na: 1\n')}---\n[}`)[0]).toBe('importRows');
  expect(fault(`${many(103, '- a: 1\n')}- [}`)[0]).toBe('importRows');
  expect(fault(`[${many(101, '{}', ',')},,]`)[0]).toBe('importRows');
  expect(fault(`a\n${many(101, '1\n')}1,"2`)[0]).toBe('importRows');
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
