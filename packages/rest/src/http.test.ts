import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { typeId } from '@cadastre/model';
import { Api, type ApiResponse } from './http.ts';
import type { Constraint, Requester } from './plan/permissions.ts';
import { openTown, peers, type Town } from './testing/database.ts';
import { superuser, user } from './testing/town.ts';
import { answerFor } from './write/remove/asking.ts';
import { Unreachable } from './write/resolve/peers.ts';

let town: Town;
let api: Api;
/** What other services say when they are asked who refers to objects. */
const nobody = async () => ({ count: 0, names: [] as string[] });
let dependents = nobody;

const REQUEST = '019a0000-0000-7000-8000-000000000001';
interface Asked {
  who?: Requester;
  headers?: Record<string, string>;
  id?: string;
  api?: Api;
}

async function raw(
  method: string,
  address: string,
  body?: unknown,
  { who = superuser, headers = {}, id = REQUEST, api: to = api }: Asked = {},
): Promise<ApiResponse> {
  const [path, search = ''] = address.split('?') as [string, string?];
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return to.answer({
    method,
    path: `/api/town/${path}`,
    search,
    headers: { 'content-type': 'application/json', ...headers },
    body: bytes,
    id,
    base: 'http://h',
    who,
    clientIp: '',
  });
}
type Answer = Record<string, never> & { results: Record<string, unknown>[]; count: number };
async function ask(
  method: string,
  address: string,
  body?: unknown,
  asked?: Asked,
): Promise<[status: number, body: Answer]> {
  const answer = await raw(method, address, body, asked);
  return [answer.status, answer.body === '' ? '' : JSON.parse(answer.body)] as [number, Answer];
}
const names = async (search: string, who = superuser) =>
  (await ask('GET', `houses/?fields=name&${search}`, undefined, { who }))[1].results.map((r) => r['name']).join();
/** How many statements a request needs. */
async function statements(method: string, address: string, body?: unknown): Promise<number> {
  const before = town.statements();
  expect((await ask(method, address, body))[0]).toBeLessThan(300);
  return town.statements() - before;
}

beforeAll(async () => {
  town = await openTown();
  api = new Api(town.engine({ peers: { ...peers, countReferences: () => dependents() } }));
  await town.sql(
    `insert into replica.people_person (id, _version, name, slug, group_id) values (1, 1, 'Ann', 'ann', 2), (2, 1, 'Bob', 'bob', 1)`,
  );
  await town.sql(
    `insert into replica.people_group (id, _version, name, slug, parent_id, _path, _sort) values (1, 1, 'Staff', 'staff', null, '{1}', '{Staff}'), (2, 1, 'Cooks', 'cooks', 1, '{1,2}', '{Staff,Cooks}')`,
  );
  await town.sql(
    `insert into replica.extras_tag (id, _version, name, slug) values (1, 1, 'Alpha', 'alpha'), (2, 1, 'Bravo', 'bravo')`,
  );
  await town.sql(`insert into replica.extras_customfield (id, _version, name, label, type, object_types, required, "unique", filter_logic, weight, group_name) values
    (1, 1, 'code', '', 'text', '{town.house}', false, false, 'loose', 1, ''), (2, 1, 'flag', '', 'boolean', '{town.house}', false, false, 'loose', 2, ''), (3, 1, 'floors', '', 'integer', '{town.house}', false, false, 'loose', 3, '')`);
  for (const body of [
    { name: 'North', slug: 'north' },
    { name: 'South', slug: 'south' },
    { name: 'Far', slug: 'far', parent: { slug: 'north' } },
  ])
    expect((await ask('POST', 'districts/', body))[0]).toBe(201);
  expect(
    (
      await ask('POST', 'houses/', [
        {
          name: 'h1',
          slug: 'h1',
          grade: 1,
          use: 'shop',
          floors: 2,
          height: 12.5,
          district: { slug: 'far' },
          keeper: 1,
          guests: [1, 2],
          ports: [80],
          days: ['mo'],
          kinds: ['town.house'],
          notes: { a: 1 },
          tags: [1, 2],
          listed: true,
          built: '2020-01-01',
          code: REQUEST,
          custom_fields: { code: 'CC1', flag: true, floors: 3 },
        },
        {
          name: 'h2',
          slug: 'h2',
          status: 'planned',
          floors: 5,
          district: 1,
          keeper: 2,
          tags: [1],
          comments: 'by 100%',
        },
        { name: 'H10', slug: 'h10' },
      ])
    )[0],
  ).toBe(201);
  expect(
    (
      await ask('POST', 'rooms/', [
        { name: 'r1', house: 1, number: 7 },
        { name: 'r2', house: { slug: 'h1' } },
        { name: 'r1', house: { name: 'h2' }, owner: 1 },
      ])
    )[0],
  ).toBe(201);
});
afterAll(async () => {
  await town?.close();
});

