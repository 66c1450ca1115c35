import { describe, expect, test } from '@jest/globals';
import { choices, type LookupFamily, lookups } from '@cadastre/model';
import { Binder } from '../../db/sql.ts';
import { compare, type Operand } from './compare.ts';

const operand = (type: string, more: Partial<Operand> = {}): Operand => ({ sql: 't.c', type, array: false, ...more });

/** What a lookup becomes: the condition with what is bound, or the messages. */
function made(family: LookupFamily, suffix: string, values: string[], column: Operand): unknown {
  const binder = new Binder();
  const messages: string[] = [];
  let regexes = 0;
  const sql = compare(column, family, lookups[family][suffix]!, values, {
    binder,
    maxRegexLength: 10,
    fail: (message) => {
      messages.push(message);
    },
    regex: () => {
      regexes++;
    },
  });
  if (messages.length) return { messages };
  return regexes ? { sql, values: binder.values, regexes } : { sql, values: binder.values };
}

const varchar = operand('varchar');
const status = operand('varchar', {
  choices: choices([
    ['a', 'A'],
    ['b', 'B'],
  ]),
});
const grade = operand('smallint', {
  choices: choices([
    [1, 'I'],
    [2, 'II'],
  ]),
});

type Row = [suffix: string, values: string[], sql: string | undefined, bound: unknown[]];

describe('string', () => {
  test.each<Row>([
    ['', ['x', 'y'], 't.c = any($1::text[])', [['x', 'y']]],
    ['n', ['x'], '(t.c = any($1::text[])) is not true', [['x']]],
    ['ic', ['x%', 'y_'], 't.c ilike any($1::text[])', [['%x\\%%', '%y\\_%']]],
    ['nic', ['x'], '(t.c ilike any($1::text[])) is not true', [['%x%']]],
    ['isw', ['x'], 't.c ilike any($1::text[])', [['x%']]],
    ['nisw', ['x'], '(t.c ilike any($1::text[])) is not true', [['x%']]],
    ['iew', ['x'], 't.c ilike any($1::text[])', [['%x']]],
    ['niew', ['x'], '(t.c ilike any($1::text[])) is not true', [['%x']]],
    ['ie', ['a\\b'], 'lower(t.c) = any(array(select lower(v) from unnest($1::text[]) v))', [['a\\b']]],
    ['nie', ['x'], '(lower(t.c) = any(array(select lower(v) from unnest($1::text[]) v))) is not true', [['x']]],
    ['empty', ['true'], "coalesce(t.c::text, '') = ''", []],
    ['empty', ['false'], "not (coalesce(t.c::text, '') = '')", []],
    ['empty', ['false', '1'], "coalesce(t.c::text, '') = ''", []],
    ['', [' x '], 't.c = any($1::text[])', [[' x ']]],
  ])('%s of %j', (suffix, values, sql, bound) => {
    expect(made('string', suffix, values, varchar)).toEqual({ sql, values: bound });
  });

  test('regular expressions are left to PostgreSQL, which tells about wrong ones', () => {
    expect(made('string', 'regex', ['^a', 'b$'], varchar)).toEqual({
      sql: '(t.c ~ $1 or t.c ~ $2)',
      values: ['^a', 'b$'],
      regexes: 1,
    });
    expect(made('string', 'iregex', ['['], varchar)).toEqual({ sql: '(t.c ~* $1)', values: ['['], regexes: 1 });
    expect(made('string', 'regex', ['x'.repeat(10)], varchar)).toMatchObject({ regexes: 1 });
    expect(made('string', 'regex', ['a', 'x'.repeat(11)], varchar)).toEqual({
      messages: ['A regular expression may have at most 10 characters.'],
    });
  });

  test('values never become part of the text', () => {
    for (const suffix of Object.keys(lookups.string).filter((s) => s !== 'empty')) {
      const { sql } = made('string', suffix, ["';drop--"], varchar) as { sql: string };
      expect(sql).not.toContain('drop');
    }
  });
});

