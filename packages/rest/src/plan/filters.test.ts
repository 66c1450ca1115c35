import { describe, expect, test } from '@jest/globals';
import { caseless, Catalogue, counter, members, model, objects, ref, text, typeId } from '@cadastre/model';
import type { Refusal } from '../errors.ts';
import { type CustomField, CustomFieldDefinitions } from '../query/customFields.ts';
import { Binder } from '../query/sql.ts';
import { Tables } from '../query/tables.ts';
import { parseQuery } from '../request/query.ts';
import { catalogue, district, house, room, sign, superuser, tables } from '../testing/town.ts';
import { conditionsOf, lookupsOf, type Wanted } from './filters.ts';

const field = (name: string, type: string, more: Partial<CustomField> = {}): CustomField => ({
  name,
  label: '',
  type,
  relatedType: null,
  required: false,
  unique: false,
  default: null,
  filterLogic: 'loose',
  minimum: null,
  maximum: null,
  regex: '',
  schema: null,
  choiceSet: null,
  ...more,
});
const definitions = new CustomFieldDefinitions(
  new Map([
    [
      'town.house',
      [
        field('code', 'text'),
        field('exact', 'text', { filterLogic: 'exact' }),
        field('off', 'text', { filterLogic: 'disabled' }),
        field('floors', 'integer'),
        field('price', 'decimal'),
        field('flag', 'boolean'),
        field('day', 'date'),
        field('moment', 'datetime'),
        field('tier', 'select'),
        field('tiers', 'multiselect'),
        field('boss', 'object', { relatedType: 'people.person' }),
        field('team', 'multiobject', { relatedType: 'people.person' }),
        field('a__b', 'integer'),
      ],
    ],
  ]),
);

/** Everybody is found twice, by whatever name, but for `nobody`. */
const wanted: Wanted[] = [];
const find = async (w: Wanted) => {
  wanted.push(w);
  return new Map(w.values.filter((v) => v !== 'nobody').map((v) => [v, [`1${v.length}`, '2']]));
};

async function made(search: string, model = house, strict = false) {
  const binder = new Binder();
  wanted.length = 0;
  const { sql, types, regexes } = await conditionsOf(
    model,
    parseQuery(search, { paginateCount: 50, maxPageSize: 0 }).filters,
    { tables, binder, find, definitions, maxRegexLength: 9, strict, who: { ...superuser, userId: 7 } },
  );
  return { sql: sql.join(' and '), values: binder.values, types: [...types], regexes };
}
const errors = (search: string, strict = false) =>
  made(search, house, strict).then(
    () => 'accepted',
    (refusal: Refusal) => [refusal.status, refusal.body],
  );
const missing = (value: string) => [`Select a valid choice. ${value} is not one of the available choices.`];

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
  const own = new Tables(new Catalogue([{ service: 'town', models: [yard, shed] }]), 'town'),
    binder = new Binder();
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

test('objects named for SQL by hand must be there, and the answer depends on what the SQL names', async () => {
  const living = objects(
    'people.person',
    { by: 'slug' },
    ({ table, tableOf }, ids) =>
      `${table}.keeper_id in (select id from ${tableOf('town.room')} where id = any(${ids}))`,
  );
  const known = {
    ...house,
    filters: {
      living,
      living_id: objects('people.person', { many: true }, ({ table }, ids) => `${table}.keeper_id = any(${ids})`),
    },
  };
  const own = new Tables(
    new Catalogue([
      {
        service: 'town',
        models: [
          known,
          ...['town.district', 'town.group', 'town.room', 'town.note'].flatMap((t) =>
            catalogue.has(t) ? catalogue.get(t) : [],
          ),
        ],
      },
      { service: 'people', models: [...catalogue.ownedBy('people')] },
    ]),
    'town',
  );
  const conditions = async (search: string) => {
    const binder = new Binder(),
      { sql, types } = await conditionsOf(known, parseQuery(search, { paginateCount: 50, maxPageSize: 0 }).filters, {
        tables: own,
        binder,
        find,
        definitions,
        maxRegexLength: 9,
        strict: true,
        who: { ...superuser, userId: 7 },
      });
    return { sql, types: [...types], values: binder.values };
  };
  expect(await conditions('living=a&living=ann')).toEqual({
    sql: ['t.keeper_id in (select id from "town_room" where id = any($1::bigint[]))'],
    types: ['people.person', 'town.room'],
    values: [['13', '2']],
  });
  expect((await conditions('living_id=1&living_id=2')).sql).toEqual(['t.keeper_id = any($1::bigint[])']);
  await expect(conditions('living=nobody')).rejects.toMatchObject({
    body: { living: ['Select a valid choice. That choice is not one of the available choices.'] },
  });
  await expect(conditions('living_id=x')).rejects.toMatchObject({ body: { living_id: missing('x') } });
});

