import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Api } from './http.ts';
import { peers } from '../testing/database.ts';
import { town, openApi, raw, ask } from '../testing/http.ts';

describe('creating', () => {
  test('answers with the object, its place and its ETag', async () => {
    const answer = await raw('POST', 'rooms/', { name: 'new', house: 2, number: 9 });
    const made = JSON.parse(answer.body) as { id: number };
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
    openApi();
  });
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
  // By now the replica holds Eve, so the lock is taken before the first question.
  asked.length = 0;
  expect((await ask('PATCH', 'houses/1/', { keeper: { slug: 'eve' } }, { api: owner }))[0]).toBe(200);
  expect(asked).toEqual([['people', 'people.person', [{ attributes: { slug: 'eve' } }]]]);
  there = false;
  expect(await ask('PATCH', 'houses/1/', { keeper: { slug: 'adam' } }, { api: owner })).toEqual([
    400,
    { keeper: ["Related object not found using the provided attributes: {'slug': 'adam'}"] },
  ]);
});

test('custom fields are looked at when every field by itself is right', async () => {
  expect((await ask('PATCH', 'houses/1/', { floors: 'x', custom_fields: { code: 5 } }))[1]).toEqual({
    floors: ['A valid integer is required.'],
  });
  expect((await ask('PATCH', 'houses/1/', { custom_fields: { code: 5 } }))[1]).toEqual({
    __all__: ["Invalid value for custom field 'code': Value must be a string."],
  });
});