describe('choice', () => {
  test.each<Row>([
    ['', ['a', 'b'], 't.c = any($1::text[])', [['a', 'b']]],
    ['n', ['a'], '(t.c = any($1::text[])) is not true', [['a']]],
    ['', ['null'], "coalesce(t.c::text, '') = ''", []],
    ['', ['null', 'a'], "(t.c = any($1::text[]) or coalesce(t.c::text, '') = '')", [['a']]],
    ['n', ['null'], "(coalesce(t.c::text, '') = '') is not true", []],
    ['ic', ['a'], 't.c ilike any($1::text[])', [['%a%']]],
    ['empty', ['1'], "coalesce(t.c::text, '') = ''", []],
  ])('%s of %j', (suffix, values, sql, bound) => {
    expect(made('choice', suffix, values, status)).toEqual({ sql, values: bound });
  });

  test('that is not offered is refused, also beside one that is', () => {
    for (const suffix of ['', 'n', 'ic', 'nisw', 'ie', 'regex'])
      expect(made('choice', suffix, ['a', 'zz'], status)).toEqual({
        messages: ['Select a valid choice. zz is not one of the available choices.'],
      });
    expect(made('choice', '', ['A'], status)).toHaveProperty('messages');
  });

  test.each<Row>([
    ['', ['a', 'b'], 't.c = any($1::text[])', [['b']]],
    ['n', ['b', 'a'], '(t.c = any($1::text[])) is not true', [['a']]],
    ['', ['a', 'null'], "coalesce(t.c::text, '') = ''", []],
    ['ic', ['zz', 'y'], 't.c ilike any($1::text[])', [['%zz%', '%y%']]],
    ['empty', ['1'], "coalesce(t.c::text, '') = ''", []],
  ])('of which one is asked: %s of %j', (suffix, values, sql, bound) => {
    expect(made('oneChoice', suffix, values, status)).toEqual({ sql, values: bound });
  });

  test('of which one is asked must be offered', () => {
    expect(made('oneChoice', '', ['a', 'zz'], status)).toEqual({
      messages: ['Select a valid choice. zz is not one of the available choices.'],
    });
  });

  test('of numbers is compared as a number, and by its digits where texts are asked for', () => {
    expect(made('choice', '', ['1'], grade)).toEqual({ sql: 't.c = any($1::smallint[])', values: [['1']] });
    expect(made('oneChoice', '', ['1', '2'], { ...grade, type: 'integer' })).toEqual({
      sql: 't.c = any($1::integer[])',
      values: [['2']],
    });
    expect(made('choice', 'ic', ['1'], grade)).toEqual({ sql: 't.c::text ilike any($1::text[])', values: [['%1%']] });
    expect(made('choice', 'regex', ['1'], grade)).toMatchObject({ sql: '(t.c::text ~ $1)' });
  });
});

describe('number', () => {
  test.each<Row>([
    ['', ['1', ' -2 '], 't.c = any($1::bigint[])', [['1', '-2']]],
    ['n', ['1'], '(t.c = any($1::bigint[])) is not true', [['1']]],
    ['lt', ['5'], '(t.c < $1::bigint)', ['5']],
    ['lte', ['5'], '(t.c <= $1::bigint)', ['5']],
    ['gt', ['5', '9'], '(t.c > $1::bigint or t.c > $2::bigint)', ['5', '9']],
    ['gte', ['+5'], '(t.c >= $1::bigint)', ['+5']],
    ['empty', ['true'], 't.c is null', []],
    ['empty', ['0'], 'not (t.c is null)', []],
    ['', ['9'.repeat(30)], 't.c = any($1::numeric[])', [['9'.repeat(30)]]],
    ['gt', ['9'.repeat(30)], '(t.c > $1::numeric)', ['9'.repeat(30)]],
  ])('%s of %j', (suffix, values, sql, bound) => {
    expect(made('number', suffix, values, operand('integer'))).toEqual({ sql, values: bound });
  });
  test.each(['', 'n', 'lt', 'lte', 'gt', 'gte'])('%s of what is none', (suffix) => {
    for (const wrong of ['abc', '1.5', '1e3', '0x1', '--1', '9'.repeat(101)])
      expect(made('number', suffix, ['1', wrong], operand('integer'))).toEqual({ messages: ['Enter a whole number.'] });
  });
});

describe('decimal', () => {
  test.each<Row>([
    ['', ['1.50', '.5', '1.'], 't.c = any($1::numeric[])', [['1.50', '.5', '1.']]],
    ['gte', ['-1.5'], '(t.c >= $1::numeric)', ['-1.5']],
    ['empty', ['true'], 't.c is null', []],
  ])('%s of %j', (suffix, values, sql, bound) => {
    expect(made('decimal', suffix, values, operand('numeric'))).toEqual({ sql, values: bound });
  });
  test.each(['x', '.', '1,5', 'NaN', 'Infinity', '1e5'])('%s is none', (wrong) => {
    expect(made('decimal', 'lt', [wrong], operand('numeric'))).toEqual({ messages: ['Enter a number.'] });
  });
});

describe('boolean', () => {
  test.each<Row>([
    ['', ['true'], 't.c is true', []],
    ['', ['FALSE'], 't.c is false', []],
    ['', ['1'], 't.c is true', []],
    ['', ['true', '0'], 't.c is false', []],
    ['', ['maybe'], undefined, []],
  ])('%s of %j', (suffix, values, sql, bound) => {
    expect(made('boolean', suffix, values, operand('boolean'))).toEqual({ sql, values: bound });
  });
});