test('regular expressions are remembered by their parameter', async () => {
  expect((await made('name__regex=a&slug__iregex=b')).regexes).toEqual(['name__regex', 'slug__iregex']);
  expect(await errors('name__regex=0123456789')).toEqual([
    400,
    { name__regex: ['A regular expression may have at most 9 characters.'] },
  ]);
});

describe('search', () => {
  test('looks into all its columns', async () => {
    expect(await made('q=x&q=%205%25%20')).toMatchObject({
      sql: `(t."name" ilike $1 or t."comments" ilike $1 or t."floors"::text ilike $1)`,
      values: ['%5\\%%'],
    });
  });
  test('looks into related objects, and nowhere else for those that are not here', async () => {
    expect(
      await made('q=x', { ...room, search: ['number', 'house.keeper.name', 'owner.slug'] } as typeof room),
    ).toMatchObject({
      sql: '(t."number"::text ilike $1 or t."house_id" in (select t1.id from "town_house" t1 where t1."keeper_id" in (select x.id from replica."people_person" x where x."name" ilike $1)) or t."owner_id" in (select x.id from replica."people_person" x where x."slug" ilike $1))',
      types: ['town.house', 'people.person'],
    });
    expect(await made('q=x', { ...room, search: ['<people.club.home/name'] } as typeof room)).toMatchObject({
      sql: 'false',
    });
  });
  test('compares the whole value where it is told to, and nothing that it cannot be', async () => {
    const wholly = { ...house, search: ['name', '=floors', '=slug'] } as typeof house;
    expect(await made('q=5', wholly)).toMatchObject({
      sql: '(t."name" ilike $1 or t."floors" = $2::bigint or t."slug" = $3)',
      values: ['%5%', '5', '5'],
    });
    expect(await made('q=5x', wholly)).toMatchObject({
      sql: '(t."name" ilike $1 or t."slug" = $2)',
      values: ['%5x%', '5x'],
    });
    expect(await made('q=12345678901234567890', { ...house, search: ['=floors'] } as typeof house)).toMatchObject({
      sql: 'false',
    });
  });
  test('does nothing for spaces, and where there is nothing to look into', async () => {
    expect([(await made('q=%20')).sql, (await made('q=x', { ...room, search: [] } as typeof room)).sql]).toEqual([
      '',
      '',
    ]);
  });
});

describe('related objects', () => {
  test('are found by their key', async () => {
    expect(await made('keeper=ann&keeper=bob')).toMatchObject({
      sql: 't."keeper_id" = any($1::bigint[])',
      values: [['13', '2']],
      types: ['people.person'],
    });
    expect(wanted).toEqual([{ type: 'people.person', by: 'slug', values: ['ann', 'bob'], tree: false }]);
  });
  test('are found by id', async () => {
    await made('keeper_id=7');
    expect(wanted).toEqual([{ type: 'people.person', by: 'id', values: ['7'], tree: false }]);
    await made('keeper_id=007');
    expect(wanted).toMatchObject([{ values: ['7'] }]);
    expect(await errors('keeper_id=x')).toEqual([400, { keeper_id: missing('x') }]);
    expect(await errors('keeper_id=-1')).toEqual([400, { keeper_id: missing('-1') }]);
  });
  test('that are trees include what is below', async () => {
    await made('district=north');
    expect(wanted).toEqual([{ type: 'town.district', by: 'slug', values: ['north'], tree: true }]);
  });
  test('may be none', async () => {
    expect((await made('district_id=null')).sql).toBe('(t."district_id" is not null) is not true');
    expect((await made('district_id=null&district_id=5')).sql).toBe(
      '(t."district_id" = any($1::bigint[]) or (t."district_id" is not null) is not true)',
    );
    expect((await made('guest=null')).sql).toBe('(cardinality(t."guests") > 0) is not true');
  });
  test('may be left out, objects without any included in what remains', async () => {
    expect((await made('district__n=north')).sql).toBe('(t."district_id" = any($1::bigint[])) is not true');
    expect((await made('district_id__n=null')).sql).toBe('((t."district_id" is not null) is not true) is not true');
  });
  test('may be many', async () => {
    expect((await made('guest=ann')).sql).toBe('t."guests" && $1::bigint[]');
  });
  test('may be far away', async () => {
    expect(await made('keeper_group=staff')).toMatchObject({
      sql: 't."keeper_id" in (select t1.id from replica."people_person" t1 where t1."group_id" = any($1::bigint[]))',
      types: ['people.person', 'people.group'],
    });
    expect((await made('keeper_group=null')).sql).toBe(
      '(t."keeper_id" in (select t1.id from replica."people_person" t1 where t1."group_id" is not null)) is not true',
    );
  });
  test('may be those that point here', async () => {
    expect((await made('room=x')).sql).toBe(
      'exists (select 1 from "town_room" t1 where t1."house_id" = t.id and t1.id = any($1::bigint[]))',
    );
  });
  test('may point here as at anything', async () => {
    expect((await made('note_id=5')).sql).toBe(
      `exists (select 1 from "town_note" t1 where t1."about_id" = t.id and t1."about_type" = 'town.house' and t1.id = any($1::bigint[]))`,
    );
  });
  test('may be what a generic field points at', async () => {
    expect((await made('house_id=5', sign)).sql).toBe(
      `(t."place_type" = 'town.house' and t."place_id" = any($1::bigint[]))`,
    );
    expect((await made('keeper=ann', sign)).sql).toBe(
      `(t."place_type" = 'town.house' and t."place_id" in (select t1.id from "town_house" t1 where t1."keeper_id" = any($1::bigint[])))`,
    );
    expect((await made('house_id=null', sign)).sql).toBe(
      `((t."place_type" = 'town.house' and t."place_id" is not null)) is not true`,
    );
    expect((await made('person_name__ic=a', sign)).sql).toBe(
      `(t."place_type" = 'people.person' and t."place_id" in (select x.id from replica."people_person" x where x."name" ilike any($1::text[])))`,
    );
  });
  test('that are not there are no choice', async () => {
    for (const name of ['keeper', 'district', 'keeper_group', 'guest', 'keeper__n'])
      expect(await errors(`${name}=ann&${name}=nobody`)).toEqual([400, { [name]: missing('nobody') }]);
  });
  test('of a kind that does not exist yet are none', async () => {
    expect(await errors('nobody=x')).toEqual([400, { nobody: missing('x') }]);
    expect([(await made('nobody=null')).sql, (await made('nobody__n=null')).sql]).toEqual(['true', 'false']);
  });
  test('of a tree to its own ancestors', async () => {
    await made('ancestor=north&parent=south', district);
    expect(wanted.map((w) => [w.values[0], w.tree])).toEqual([
      ['north', true],
      ['south', false],
    ]);
  });
});