describe('lists', () => {
  test('are pages with links to the others', async () => {
    const [status, page] = await ask('GET', 'houses/?limit=1&offset=1&fields=name');
    expect([status, page]).toEqual([
      200,
      {
        count: 3,
        next: 'http://h/api/town/houses/?fields=name&limit=1&offset=2',
        previous: 'http://h/api/town/houses/?fields=name&limit=1',
        results: [{ name: 'h2' }],
      },
    ]);
    expect((await ask('GET', 'houses/?offset=9999'))[1]).toEqual({
      count: 3,
      next: null,
      previous: 'http://h/api/town/houses/?limit=50&offset=9949',
      results: [],
    });
  });
  test('go by cursor', async () => {
    expect((await ask('GET', 'houses/?start=0&limit=2&fields=id'))[1]).toEqual({
      count: null,
      next: 'http://h/api/town/houses/?fields=id&limit=2&start=3',
      previous: null,
      results: [{ id: 1 }, { id: 2 }],
    });
    expect((await ask('GET', 'houses/?start=3&limit=2&fields=id'))[1]).toEqual({
      count: null,
      next: null,
      previous: null,
      results: [{ id: 3 }],
    });
  });
  test('are sorted naturally, by references and by counts', async () => {
    expect(await names('')).toBe('h1,h2,H10');
    expect([
      await names('ordering=-name'),
      await names('ordering=keeper'),
      await names('ordering=-room_count,name'),
      await names('ordering=floors'),
    ]).toEqual(['H10,h2,h1', 'h1,h2,H10', 'h1,h2,H10', 'h1,h2,H10']);
    expect((await ask('GET', 'districts/?fields=name'))[1].results.map((r) => r['name'])).toEqual([
      'North',
      'Far',
      'South',
    ]);
  });

  // Every family of lookups against PostgreSQL: which houses are left.
  test.each([
    ['name=h1&name=h2', 'h1,h2'],
    ['name=h', ''],
    ['name__n=h1', 'h2,H10'],
    ['name__ic=1', 'h1,H10'],
    ['name__nic=1', 'h2'],
    ['name__isw=H', 'h1,h2,H10'],
    ['name__nisw=h1', 'h2'],
    ['name__iew=0', 'H10'],
    ['name__niew=0', 'h1,h2'],
    ['name__ie=h10', 'H10'],
    ['name__nie=h10', 'h1,h2'],
    ['name__regex=%5Eh', 'h1,h2'],
    ['name__iregex=%5Eh1', 'h1,H10'],
    ['slug__empty=true', ''],
    ['slug__empty=false', 'h1,h2,H10'],
    ['q=100%25', 'h2'],
    ['q=5', 'h2'],
    ['q=_', ''],
    ['status=active', 'h1,H10'],
    ['status__n=active', 'h2'],
    ['status__ic=planned', 'h2'],
    ['use=null', 'h2,H10'],
    ['use__n=null', 'h1'],
    ['use=null&use=shop', 'h1,h2,H10'],
    ['use__empty=true', 'h2,H10'],
    ['grade=1', 'h1'],
    ['grade__n=1', 'h2,H10'],
    ['grade=null', 'h2,H10'],
    ['grade__ic=1', 'h1'],
    ['grade__regex=1', 'h1'],
    ['grade__empty=true', 'h2,H10'],
    ['id=1&id=3', 'h1,H10'],
    ['id__gt=1', 'h2,H10'],
    ['id__n=1', 'h2,H10'],
    ['id=99999999999999999999', ''],
    ['floors__lt=99999999999999999999', 'h1,h2'],
    ['floors=5', 'h2'],
    ['floors__gte=2', 'h1,h2'],
    ['floors__lt=5', 'h1'],
    ['floors__lte=5', 'h1,h2'],
    ['floors__n=5', 'h1,H10'],
    ['floors__empty=true', 'H10'],
    ['height=12.50', 'h1'],
    ['height__gt=12.4', 'h1'],
    ['height__lt=.5', ''],
    ['height__empty=false', 'h1'],
    ['listed=true', 'h1'],
    ['listed=0', 'h2,H10'],
    ['listed=maybe', 'h1,h2,H10'],
    ['built=2020-01-01', 'h1'],
    ['built__lt=2020-01-01', ''],
    ['built__lte=2020-01-01', 'h1'],
    ['built__empty=true', 'h2,H10'],
    ['created__gte=2026-01-01', 'h1,h2,H10'],
    ['created__lt=2020-01-01T00:00:00%2B15:59', ''],
    ['last_updated__empty=true', ''],
    [`code=${REQUEST}`, 'h1'],
    ['ports=80&ports=99999999999', 'h1'],
    ['ports__n=80', 'h2,H10'],
    ['ports__gt=79', 'h1'],
    ['ports__empty=true', 'h2,H10'],
    ['days=mo', 'h1'],
    ['days__n=mo', 'h2,H10'],
    ['kinds=town.house', 'h1'],
    ['kinds__ic=HOUSE', 'h1'],
    ['kinds__n=town.house', 'h2,H10'],
    ['kinds__empty=false', 'h1'],
    [`kind_id=${typeId('town.house')}`, 'h1'],
    ['district=north', 'h1,h2'],
    ['district_id=3', 'h1'],
    ['district__n=north', 'H10'],
    ['district_id=null', 'H10'],
    ['district_id=null&district_id=3', 'h1,H10'],
    ['district_id__n=null', 'h1,h2'],
    ['keeper=ann', 'h1'],
    ['keeper__n=ann', 'h2,H10'],
    ['keeper_group=staff', 'h1,h2'],
    ['keeper_group_id=2', 'h1'],
    ['guest=bob', 'h1'],
    ['guest__n=bob', 'h2,H10'],
    ['room=r1', 'h1,h2'],
    ['room=r2', 'h1'],
    ['room_number__gt=5', 'h1'],
    ['room_number__empty=true', 'h1,h2'],
    ['nobody=null', 'h1,h2,H10'],
    ['tall=true', 'h1'],
    ['taller=12', 'h1'],
    ['tag=alpha', 'h1,h2'],
    ['tag=alpha&tag=bravo', 'h1'],
    ['tag__any=alpha&tag__any=bravo', 'h1,h2'],
    ['tag__n=bravo', 'h2,H10'],
    ['tag_id=2', 'h1'],
    ['cf_code=cc', 'h1'],
    ['cf_code__n=CC1', 'h2,H10'],
    ['cf_code__empty=true', 'h2,H10'],
    ['cf_flag=true', 'h1'],
    ['cf_flag=maybe', 'h1,h2,H10'],
    ['cf_floors=3', 'h1'],
    ['cf_floors__lt=4', 'h1'],
    ['cf_floors__empty=true', 'h2,H10'],
    [`created_by_request=${REQUEST}`, 'h1,h2,H10'],
    [`updated_by_request=${REQUEST}`, ''],
    ['created_by_request=019a0000-0000-7000-8000-000000000002', ''],
    ['bogus=1', 'h1,h2,H10'],
    ['name__bogus=1', 'h1,h2,H10'],
  ])('%s', async (search, left) => {
    expect(await names(search)).toBe(left);
    expect((await ask('GET', `houses/?fields=id&limit=1&${search}`))[1].count).toBe(
      left === '' ? 0 : left.split(',').length,
    );
  });

  test.each<[string, unknown]>([
    ['name__regex=%5B', { name__regex: ['Enter a valid regular expression.'] }],
    ['id=abc&built=x', { id: ['Enter a whole number.'], built: ['Enter a valid date.'] }],
    ['district=nope', { district: ['Select a valid choice. nope is not one of the available choices.'] }],
    ['keeper=nope', { keeper: ['Select a valid choice. nope is not one of the available choices.'] }],
    ['start=x', ["Invalid 'start' parameter: must be a non-negative integer."]],
    ['name=%00', { name: ['Null characters are not allowed.'] }],
  ])('%s is refused', async (search, body) => {
    expect(await ask('GET', `houses/?${search}`)).toEqual([400, body]);
  });

  test('never fail of a filter value, whatever it is', async () => {
    const filters = [
      'id',
      'name__ic',
      'name__regex',
      'status',
      'grade__ic',
      'floors__gt',
      'height',
      'built__lte',
      'created',
      'code',
      'ports',
      'ports__lt',
      'days',
      'kinds__isw',
      'kind_id',
      'district',
      'district_id__n',
      'keeper_group',
      'guest_id',
      'room_number__gte',
      'tag',
      'tag_id__any',
      'q',
      'cf_code__regex',
      'cf_flag',
      'cf_floors__gt',
      'created_by_request',
      'taller',
      'ordering',
      'limit',
      'offset',
      'start',
      'fields',
    ];
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        'null',
        '[',
        '(a',
        '-1',
        '1e9',
        '9'.repeat(25),
        '2026-02-30',
        "'; drop table town_house; --",
        '{1,2}',
        '\\',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...filters), value, async (name, text) => {
        expect([200, 400]).toContain((await ask('GET', `houses/?${new URLSearchParams([[name, text]])}`))[0]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('one object', () => {
  test('is shown with all its members and an ETag', async () => {
    const answer = await raw('GET', 'houses/1/');
    expect(JSON.parse(answer.body)).toMatchObject({
      id: 1,
      url: 'http://h/api/town/houses/1/',
      display_url: 'http://h/town/houses/1/',
      display: 'h1 [h1]',
      status: { value: 'active', label: 'Active' },
      grade: { value: 1, label: 'First' },
      height: 12.5,
      listed: true,
      built: '2020-01-01',
      ports: [80],
      days: ['mo'],
      kinds: ['town.house'],
      notes: { a: 1 },
      district: { name: 'Far', _depth: 1, house_count: 1 },
      keeper: { name: 'Ann' },
      guests: [{ name: 'Ann' }, { name: 'Bob' }],
      tags: [{ name: 'Alpha' }, { name: 'Bravo' }],
      custom_fields: { code: 'CC1', flag: true, floors: 3 },
      room_count: 2,
      rooms: [{ name: 'r1' }, { name: 'r2' }],
    });
    expect(JSON.parse(answer.body)).not.toHaveProperty('stranger');
    expect(answer.headers).toMatchObject({
      Allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
      ETag: expect.stringMatching(/^W\/"20\d\d-.*\+00:00"$/),
    });
  });
  test.each([
    ['houses/999/', 'No House matches the given query.'],
    ['houses/999999999999999999/', 'No House matches the given query.'],
    ['houses/abc/', 'Not found.'],
    ['houses/1/nope/', 'Not found.'],
    ['nope/', 'Not found.'],
    ['houses', 'Not found.'],
  ])('%s is not there', async (address, detail) => {
    expect(await ask('GET', address)).toEqual([404, { detail }]);
  });
  test('may be asked for with spaces in the answer', async () => {
    expect(
      (await raw('GET', 'houses/1/?fields=id', undefined, { headers: { accept: 'application/json; indent=4' } })).body,
    ).toBe('{\n    "id": 1\n}');
  });
});

test('methods that make no sense are refused', async () => {
  expect([await ask('POST', 'houses/1/', {}), await ask('TRACE', 'houses/')]).toEqual([
    [405, { detail: 'Method "POST" not allowed.' }],
    [405, { detail: 'Method "TRACE" not allowed.' }],
  ]);
  expect((await raw('OPTIONS', 'houses/')).headers['Allow']).toBe('GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS');
});

describe('few statements', () => {
  test('serve warm pages and details', async () => {
    await statements('GET', 'rooms/');
    await statements('GET', 'houses/1/?exclude=rooms,seen_in');
    expect(await statements('GET', 'rooms/')).toBe(2);
    expect(await statements('GET', 'houses/1/?exclude=rooms,seen_in')).toBe(2);
  });
  test('write many as few', async () => {
    const bodies = (prefix: string, n: number) =>
      Array.from({ length: n }, (_, i) => ({ name: `${prefix}${i}`, house: { slug: 'h2' }, owner: 1 }));
    await statements('POST', 'rooms/', bodies('w', 1));
    const [few, many] = [
      await statements('POST', 'rooms/', bodies('a', 2)),
      await statements('POST', 'rooms/', bodies('b', 40)),
    ];
    expect(many).toBe(few);
    await town.sql(`delete from town_room where name ~ '^[wab]'`);
  });
});

describe('creating', () => {
  test('answers with the object, its place and its ETag', async () => {
    const answer = await raw('POST', 'rooms/', { name: 'new', house: 2, number: 9 }),
      made = JSON.parse(answer.body) as { id: number };
    expect([answer.status, made]).toMatchObject([
      201,
      { name: 'new', number: 9, house: { id: 2, name: 'h2' }, owner: null, created: expect.stringMatching(/Z$/) },
    ]);
    expect(answer.headers).toMatchObject({
      Location: `http://h/api/town/rooms/${made.id}/`,
      ETag: expect.stringContaining('W/'),
    });
    expect((await ask('GET', `rooms/${made.id}/`))[1]).toEqual(made);
    expect((await ask('DELETE', `rooms/${made.id}/`))[0]).toBe(204);
  });
  test.each<[string, unknown, unknown]>([
    [
      'rooms/',
      { number: 'x' },
      {
        house: ['This field is required.'],
        name: ['This field is required.'],
        number: ['A valid integer is required.'],
      },
    ],
    ['rooms/', { name: 'x', house: 99 }, { house: ['Related object not found using the provided numeric ID: 99'] }],
    [
      'rooms/',
      { name: 'x', house: { slug: "o'h" } },
      { house: [`Related object not found using the provided attributes: {'slug': "o'h"}`] },
    ],
    [
      'rooms/',
      { name: 'x', house: { status: 'active' } },
      { house: ["Multiple objects match the provided attributes: {'status': 'active'}"] },
    ],
    ['rooms/', { name: 'r1', house: 1 }, { __all__: ['Room with this House and Name already exists.'] }],
    [
      'houses/',
      { name: 'h1', slug: 'h1' },
      { name: ['house with this name already exists.'], slug: ['house with this slug already exists.'] },
    ],
    ['districts/', { name: 'North', slug: 'x' }, { __all__: ['A top-level district with this name already exists.'] }],
    [
      'houses/',
      { name: 'x', slug: 'x', custom_fields: { nope: 1 } },
      { custom_fields: { nope: "Custom field 'nope' does not exist for this object type." } },
    ],
    ['houses/', [{ name: 'x', slug: 'x' }, { name: 'y' }], [{}, { slug: ['This field is required.'] }]],
    [
      'houses/',
      [{ name: 'x', slug: 'x' }, 5],
      [{}, { non_field_errors: ['Invalid data. Expected a dictionary, but got int.'] }],
    ],
    [
      'houses/',
      [
        { name: 'x', slug: 'x' },
        { name: 'x', slug: 'x' },
      ],
      [{}, expect.objectContaining({ name: ['house with this name already exists.'] })],
    ],
    ['houses/', 'x', { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] }],
  ])('%s %j is refused, and nothing of it is kept', async (address, body, errors) => {
    const before = await town.sql(
      'select (select count(*) from town_house) houses, (select count(*) from town_room) rooms, (select count(*) from change) changes',
    );
    expect(await ask('POST', address, body)).toEqual([400, errors]);
    expect(
      await town.sql(
        'select (select count(*) from town_house) houses, (select count(*) from town_room) rooms, (select count(*) from change) changes',
      ),
    ).toEqual(before);
  });
  test.each<[unknown]>([
    [{ id: 'abc' }],
    [{ slug: 'a\0' }],
    [{ created: 'x' }],
    [{ id: [1] }],
    [{ keeper: 'x' }],
    [{ guests: 'x' }],
    [{ name__regex: '[' }],
    [{ key: 'x' }],
    [{ keeper__pin__startswith: '1' }],
    [{ keeper__biography: 'x' }],
    [{ stranger: { name: 'x' } }],
    [{ constructor: 1 }],
    [{ "slug' or 1=1 --": 1 }],
    [{ slug: { a: { b: [{}] } } }],
    [{ name__in: [[1]] }],
    [{}],
  ])("a reference by %j is the client's mistake", async (house) => {
    expect(
      (
        await ask('POST', 'rooms/', [
          { name: 'x', house: { slug: 'h1', bogus: 1 } },
          { name: 'y', house },
          { name: 'z', house: { slug: 'h1' } },
        ])
      )[0],
    ).toBe(400);
  });
  test('nothing makes nothing, and too much is too much', async () => {
    expect(await ask('POST', 'houses/', [])).toEqual([201, []]);
    expect(
      await ask(
        'POST',
        'houses/',
        Array.from({ length: 101 }, () => ({})),
      ),
    ).toEqual([413, { detail: 'A request may hold at most 100 objects.' }]);
  });
  test('never fails of what is sent', async () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          'name',
          'slug',
          'status',
          'floors',
          'height',
          'built',
          'code',
          'ports',
          'kinds',
          'notes',
          'district',
          'keeper',
          'guests',
          'tags',
          'add_tags',
          'custom_fields',
          'changelog_message',
        ),
        fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom('', 'x', 1, [1], { id: 1 })),
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        expect([201, 400]).toContain((await ask('POST', 'houses/', given))[0]);
      }),
      { numRuns: 100 },
    );
    await town.sql('delete from town_house where id > 3');
    api = new Api(town.engine({ peers: { ...peers, countReferences: () => dependents() } }));
  });
});

