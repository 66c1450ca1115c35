import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { typeId } from '@cadastre/model';
import type { Constraint, Requester } from '../core/requester.ts';
import { superuser, user } from '../testing/town.ts';
import { town, REQUEST, raw, ask, names, statements } from '../testing/http.ts';

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

  // Every family of lookups against PostgreSQL: which houses match.
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
    ['room_number__empty=true', 'h1,h2,H10'],
    ['room_number__empty=false', 'h1'],
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
  test('is the same however its id is written', async () => {
    expect((await raw('GET', 'houses/001/')).body).toBe((await raw('GET', 'houses/1/')).body);
  });
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
    await statements('GET', 'houses/1/?exclude=rooms,seen_in');
    // The poll for invalidations.
    expect(await statements('GET', 'rooms/')).toBe(1);
    expect(await statements('GET', 'houses/1/?exclude=rooms,seen_in')).toBe(1);
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

test('what an attribute may be called is told without what is kept secret', async () => {
  const {
    house: [message],
  } = (await ask('PATCH', 'rooms/1/', { house: { nope: 1 } }))[1] as unknown as { house: string[] };
  expect(message).toMatch(/^Cannot resolve keyword 'nope' into field\. Choices are: .*\bname, .*\bslug\b/);
  expect(message).not.toMatch(/\bkey\b|\bstranger\b/);
});
