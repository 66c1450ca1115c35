import { describe, expect, test } from '@jest/globals';
import { caseless, Catalogue, counter, lookupsOf, members, model, ref, text, typeId } from '@cadastre/model';
import { Binder } from '../../db/sql.ts';
import { Tables } from '../../db/tables.ts';
import { parseQuery } from '../query/query.ts';
import { catalogue, house, room, sign, superuser, tables } from '../../testing/town.ts';
import { conditionsOf } from './conditions.ts';
import type { Wanted } from './context.ts';
import { definitions, find, made, errors, missing } from '../../testing/filters.ts';

describe('names', () => {
  test('that are no filters are ignored, also what every object inherits', async () => {
    for (const search of [
      'bogus=1',
      'name__bogus=1',
      'constructor=1',
      '__proto__=1',
      'toString=x',
      'name__constructor=x',
      'district__constructor=x',
      'tag__toString=x',
      'stranger=1',
      'key=x',
      'keeper__pin=x',
      '__n=1',
      'n=1',
      'cf_bogus=1',
      'cf_off=x',
      'cf_code__bogus=1',
      'cf_code__constructor=1',
      "name';drop table x;--=1",
    ]) {
      expect(await made(search)).toEqual({ sql: '', values: [], types: [], regexes: [] });
    }
  });
  test('are errors where the client is strict about them', async () => {
    expect(await errors('bogus=1&constructor=2&name=x', true)).toEqual([
      400,
      { bogus: ['Unknown filter.'], constructor: ['Unknown filter.'] },
    ]);
  });
  test('without a value do nothing', async () => {
    expect((await made('name=&q=&district=&cf_code=&tag=&id=')).sql).toBe('');
  });
});

test('all conditions must hold, and every wrong value is named', async () => {
  expect(await made('name__ic=a&floors__gt=1')).toMatchObject({
    sql: 't."name" ilike any($1::text[]) and (t."floors" > $2::bigint)',
    values: [['%a%'], '1'],
  });
  expect(await errors('id=abc&status=x&created=bad&name=ok&code=5&tag=nobody')).toEqual([
    400,
    {
      id: ['Enter a whole number.'],
      status: missing('x'),
      created: ['Enter a valid date/time.'],
      code: ['Enter a valid UUID.'],
      tag: missing('nobody'),
    },
  ]);
});

test('a counter is compared as a number, and depends on what it counts', async () => {
  const yard = model('town.yard', {
    path: 'yards',
    label: 'yard',
    brief: ['name', 'shed_count'],
    fields: {
      name: text({ max: 9 }),
      shed_count: counter('town.shed', 'yard'),
      gone_count: counter('town.gone', 'yard'),
    },
  });
  const shed = model('town.shed', {
    path: 'sheds',
    label: 'shed',
    brief: ['name'],
    fields: { name: text({ max: 9 }), yard: ref('town.yard') },
  });
  const own = new Tables(new Catalogue([{ service: 'town', models: [yard, shed] }]), 'town');
  const binder = new Binder();
  const { sql, types } = await conditionsOf(
    yard,
    parseQuery('shed_count__gte=2&gone_count=0', { paginateCount: 50, maxPageSize: 0 }).filters,
    { tables: own, binder, find, definitions, maxRegexLength: 9, strict: true, who: { ...superuser, userId: 7 } },
  );
  expect(sql).toEqual([
    '((select count(*) from "town_shed" s where s."yard_id" = t.id) >= $1::bigint)',
    '0 = any($2::bigint[])',
  ]);
  expect([...types]).toEqual(['town.shed', 'town.gone']);
  expect(members(yard, 'brief')).toContain('shed_count');
});

test('a caseless text is compared without regard to case where no lookup says otherwise', async () => {
  const tool = model('town.tool', {
    path: 'tools',
    label: 'tool',
    brief: ['serial'],
    fields: { serial: text({ max: 9 }) },
    filters: { serial: caseless('serial') },
  });
  expect((await made('serial=A1', tool)).sql).toBe(
    'lower(t."serial") = any(array(select lower(v) from unnest($1::text[]) v))',
  );
  expect((await made('serial__n=A1&serial__ic=b', tool)).sql).toBe(
    '(t."serial" = any($1::text[])) is not true and t."serial" ilike any($2::text[])',
  );
});