describe('changing', () => {
  test('changes what is given', async () => {
    expect(await ask('PATCH', 'houses/3/', { floors: 4, tags: [1], comments: ' x ' })).toMatchObject([
      200,
      { name: 'H10', floors: 4, comments: 'x', tags: [{ id: 1 }] },
    ]);
    expect(await ask('PATCH', 'houses/3/', { add_tags: [2], remove_tags: [1] })).toMatchObject([
      200,
      { floors: 4, tags: [{ id: 2 }] },
    ]);
    expect(await ask('PUT', 'houses/3/', { name: 'H10', slug: 'h10', tags: [] })).toMatchObject([200, { tags: [] }]);
    expect(await ask('PUT', 'houses/3/', { name: 'H10' })).toEqual([400, { slug: ['This field is required.'] }]);
    expect(await ask('PATCH', 'houses/3/', { floors: null })).toMatchObject([200, { floors: null }]);
    expect(await ask('PATCH', 'houses/3/', { add_tags: [1], remove_tags: [1] })).toEqual([
      400,
      { remove_tags: ['Tags may not be present in both "add_tags" and "remove_tags": 1'] },
    ]);
  });
  test('only what the client has seen, if it asks for that', async () => {
    const etag = (await raw('GET', 'houses/3/')).headers['ETag']!;
    const changed = await raw('PATCH', 'houses/3/', { comments: 'seen' }, { headers: { 'if-match': `"x", ${etag}` } });
    expect(changed.status).toBe(200);
    const stale = await raw('PATCH', 'houses/3/', { comments: 'unseen' }, { headers: { 'if-match': etag } });
    expect([stale.status, stale.headers['ETag'], JSON.parse(stale.body)]).toEqual([
      412,
      changed.headers['ETag'],
      { detail: 'Precondition failed.' },
    ]);
    expect((await ask('DELETE', 'houses/3/', undefined, { headers: { 'if-match': etag } }))[0]).toBe(412);
    expect((await raw('PATCH', 'houses/3/', { comments: '' }, { headers: { 'if-match': '*' } })).status).toBe(200);
  });
  test('many: all or none', async () => {
    expect(
      await ask('PATCH', 'houses/', [
        { id: 2, floors: 6 },
        { id: 1, floors: 3 },
      ]),
    ).toMatchObject([
      200,
      [
        { id: 2, floors: 6 },
        { id: 1, floors: 3 },
      ],
    ]);
    expect(
      await ask('PATCH', 'houses/', [
        { id: 1, floors: 9 },
        { id: 2, status: 'nope' },
      ]),
    ).toEqual([400, [{}, { status: ['nope is not a valid choice.'] }]]);
    expect(await ask('PATCH', 'houses/', [{ id: 1, floors: 9 }, { id: 99 }])).toEqual([
      400,
      { id: ['No House with id 99 exists, or you may not touch it.'] },
    ]);
    expect(await ask('PATCH', 'houses/', [{ floors: 9 }])).toEqual([400, [{ id: ['This field is required.'] }]]);
    expect(await ask('PATCH', 'houses/', [{ id: 1 }, { id: 1 }])).toEqual([
      400,
      [{}, { id: ['Object 1 is named more than once.'] }],
    ]);
    expect(await ask('PATCH', 'houses/', { id: 1 })).toEqual([
      400,
      { non_field_errors: ['Expected a list of items but got type "dict".'] },
    ]);
    expect((await ask('GET', 'houses/1/?fields=floors'))[1]).toEqual({ floors: 3 });
    await ask('PATCH', 'houses/', [
      { id: 1, floors: 2 },
      { id: 2, floors: 5 },
    ]);
  });
  test('may write the other end of a relation', async () => {
    const [, made] = await ask('POST', 'notes/', [{ text: 'one', seen: [2] }, { text: 'two' }]),
      [one, two] = (made as unknown as { id: number }[]).map((n) => n.id);
    expect((await ask('PATCH', 'houses/1/', { seen_in: [one, two] }))[1]).toMatchObject({
      seen_in: [{ id: one }, { id: two }],
    });
    expect((await ask('PATCH', 'houses/1/', { seen_in: [{ text: 'two' }] }))[1]).toMatchObject({
      seen_in: [{ id: two }],
    });
    expect((await ask('GET', `notes/${one}/?fields=seen`))[1]).toMatchObject({ seen: [{ name: 'h2' }] });
    expect((await ask('GET', `notes/${two}/?fields=seen`))[1]).toMatchObject({ seen: [{ name: 'h1' }] });
    const changes = await town.sql(
      `select key, body::jsonb -> 'prechange' -> 'seen' as before, body::jsonb -> 'postchange' -> 'seen' as after from change where key like 'town.note:%' order by id desc limit 1`,
    );
    expect(changes).toEqual([{ key: `town.note:${one}`, before: [2, 1], after: [2] }]);
    expect(await ask('PATCH', 'houses/1/', { seen_in: [999] })).toEqual([
      400,
      { seen_in: ['Related object not found using the provided numeric ID: 999'] },
    ]);
    expect((await ask('DELETE', 'notes/', [{ id: one }, { id: two }]))[0]).toBe(204);
  });
  test('a tree moves whole branches, and never below themselves', async () => {
    expect(await ask('PATCH', 'districts/1/', { parent: 3 })).toEqual([
      400,
      { parent: ['Cannot assign self or child district as parent.'] },
    ]);
    expect(await ask('PATCH', 'districts/1/', { parent: 2 })).toMatchObject([200, { _depth: 1 }]);
    expect((await ask('GET', 'districts/3/'))[1]).toMatchObject({ _depth: 2 });
    expect(await names('district=south')).toBe('h1,h2');
    expect((await ask('GET', 'districts/2/?fields=house_count'))[1]).toEqual({ house_count: 2 });
    await ask('PATCH', 'districts/1/', { parent: null });
    expect(await names('district=south')).toBe('');
  });
});

