import { expect, test } from '@jest/globals';
import { json, keyed, model, text } from '@cadastre/model';
import { Binder } from '../../db/sql.ts';
import { keyedCondition, keyedFilterNamed } from './keyed.ts';

const { filters } = model('town.tool', {
  path: 'tools',
  label: 'tool',
  brief: ['name'],
  fields: { name: text({ max: 9 }), traits: json({ optional: true }) },
  filters: { attr_: keyed('traits') },
});

function made(parameter: string, ...values: string[]) {
  const binder = new Binder();
  const failed: string[] = [];
  const found = keyedFilterNamed(filters, parameter);
  const sql =
    found &&
    keyedCondition(found, values, {
      binder,
      maxRegexLength: 9,
      fail: (message) => {
        failed.push(message);
      },
      regex: () => undefined,
    });
  return failed.length ? failed : sql && [sql, binder.values];
}

test('a member of a JSON column is compared as text', () => {
  expect(made('attr_kind', 'a', 'b')).toEqual(['(t."traits" ->> $1) = any($2::text[])', ['kind', ['a', 'b']]]);
  expect(made('attr_kind__ic', 'a')).toEqual(['(t."traits" ->> $1) ilike any($2::text[])', ['kind', ['%a%']]]);
  expect(made('attr_kind__n', 'a')).toEqual(['((t."traits" ->> $1) = any($2::text[])) is not true', ['kind', ['a']]]);
});

test('or as a number', () => {
  expect(made('attr_speed', '2.0', 'fast')).toEqual([
    '(t."traits" ->> $1) = any($2::text[])',
    ['speed', ['2.0', '2', 'fast']],
  ]);
  expect(made('attr_speed__n', '+2')).toEqual([
    '((t."traits" ->> $1) = any($2::text[])) is not true',
    ['speed', ['+2', '2']],
  ]);
  expect(made('attr_speed__ic', '2.0')).toEqual(['(t."traits" ->> $1) ilike any($2::text[])', ['speed', ['%2.0%']]]);
  expect(made('attr_speed__gte', '10')).toEqual([
    `((case jsonb_typeof(t."traits" -> $1) when 'number' then (t."traits" ->> $1)::numeric end) >= $2::numeric)`,
    ['speed', '10'],
  ]);
  expect(made('attr_speed__gte', 'fast')).toEqual(['Enter a number.']);
});

test('a key may look like a lookup, or like what objects inherit', () => {
  expect(made('attr_a__b', '1')).toEqual(['(t."traits" ->> $1) = any($2::text[])', ['a__b', ['1']]]);
  expect(made('attr_x__constructor', '1')).toMatchObject([expect.any(String), ['x__constructor', ['1']]]);
  expect([made('attr_', '1'), made('other_x', '1')]).toEqual([undefined, undefined]);
});
