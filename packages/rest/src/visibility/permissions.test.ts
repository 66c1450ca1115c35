import { describe, expect, test } from '@jest/globals';
import type { Json } from '@cadastre/model';
import { Binder } from '../db/sql.ts';
import { catalogue, district, house, person, room, superuser, tables, user } from '../testing/town.ts';
import { attributesSql, checkConstraint, ConstraintError, constraintSql, UnfitValue } from './permissions.ts';
import { allowed, type Constraint } from '../core/requester.ts';

const sqlOf = (attributes: Constraint, model = house) => {
  const binder = new Binder();
  return [attributesSql(tables, model, Object.entries(attributes), binder), binder.values];
};

test('what a user may do', () => {
  const { grants } = user({ 'view town.house': null, 'change town.house': [{ name: 'x' }] });
  expect([
    allowed(grants, 'view', 'town.house'),
    allowed(grants, 'change', 'town.house'),
    allowed(grants, 'delete', 'town.house'),
    allowed(grants, 'view', 'town.room'),
  ]).toEqual([null, [{ name: 'x' }], false, false]);
  expect(allowed(superuser.grants, 'delete', 'town.house')).toBeNull();
});

describe('lookups', () => {
  test.each<[string, Json, string, unknown[]]>([
    ['name', 'x', '(t."name" = $1::text)', ['x']],
    ['name__exact', 'x', '(t."name" = $1::text)', ['x']],
    ['name', null, '(t."name" is null)', []],
    ['name__iexact', 'a%', '(t."name"::text ilike $1)', ['a\\%']],
    ['name__contains', 'a_', '(t."name"::text like $1)', ['%a\\_%']],
    ['name__icontains', 'a', '(t."name"::text ilike $1)', ['%a%']],
    ['name__startswith', 'a', '(t."name"::text like $1)', ['a%']],
    ['name__istartswith', 'a', '(t."name"::text ilike $1)', ['a%']],
    ['name__endswith', 'a', '(t."name"::text like $1)', ['%a']],
    ['name__iendswith', 'a', '(t."name"::text ilike $1)', ['%a']],
    ['name__in', ['a', 'b'], '(t."name" = any($1::text[]))', [['a', 'b']]],
    ['name__in', 'a', '(t."name" = any($1::text[]))', [['a']]],
    ['floors__gt', 1, '(t."floors" > $1::bigint)', ['1']],
    ['floors__gte', '1', '(t."floors" >= $1::bigint)', ['1']],
    ['floors__lt', 1, '(t."floors" < $1::bigint)', ['1']],
    ['floors__lte', 1, '(t."floors" <= $1::bigint)', ['1']],
    ['floors__range', [1, 5], '(t."floors" between $1::bigint and $2::bigint)', ['1', '5']],
    ['floors__isnull', true, '(t."floors" is null)', []],
    ['floors__isnull', false, '(t."floors" is not null)', []],
    ['name__regex', '^a', '(t."name"::text ~ $1)', ['^a']],
    ['name__iregex', '^a', '(t."name"::text ~* $1)', ['^a']],
    ['id', 5, '(t.id = $1::bigint)', ['5']],
    ['pk__in', [1, 2], '(t.id = any($1::bigint[]))', [['1', '2']]],
    ['height', 1.5, '(t."height" = $1::numeric)', ['1.5']],
    ['listed', 'false', '(t."listed" = $1::boolean)', [false]],
    ['built__gte', '2026-01-01', '(t."built" >= $1::date)', ['2026-01-01']],
  ])('%s of %j', (lookup, value, sql, bound) => {
    expect(sqlOf({ [lookup]: value })).toEqual([sql, bound]);
  });
});