describe('what happened', () => {
  test('is recorded with what was and what is', async () => {
    await ask(
      'PATCH',
      'houses/3/',
      { floors: 8, changelog_message: 'grown' },
      { id: '019a0000-0000-7000-8000-0000000000aa' },
    );
    const [last] = await town.sql('select body, key from change order by id desc limit 1'),
      event = JSON.parse(last!['body'] as string) as Record<string, unknown>;
    expect(last!['key']).toBe('town.house:3');
    expect(event).toMatchObject({
      action: 'updated',
      objectType: 'town.house',
      objectId: 3,
      display: 'H10 [h10]',
      message: 'grown',
      request: {
        id: '019a0000-0000-7000-8000-0000000000aa',
        method: 'PATCH',
        path: '/api/town/houses/3/',
        user: 'root',
        userId: 1,
      },
      data: { floors: 8, url: '/api/town/houses/3/' },
      prechange: { floors: null },
      postchange: { floors: 8 },
      row: { floors: 8, id: 3 },
    });
    for (const part of ['data', 'prechange', 'postchange', 'row']) expect(event[part]).not.toHaveProperty('key');
    expect(await names('updated_by_request=019a0000-0000-7000-8000-0000000000aa')).toBe('H10');
    await ask('PATCH', 'houses/3/', { floors: null });
  });
  test('is known to another process before it answers', async () => {
    const other = new Api(town.engine()),
      name = async () =>
        (await ask('GET', 'rooms/1/', undefined, { api: other }))[1] as unknown as { house: { name: string } };
    await name();
    for (const changed of ['h1 a', 'h1 b', 'h1']) {
      await ask('PATCH', 'houses/1/', { name: changed });
      expect((await name()).house.name).toBe(changed);
    }
    const count = async () => (await ask('GET', 'rooms/', undefined, { api: other }))[1].count,
      before = await count();
    const [, { id }] = await ask('POST', 'rooms/', { name: 'more', house: 1 });
    expect(await count()).toBe(before + 1);
    await ask('DELETE', `rooms/${id as unknown as number}/`);
    expect(await count()).toBe(before);
  });
});