test('regular expressions are remembered by their parameter', async () => {
  expect((await made('name__regex=a&slug__iregex=b')).regexes).toEqual(['name__regex', 'slug__iregex']);
  expect(await errors('name__regex=0123456789')).toEqual([
    400,
    { name__regex: ['A regular expression may have at most 9 characters.'] },
  ]);
});

describe('either of several filters', () => {
  const here = (bound: string) => `(t."place_type" = 'town.district' and t."place_id" = any(${bound}::bigint[]))`;
  const house = (bound: string) =>
    `(t."place_type" = 'town.house' and t."place_id" in (select t1.id from "town_house" t1 where t1."district_id" = any(${bound}::bigint[])))`;
  test('holds when one does', async () => {
    expect(await made('district=north', sign)).toMatchObject({
      sql: `(${here('$1')} or ${house('$2')})`,
      types: ['town.district', 'town.house'],
    });
  });
  test('is left out as a whole', async () => {
    expect((await made('district__n=north', sign)).sql).toBe(`((${here('$1')} or ${house('$2')})) is not true`);
  });
  test('may be none of them', async () => {
    const some = [
      `((t."place_type" = 'town.district' and t."place_id" is not null)) is not true`,
      `((t."place_type" = 'town.house' and t."place_id" in (select t1.id from "town_house" t1 where t1."district_id" is not null))) is not true`,
    ];
    expect((await made('district=null', sign)).sql).toBe(`(${some.join(' and ')})`);
    expect((await made('district=north&district=null', sign)).sql).toBe(
      `(${here('$1')} or ${house('$2')} or (${some.join(' and ')}))`,
    );
  });
  test('takes values that mean something to one of them', async () => {
    const only = async (w: Wanted) =>
      new Map(w.values.filter((v) => v === (w.type === 'people.person' ? 'ann' : 'villa')).map((v) => [v, ['1']]));
    const by = async (search: string) => {
      const binder = new Binder();
      return (
        await conditionsOf(sign, parseQuery(search, { paginateCount: 50, maxPageSize: 0 }).filters, {
          tables,
          binder,
          find: only,
          definitions,
          maxRegexLength: 9,
          strict: false,
          who: { ...superuser, userId: 7 },
        })
      ).sql.join();
    };
    const [person, villa] = [
      `(t."place_type" = 'people.person' and t."place_id" = any($1::bigint[]))`,
      `(t."place_type" = 'town.house' and t."place_id" = any($2::bigint[]))`,
    ];
    expect([await by('who=ann'), await by('who=villa&who=ann')]).toEqual([person, `(${person} or ${villa})`]);
    await expect(by('who=ann&who=eve')).rejects.toMatchObject({ body: { who: missing('eve') } });
    await expect(by('who=eve')).rejects.toMatchObject({ body: { who: missing('eve') } });
  });
  test('has the lookups that all have', async () => {
    expect(Object.keys(lookupsOf(catalogue.filtersOf(sign)['district']!))).toEqual(['', 'n']);
    expect(await made('words__isw=a', sign)).toMatchObject({
      sql: `(t."text" ilike any($1::text[]) or (t."place_type" = 'people.person' and t."place_id" in (select x.id from replica."people_person" x where x."name" ilike any($2::text[]))))`,
      values: [['a%'], ['a%']],
    });
  });
});

describe('requests', () => {
  const id = '019a0000-0000-7000-8000-000000000001';
  const from = `t.id in (select id from request_change where request_id = $1::uuid and type = ${typeId('town.house')}`;
  test.each([
    ['created_by_request', ' and created is true)'],
    ['updated_by_request', ' and created is false)'],
    ['modified_by_request', ')'],
  ])('%s', async (name, end) => {
    expect(await made(`${name}=${id}`)).toMatchObject({ sql: from + end, values: [id] });
    expect(await errors(`${name}=bad`)).toEqual([400, { [name]: ['Enter a valid UUID.'] }]);
  });
});

test('types by their number', async () => {
  expect(await made(`kind_id=${typeId('town.room')}`)).toMatchObject({
    sql: 't."kinds" && $1::varchar[]',
    values: [['town.room']],
  });
  expect((await made(`kind_id__n=${typeId('town.room')}`)).sql).toBe('(t."kinds" && $1::varchar[]) is not true');
  for (const wrong of ['5', 'x', '99999999999'])
    expect(await errors(`kind_id=${wrong}`)).toEqual([400, { kind_id: missing(wrong) }]);
});