test('attributes of related objects have the lookups of their family', async () => {
  const inner = (condition: string) =>
    `exists (select 1 from "town_room" t1 where t1."house_id" = t.id and t1.id in (select x.id from "town_room" x where ${condition}))`;
  expect(await made('room_number__gt=3')).toMatchObject({
    sql: inner('(x."number" > $1::bigint)'),
    values: ['3'],
    types: ['town.room'],
  });
  expect((await made('room_number__n=3')).sql).toBe(`(${inner('x."number" = any($1::bigint[])')}) is not true`);
  expect(await errors('room_number=x')).toEqual([400, { room_number: ['Enter a whole number.'] }]);
});

describe('either of several filters', () => {
  const here = (bound: string) => `(t."place_type" = 'town.district' and t."place_id" = any(${bound}::bigint[]))`,
    house = (bound: string) =>
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

describe('tags', () => {
  test('must all be there', async () => {
    expect(await made('tag=alpha&tag=bravo')).toMatchObject({
      sql: 't.tags @> $1::bigint[]',
      values: [['15', '2']],
      types: ['extras.tag'],
    });
  });
  test('or any of them', async () => {
    expect((await made('tag__any=alpha')).sql).toBe('t.tags && $1::bigint[]');
  });
  test('or none of them', async () => {
    expect((await made('tag__n=alpha')).sql).toBe('not (t.tags && $1::bigint[])');
  });
  test('or none at all', async () => {
    const conditions = await Promise.all(
      ['tag=null', 'tag__n=null', 'tag=null&tag=alpha', 'tag__any=null&tag__any=alpha', 'tag__n=null&tag__n=alpha'].map(
        async (search) => (await made(search)).sql,
      ),
    );
    expect(conditions).toEqual([
      'cardinality(t.tags) = 0',
      'cardinality(t.tags) > 0',
      '(cardinality(t.tags) = 0 and t.tags @> $1::bigint[])',
      '(cardinality(t.tags) = 0 or t.tags && $1::bigint[])',
      '(cardinality(t.tags) > 0 and not (t.tags && $1::bigint[]))',
    ]);
  });
  test('are found by slug or id', async () => {
    await made('tag_id=5');
    expect(wanted).toEqual([{ type: 'extras.tag', by: 'id', values: ['5'], tree: false }]);
    expect(await errors('tag_id=x')).toEqual([400, { tag_id: missing('x') }]);
  });
});

describe('requests', () => {
  const id = '019a0000-0000-7000-8000-000000000001',
    from = `t.id in (select id from modified where request_id = $1::uuid and type = ${typeId('town.house')}`;
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

test('filters said by hand get checked values', async () => {
  expect((await made('tall=x&tall=1')).sql).toBe('t.height > 10 is true');
  expect((await made('tall=maybe')).sql).toBe('');
  expect(await made('taller=5')).toMatchObject({ sql: 't.height > $1::numeric', values: ['5'] });
  expect(await errors('taller=x')).toEqual([400, { taller: ['Enter a number.'] }]);
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