describe('permissions', () => {
  const only = user({
    'view town.house': [{ district__slug: 'far' }, { keeper: '$user' }],
    'change town.house': [{ name: 'h1' }],
    'add town.room': [{ house__name: 'h1' }],
    'view town.room': null,
  });
  test('narrow what is seen', async () => {
    expect([
      await names('', only),
      (await ask('GET', 'houses/1/', undefined, { who: only }))[0],
      (await ask('GET', 'houses/2/', undefined, { who: only }))[0],
    ]).toEqual(['h1', 200, 404]);
  });
  test('that are missing refuse', async () => {
    const refused = [403, { detail: 'You do not have permission to perform this action.' }];
    for (const [method, address, body] of [
      ['GET', 'notes/'],
      ['POST', 'houses/', { name: 'x', slug: 'x' }],
      ['DELETE', 'houses/1/'],
      ['PATCH', 'rooms/1/', {}],
    ] as const)
      expect(await ask(method, address, body, { who: only })).toEqual(refused);
  });
  test('hold before and after a change', async () => {
    expect((await ask('PATCH', 'houses/2/', { floors: 1 }, { who: only }))[0]).toBe(404);
    expect((await ask('PATCH', 'houses/1/', { name: 'other' }, { who: only }))[0]).toBe(403);
    expect(await names('name=h1')).toBe('h1');
    expect((await ask('POST', 'rooms/', { name: 'mine', house: 2 }, { who: only }))[0]).toBe(403);
    const [status, { id }] = await ask('POST', 'rooms/', { name: 'mine', house: 1 }, { who: only });
    expect(status).toBe(201);
    await ask('DELETE', `rooms/${id as unknown as number}/`);
  });
  test('also decide which objects attributes may name', async () => {
    expect((await ask('POST', 'rooms/', { name: 'x', house: { slug: 'h2' } }, { who: only }))[1]).toEqual({
      house: ["Related object not found using the provided attributes: {'slug': 'h2'}"],
    });
  });
  test('that cannot be asked show nothing', async () => {
    for (const constraint of [
      { bogus: 1 },
      { floors: 'x' },
      { keeper__biography: 'x' },
      { key: '' },
      { stranger__name: 'x' },
    ] as Constraint[])
      expect(
        (await ask('GET', 'houses/', undefined, { who: user({ 'view town.house': [constraint] }) }))[1].count,
      ).toBe(0);
  });
});