describe('times', () => {
  const midnight = '2026-01-01T00:00:00.000000+00';
  test.each<[LookupFamily, ...Row]>([
    ['datetime', '', ['2026-01-01'], 't.c = any($1::timestamptz[])', [[midnight]]],
    ['datetime', 'n', ['2026-01-01'], '(t.c = any($1::timestamptz[])) is not true', [[midnight]]],
    ['datetime', 'gte', ['2026-01-01'], '(t.c >= $1::timestamptz)', [midnight]],
    ['datetime', 'empty', ['true'], 't.c is null', []],
    ['instant', 'lte', ['2026-01-01'], '(t.c <= $1::timestamptz)', [midnight]],
  ])('%s %s of %j', (family, suffix, values, sql, bound) => {
    expect(made(family, suffix, values, operand('timestamptz'))).toEqual({ sql, values: bound });
  });
  test('dates', () => {
    expect(made('date', '', ['2026-01-01'], operand('date'))).toEqual({
      sql: 't.c = any($1::date[])',
      values: [['2026-01-01']],
    });
    expect(made('date', 'lt', ['2026-01-01T05:00'], operand('date'))).toEqual({
      sql: '(t.c < $1::date)',
      values: ['2026-01-01'],
    });
    expect(made('date', 'lt', ['2026-02-30'], operand('date'))).toEqual({ messages: ['Enter a valid date.'] });
  });
  test('that are none', () => {
    for (const family of ['datetime', 'instant'] as const)
      for (const wrong of ['bad', '2026-13-01', '2026-01-01T00:00+05:99'])
        expect(made(family, 'gte', [wrong], operand('timestamptz'))).toEqual({
          messages: ['Enter a valid date/time.'],
        });
  });
});

test('uuid', () => {
  const id = '019a0000-0000-7000-8000-000000000001';
  expect(made('uuid', '', [id], operand('uuid'))).toEqual({ sql: 't.c = any($1::uuid[])', values: [[id]] });
  expect(made('uuid', '', ['bad'], operand('uuid'))).toEqual({ messages: ['Enter a valid UUID.'] });
});

test('objectType', () => {
  expect(made('objectType', '', ['town.house'], varchar)).toEqual({
    sql: 't.c = any($1::text[])',
    values: [['town.house']],
  });
  expect(made('objectType', 'n', ['town.house'], varchar)).toEqual({
    sql: '(t.c = any($1::text[])) is not true',
    values: [['town.house']],
  });
});

describe('arrays', () => {
  const types = operand('varchar', { array: true });
  const ports = operand('integer', { array: true });
  test.each<[LookupFamily, Operand, ...Row]>([
    ['objectTypes', types, '', ['a.b'], 't.c && $1::varchar[]', [['a.b']]],
    ['objectTypes', types, 'n', ['a.b'], '(t.c && $1::varchar[]) is not true', [['a.b']]],
    [
      'objectTypes',
      types,
      'ic',
      ['b'],
      'exists (select 1 from unnest(t.c) as item where item ilike any($1::text[]))',
      [['%b%']],
    ],
    [
      'objectTypes',
      types,
      'nie',
      ['b'],
      '(exists (select 1 from unnest(t.c) as item where lower(item) = any(array(select lower(v) from unnest($1::text[]) v)))) is not true',
      [['b']],
    ],
    ['objectTypes', types, 'empty', ['true'], 'coalesce(cardinality(t.c), 0) = 0', []],
    ['objectTypes', types, 'empty', ['false'], 'not (coalesce(cardinality(t.c), 0) = 0)', []],
    ['strings', types, '', ['a'], 't.c && $1::varchar[]', [['a']]],
    ['strings', types, 'n', ['a'], '(t.c && $1::varchar[]) is not true', [['a']]],
    ['numbers', ports, '', ['80', '443'], 't.c && $1::integer[]', [['80', '443']]],
    ['numbers', ports, 'n', ['80'], '(t.c && $1::integer[]) is not true', [['80']]],
    ['numbers', ports, '', ['80', '99999999999'], 't.c && $1::integer[]', [['80']]],
    ['numbers', ports, 'gt', ['80'], 'exists (select 1 from unnest(t.c) as item where (item > $1::bigint))', ['80']],
  ])('%s %# %s of %j', (family, column, suffix, values, sql, bound) => {
    expect(made(family, suffix, values, column)).toEqual({ sql, values: bound });
  });
  test('of numbers hold no texts', () => {
    for (const suffix of ['', 'lt'])
      expect(made('numbers', suffix, ['x'], ports)).toEqual({ messages: ['Enter a whole number.'] });
  });
});

describe('addresses of interfaces', () => {
  test.each<[LookupFamily, string, string[], string, unknown[]]>([
    ['mac', '', ['0011.2233.44ff', 'zz'], 't.c = any($1::macaddr[])', [['00:11:22:33:44:FF']]],
    ['mac', 'n', ['zz'], '(t.c = any($1::macaddr[])) is not true', [[]]],
    ['mac', 'isw', ['00:11'], 't.c::text ilike any($1::text[])', [['00:11%']]],
    ['wwn', '', ['20-01-00-0a-64-00-00-01'], 't.c = any($1::macaddr8[])', [['20:01:00:0A:64:00:00:01']]],
  ])('%s %s of %j', (family, suffix, values, sql, bound) => {
    expect(made(family, suffix, values, operand(family === 'mac' ? 'macaddr' : 'macaddr8'))).toEqual({
      sql,
      values: bound,
    });
  });
});