describe('custom fields', () => {
  const text = '(t.custom_fields ->> $1)';
  test.each<[string, string, unknown[]]>([
    ['cf_code=a_', `${text} ilike any($2::text[])`, ['code', ['%a\\_%']]],
    ['cf_exact=a', `${text} = any($2::text[])`, ['exact', ['a']]],
    ['cf_code__n=a', `(${text} = any($2::text[])) is not true`, ['code', ['a']]],
    ['cf_code__ic=a', `${text} ilike any($2::text[])`, ['code', ['%a%']]],
    ['cf_code__empty=true', `coalesce(${text}::text, '') = ''`, ['code']],
    ['cf_code__regex=a', `(${text} ~ $2)`, ['code', 'a']],
    ['cf_floors=1', `(${text})::bigint = any($2::bigint[])`, ['floors', ['1']]],
    ['cf_floors__gte=1', `((${text})::bigint >= $2::bigint)`, ['floors', '1']],
    ['cf_floors__empty=false', `not ((${text})::bigint is null)`, ['floors']],
    ['cf_price__lt=1.5', `((${text})::numeric < $2::numeric)`, ['price', '1.5']],
    ['cf_day=2026-01-01', `(${text})::date = any($2::date[])`, ['day', ['2026-01-01']]],
    [
      'cf_moment__gt=2026-01-01',
      `((${text})::timestamptz > $2::timestamptz)`,
      ['moment', '2026-01-01T00:00:00.000000+00'],
    ],
    ['cf_flag=true', `(${text})::boolean is true`, ['flag']],
    ['cf_flag=0', `(${text})::boolean is false`, ['flag']],
    ['cf_flag=maybe', '', []],
    ['cf_tier=gold', `${text} = any($2::text[])`, ['tier', ['gold']]],
    [
      'cf_tiers=gold&cf_tiers=tin',
      '(t.custom_fields -> $1 @> $2::jsonb or t.custom_fields -> $1 @> $3::jsonb)',
      ['tiers', '"gold"', '"tin"'],
    ],
    ['cf_tiers__n=gold', '((t.custom_fields -> $1 @> $2::jsonb)) is not true', ['tiers', '"gold"']],
    ['cf_boss=5', `${text} = any($2::text[])`, ['boss', ['5']]],
    ['cf_boss__n=5', `(${text} = any($2::text[])) is not true`, ['boss', ['5']]],
    ['cf_team=5', '(t.custom_fields -> $1 @> $2::jsonb)', ['team', '5']],
    ['cf_a__b=1', `(${text})::bigint = any($2::bigint[])`, ['a__b', ['1']]],
  ])('%s', async (search, sql, values) => {
    expect(await made(search)).toMatchObject({ sql, values });
  });
  test.each([
    ['cf_floors=x', 'Enter a whole number.'],
    ['cf_price=x', 'Enter a number.'],
    ['cf_day__lt=x', 'Enter a valid date.'],
    ['cf_moment=x', 'Enter a valid date/time.'],
    ['cf_boss=x', 'Enter a whole number.'],
    ['cf_team=x', 'Enter a whole number.'],
    ['cf_code__regex=0123456789', 'A regular expression may have at most 9 characters.'],
  ])('%s', async (search, message) => {
    expect(await errors(search)).toEqual([400, { [search.split('=')[0]!]: [message] }]);
  });
  test('of other types are none', async () => {
    expect((await made('cf_code=x', room)).sql).toBe('');
  });
});

test('lookups of a filter are those of its kind', () => {
  const suffixes = (name: string) => Object.keys(lookupsOf(catalogue.filtersOf(house)[name]!)).join();
  expect([
    suffixes('tag'),
    suffixes('district'),
    suffixes('q'),
    suffixes('tall'),
    suffixes('listed'),
    suffixes('kind_id'),
  ]).toEqual([',n,any', ',n', '', '', '', ',n']);
  expect(suffixes('room_number')).toBe(suffixes('floors'));
  expect(lookupsOf({ kind: 'column', field: 'created', family: 'datetime', compare: 'gte' })).toEqual({
    '': { compare: 'exact', negated: false },
  });
});