describe('deleting', () => {
  test('takes what belongs to an object with it, and empties what referred to it', async () => {
    const [, { id: house }] = await ask('POST', 'houses/', { name: 'gone', slug: 'gone', district: { slug: 'south' } });
    await ask('POST', 'rooms/', { name: 'in it', house });
    expect((await ask('DELETE', `houses/${house as unknown as number}/`, { changelog_message: 'burnt' }))[0]).toBe(204);
    expect(
      await town.sql(
        `select key, body::jsonb ->> 'action' as action, body::jsonb ->> 'message' as message from change order by id desc limit 2`,
      ),
    ).toEqual(
      expect.arrayContaining([
        { key: `town.house:${house as unknown as number}`, action: 'deleted', message: 'burnt' },
        expect.objectContaining({ key: expect.stringMatching(/^town.room:/), action: 'deleted' }),
      ]),
    );
    const [, { id: district }] = await ask('POST', 'districts/', { name: 'Old', slug: 'old' });
    await ask('PATCH', 'houses/3/', { district });
    expect((await ask('DELETE', `districts/${district as unknown as number}/`))[0]).toBe(204);
    expect((await ask('GET', 'houses/3/?fields=district'))[1]).toEqual({ district: null });
  });
  test('many: all or none', async () => {
    const [, made] = await ask('POST', 'rooms/', [
        { name: 'd1', house: 1 },
        { name: 'd2', house: 1 },
      ]),
      ids = (made as unknown as { id: number }[]).map(({ id }) => ({ id }));
    expect((await ask('DELETE', 'rooms/', [...ids, { id: 999 }]))[0]).toBe(400);
    expect((await ask('GET', `rooms/${ids[0]!.id}/`))[0]).toBe(200);
    expect((await ask('DELETE', 'rooms/', ids))[0]).toBe(204);
    expect((await ask('GET', `rooms/${ids[0]!.id}/`))[0]).toBe(404);
    expect((await ask('DELETE', 'rooms/'))[1]).toEqual({
      non_field_errors: ['Expected a list of items but got type "dict".'],
    });
  });
  test('is refused while something depends on an object, here or elsewhere', async () => {
    const [, { id }] = await ask('POST', 'houses/', { name: 'held', slug: 'held' }),
      house = `houses/${id as unknown as number}/`;
    const [, { id: note }] = await ask('POST', 'notes/', {
      text: 'by the',
      about_type: 'town.house',
      about_id: id,
      landmark: id,
    });
    expect(await ask('DELETE', house)).toEqual([
      409,
      { detail: `Unable to delete object. 1 dependent objects were found: town.house (${note as unknown as number})` },
    ]);
    expect((await ask('DELETE', `notes/${note as unknown as number}/`))[0]).toBe(204);
    dependents = async () => ({ count: 2, names: ['Chess (1)', 'Go (2)'] });
    try {
      expect(await ask('DELETE', house)).toEqual([
        409,
        { detail: 'Unable to delete object. 2 dependent objects were found: Chess (1), Go (2)' },
      ]);
    } finally {
      dependents = nobody;
    }
    dependents = async () => {
      throw new Unreachable('people', new Error('down'));
    };
    try {
      expect((await raw('DELETE', house)).status).toBe(503);
    } finally {
      dependents = nobody;
    }
    // Nothing is left marked by what was refused.
    expect(await town.sql('select 1 from being_deleted')).toEqual([]);
    expect((await ask('DELETE', house))[0]).toBe(204);
  });
  test('nothing is not possible', async () => {
    expect((await ask('DELETE', 'rooms/999/'))[0]).toBe(404);
  });
});