describe('over relations', () => {
  test.each<[string, Json, string, unknown[]]>([
    ['district', 5, '(t."district_id" = $1::bigint)', ['5']],
    ['district_id', 5, '(t."district_id" = $1::bigint)', ['5']],
    ['district__in', [1, 2], '(t."district_id" = any($1::bigint[]))', [['1', '2']]],
    ['district__isnull', true, '(t."district_id" is null)', []],
    [
      'district__slug',
      'x',
      '(t."district_id" in (select t1.id from "town_district" t1 where t1."slug" = $1::text))',
      ['x'],
    ],
    [
      'keeper__group__slug__in',
      ['a'],
      '(t."keeper_id" in (select t1.id from replica."people_person" t1 where t1."group_id" in (select t12.id from replica."people_group" t12 where t12."slug" = any($1::text[]))))',
      [['a']],
    ],
    [
      'guests__name',
      'x',
      '(t."guests" && array(select t1.id from replica."people_person" t1 where t1."name" = $1::text))',
      ['x'],
    ],
    ['guests', 5, '(t."guests" && $1::bigint[])', [['5']]],
    ['guests__in', [1, 2], '(t."guests" && $1::bigint[])', [['1', '2']]],
    ['guests__isnull', true, '(cardinality(t."guests") = 0)', []],
    ['guests__isnull', false, '(cardinality(t."guests") > 0)', []],
    [
      'tags__slug',
      'x',
      '(t."tags" && array(select t1.id from replica."extras_tag" t1 where t1."slug" = $1::text))',
      ['x'],
    ],
  ])('%s of %j', (lookup, value, sql, bound) => {
    expect(sqlOf({ [lookup]: value })).toEqual([sql, bound]);
  });
});

test('inside JSON, the way there is bound too', () => {
  expect(sqlOf({ custom_fields__tier: 'gold' })).toEqual([
    '((t."custom_fields" #>> $1::text[]) = $2::text)',
    [['tier'], 'gold'],
  ]);
  expect(sqlOf({ notes__a__b__icontains: 5 })).toEqual([
    '((t."notes" #>> $1::text[])::text ilike $2)',
    [['a', 'b'], '%5%'],
  ]);
});

test('in arrays', () => {
  expect(sqlOf({ kinds: 'town.house' })).toEqual(['(t."kinds"::text[] @> $1::text[])', [['town.house']]]);
  expect(sqlOf({ ports__overlap: [80, 443] })).toEqual(['(t."ports"::bigint[] && $1::bigint[])', [['80', '443']]]);
  expect(() => sqlOf({ ports__icontains: 8 })).toThrow("Unsupported lookup 'icontains' for ports.");
});

test('all attributes must hold; none at all hold for everything', () => {
  expect(sqlOf({ name: 'x', floors: 2 })).toEqual(['(t."name" = $1::text and t."floors" = $2::bigint)', ['x', '2']]);
  expect(sqlOf({})).toEqual(['true', []]);
});

describe('nothing that a client names becomes part of the text', () => {
  const evil = 'x" = 1 or 1=1; drop table town_house; --';
  test('as a value', () => {
    for (const operator of ['exact', 'iexact', 'contains', 'startswith', 'iendswith', 'in', 'regex', 'gt', 'range']) {
      const [sql, values] = sqlOf({ [`name__${operator}`]: operator === 'range' ? [evil, evil] : evil }) as [
        string,
        unknown[],
      ];
      expect(sql).not.toContain('drop');
      expect(JSON.stringify(values)).toContain('drop');
    }
    expect(sqlOf({ [`notes__${evil}`]: evil })[0]).not.toContain('drop');
  });
  test('as a name', () => {
    for (const name of [
      evil,
      `name__${evil}`,
      `district__${evil}`,
      `${evil}__slug`,
      `guests__${evil}`,
      'constructor',
      '__proto__',
      'toString',
      '',
      '__',
    ])
      expect(() => sqlOf({ [name]: 1 })).toThrow(ConstraintError);
  });
});

describe('what cannot be asked is an error', () => {
  test.each<[string, RegExp]>([
    ['bogus', /Cannot resolve keyword 'bogus' into field/],
    ['room_count', /Cannot resolve keyword 'room_count'/],
    ['district__bogus', /'bogus'/],
    ['name__bogus', /Unsupported lookup 'bogus'/],
    ['name__exact__exact', /Unsupported lookup/],
    ['id__bogus', /Unsupported lookup/],
    // Of other services' objects only some columns are here.
    ['keeper__biography', /Cannot resolve keyword 'biography'/],
    ['stranger__name', /Unsupported lookup 'name' for stranger/],
    ['name_id', /Cannot resolve keyword/],
  ])('%s', (lookup, message) => {
    expect(() => sqlOf({ [lookup]: 'x' })).toThrow(message);
  });
  test("secrets are none of anybody's business, here or at the end of a path", () => {
    for (const lookup of ['key', 'key__startswith', 'keeper__pin', 'keeper__pin__regex'])
      expect(() => sqlOf({ [lookup]: 'x' })).toThrow(/Cannot resolve keyword/);
  });
  test.each<[string, Json]>([
    ['floors', 'x'],
    ['id', 'x'],
    ['id', [1]],
    ['district', 'x'],
    ['guests', ['x']],
    ['built', 'x'],
    ['listed', 'maybe'],
    ['name', 'a\0b'],
    ['name__icontains', 'a\0b'],
    ['name', ['x']],
    ['floors__in', [1, 'x']],
    ['floors__range', [1, 'x']],
    ['floors__range', 5],
    ['height', {}],
    ['code', 'x'],
    ['created__gte', 'x'],
    ['ports', 'x'],
  ])('%s of %j has no such value', (lookup, value) => {
    expect(() => sqlOf({ [lookup]: value })).toThrow(UnfitValue);
  });
  test('and leaves nothing bound that no condition uses', () => {
    const binder = new Binder();
    binder.bind('before');
    expect(() =>
      attributesSql(
        tables,
        house,
        [
          ['name', 'x'],
          ['bogus', 1],
        ],
        binder,
      ),
    ).toThrow(ConstraintError);
    expect(binder.values).toEqual(['before']);
  });
});