test('OPTIONS tell each requester what it may do', async () => {
  const actions = async (address: string, who: Requester) =>
    Object.keys((await ask('OPTIONS', address, undefined, { who }))[1]['actions'] ?? {});
  const some = user({ 'add town.house': null, 'change town.room': [{ name: 'x' }] });
  expect([
    await actions('houses/', some),
    await actions('rooms/', some),
    await actions('notes/', some),
    await actions('houses/1/', superuser),
  ]).toEqual([['POST'], ['PUT'], [], ['PUT']]);
});

test('references to another service are asked for at their owner, again under the lock when only then the id is known', async () => {
  const asked: unknown[] = [];
  let there = true;
  const owner = new Api(
    town.engine({
      peers: {
        ...peers,
        resolve: async (service, type, references) => {
          asked.push([service, type, references]);
          const results = references.map((r) =>
            'attributes' in r || there ? { id: there ? 5 : 6 } : { error: 'gone' },
          );
          return { results, rows: there ? [{ id: 5, _version: 1, name: 'Eve', slug: 'eve', group_id: null }] : [] };
        },
      },
    }),
  );
  expect((await ask('PATCH', 'houses/1/', { keeper: { slug: 'eve' } }, { api: owner }))[1]).toMatchObject({
    keeper: { id: 5, name: 'Eve' },
  });
  expect(asked).toEqual([
    ['people', 'people.person', [{ attributes: { slug: 'eve' } }]],
    ['people', 'people.person', [{ id: 5 }]],
  ]);
  // By now the replica knows her, so the lock is taken before the first question.
  asked.length = 0;
  expect((await ask('PATCH', 'houses/1/', { keeper: { slug: 'eve' } }, { api: owner }))[0]).toBe(200);
  expect(asked).toEqual([['people', 'people.person', [{ attributes: { slug: 'eve' } }]]]);
  there = false;
  expect(await ask('PATCH', 'houses/1/', { keeper: { slug: 'adam' } }, { api: owner })).toEqual([
    400,
    { keeper: ["Related object not found using the provided attributes: {'slug': 'adam'}"] },
  ]);
});

test('what an attribute may be called is told without what is kept secret', async () => {
  const {
    house: [message],
  } = (await ask('PATCH', 'rooms/1/', { house: { nope: 1 } }))[1] as unknown as { house: string[] };
  expect(message).toMatch(/^Cannot resolve keyword 'nope' into field\. Choices are: .*\bname, .*\bslug\b/);
  expect(message).not.toMatch(/\bkey\b|\bstranger\b/);
});

test('custom fields are looked at when every field by itself is right', async () => {
  expect((await ask('PATCH', 'houses/1/', { floors: 'x', custom_fields: { code: 5 } }))[1]).toEqual({
    floors: ['A valid integer is required.'],
  });
  expect((await ask('PATCH', 'houses/1/', { custom_fields: { code: 5 } }))[1]).toEqual({
    __all__: ["Invalid value for custom field 'code': Value must be a string."],
  });
});

test("objects that protect another service's from deletion are counted and named, and no others", async () => {
  await ask('PATCH', 'houses/1/', { keeper: 1 });
  expect(await answerFor(town.engine(), 'people.person', [1, 2], REQUEST, superuser)).toEqual({
    count: 3,
    names: ['h1 [h1] (1)', 'h2 [h2] (2)', 'r1 (3)'],
  });
  expect(await answerFor(town.engine(), 'people.club', [1], REQUEST, superuser)).toEqual({
    count: 0,
    names: [],
    doomed: [],
  });
});

test('a service that cannot be asked is an answer, and nothing is changed', async () => {
  const unreachable = new Api(
    town.engine({
      peers: {
        ...peers,
        resolve: async () => {
          throw new Unreachable('people', new Error('down'));
        },
      },
    }),
  );
  const answer = await raw('PATCH', 'houses/1/', { keeper: { slug: 'cid' }, floors: 99 }, { api: unreachable });
  expect([answer.status, answer.headers['Retry-After'], JSON.parse(answer.body)]).toEqual([
    503,
    '1',
    { detail: 'The people service cannot be reached. Nothing was changed.' },
  ]);
  expect((await ask('GET', 'houses/1/?fields=floors'))[1]).toEqual({ floors: 2 });
});