describe('constraints', () => {
  const of = (constraints: Constraint[] | null, userId: number | null = 7, model = house) => {
    const binder = new Binder();
    return [constraintSql(tables, model, constraints, userId, binder), binder.values];
  };
  test('are alternatives', () => {
    expect(of([{ name: 'x' }, { floors: 1, listed: true }])).toEqual([
      '((t."name" = $1::text) or (t."floors" = $2::bigint and t."listed" = $3::boolean))',
      ['x', '1', true],
    ]);
  });
  test('may restrict nothing', () => {
    expect([of(null)[0], of([])[0], of([{}])[0]]).toEqual([undefined, 'true', '(true)']);
  });
  test('may speak of the user', () => {
    expect(of([{ keeper: '$user' }])).toEqual(['((t."keeper_id" = $1::bigint))', ['7']]);
    expect(of([{ keeper: '$user' }], null)).toEqual(['((t."keeper_id" is null))', []]);
  });
  test('that cannot be asked grant nothing, and take nothing from the others', () => {
    expect(of([{ name: 'x', bogus: 1 }])).toEqual(['(false)', []]);
    expect(of([{ name: 'x', floors: 'abc' }, { floors: 1 }])).toEqual(['(false or (t."floors" = $1::bigint))', ['1']]);
  });
  test('of a replica ask the replica', () => {
    expect(of([{ group__slug: 'x' }], 7, person)).toEqual([
      '((t."group_id" in (select t1.id from replica."people_group" t1 where t1."slug" = $1::text)))',
      ['x'],
    ]);
  });
});

describe('checkConstraint', () => {
  test.each<[Constraint]>([
    [{ name: 'x' }],
    [{ name__icontains: 'x' }],
    [{ id__in: [1] }],
    [{ pk: 1 }],
    [{ district: 1 }],
    [{ district_id: 1 }],
    [{ district__parent__slug: 'x' }],
    [{ custom_fields__tier__gt: 1 }],
    [{ keeper__group__name__in: ['x'] }],
    [{ guests__slug: 'x' }],
    [{}],
  ])('%j is right', (constraint) => {
    expect(() => checkConstraint(catalogue, house, constraint)).not.toThrow();
  });
  test.each<[Constraint, string]>([
    [{ bogus: 1 }, "Cannot resolve keyword 'bogus' into field."],
    [{ name: 1, district__bogus: 1 }, "Cannot resolve keyword 'bogus' into field."],
    [{ room_count: 1 }, "Cannot resolve keyword 'room_count' into field."],
    [{ name__bogus: 1 }, "Unsupported lookup 'bogus' for name."],
    [{ key: 'x' }, "Cannot resolve keyword 'key' into field."],
    [{ keeper__pin__regex: 'x' }, "Cannot resolve keyword 'pin' into field."],
    [{ constructor: 1 } as unknown as Constraint, "Cannot resolve keyword 'constructor' into field."],
  ])('%j is wrong', (constraint, message) => {
    expect(() => checkConstraint(catalogue, house, constraint)).toThrow(new ConstraintError(message));
  });
  test("knows each model's own fields", () => {
    expect(() => checkConstraint(catalogue, room, { number: 1 })).not.toThrow();
    expect(() => checkConstraint(catalogue, district, { number: 1 })).toThrow(ConstraintError);
  });
});
