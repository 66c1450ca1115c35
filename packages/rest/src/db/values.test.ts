import { describe, expect, test } from '@jest/globals';
import type { Item } from '../write/context/item.ts';
import { parseItem } from '../write/parse/parse.ts';
import { parseDeletion } from '../write/remove/remove.ts';
import { recordOf } from '../write/store/store.ts';
import { district, house, room } from '../testing/town.ts';
import { addViolation, uniqueRules } from '../write/check/unique.ts';
import { indexOf, storedValue, valuesOf } from './values.ts';
import { requireList } from '../write/update/update.ts';
import { refuseMissing } from '../write/store/permitted.ts';

describe('unique', () => {
  test('fields and sets have the messages that clients know', () => {
    expect(uniqueRules(house).map((r) => [r.key, r.message])).toEqual([
      ['name', 'house with this name already exists.'],
      ['slug', 'house with this slug already exists.'],
    ]);
    expect(uniqueRules(room).map((r) => [r.key, r.columns, r.message])).toEqual([
      ['__all__', ['house_id', 'name'], 'Room with this House and Name already exists.'],
    ]);
    expect(uniqueRules(district).map((r) => [r.where, r.message])).toEqual([
      ['parent_id is not null', 'District with this Parent and Name already exists.'],
      ['parent_id is null', 'A top-level district with this name already exists.'],
    ]);
    expect(
      uniqueRules({ ...room, unique: [{ fields: ['house', 'name', 'number'], key: 'name' }] }).map((r) => [
        r.key,
        r.message,
      ]),
    ).toEqual([['name', 'Room with this House, Name and Number already exists.']]);
  });

  const items = (...objects: Item['values'][]) =>
    objects.map((object, index) => ({
      item: parseItem(room, {}, index, 'patch', { knowsObjectType: () => true }),
      object,
    }));
  test('a violation that PostgreSQL reports becomes messages of the later ones of two that are equal', () => {
    const drafts = items({ house: 1, name: 'A' }, { house: 1, name: 'B' }, { house: 1, name: 'A' });
    expect(addViolation(room, { detail: 'Key (house_id, name)=(1, A) already exists.' }, drafts)).toBe(true);
    expect(drafts.map((d) => d.item.errors)).toEqual([
      {},
      {},
      { __all__: ['Room with this House and Name already exists.'] },
    ]);
  });
  test('or of the first, when another request was faster', () => {
    const drafts = items({ house: 1, name: 'A' }, { house: 1, name: 'B' });
    expect(addViolation(room, { detail: 'Key ("house_id", name)=(1, A) already exists.' }, drafts)).toBe(true);
    expect(drafts.map((d) => Object.keys(d.item.errors))).toEqual([['__all__'], []]);
  });
  test('case does not count where the rule says so', () => {
    const loose = { ...room, unique: [{ fields: ['house', 'name'], ignoreCase: ['name'] }] };
    const drafts = items({ house: 1, name: 'A' }, { house: 1, name: 'a' });
    expect(addViolation(loose, { detail: 'Key (house_id, lower(name::text))=(1, a) already exists.' }, drafts)).toBe(
      true,
    );
    expect(drafts.map((d) => Object.keys(d.item.errors))).toEqual([[], ['__all__']]);
  });
  test("one that no rule explains is nobody's message", () => {
    for (const detail of ['Key (id)=(1) already exists.', 'x', undefined])
      expect(addViolation(room, detail === undefined ? {} : { detail }, items({}))).toBe(false);
  });
});

test('a row becomes stored values by field', () => {
  const columns = ['id', 'name', 'floors', 'height', 'listed', 'guests', 'notes', 'district_id', 'kinds', 'created'];
  expect(
    valuesOf(house, indexOf(columns), [
      '5',
      'A',
      '2',
      '1.50',
      't',
      '{1,2}',
      '{"a": [1]}',
      null,
      '{town.house}',
      '2026-01-01 00:00:00+00',
    ]),
  ).toEqual({
    id: 5,
    name: 'A',
    floors: 2,
    height: '1.50',
    listed: true,
    guests: [1, 2],
    notes: { a: [1] },
    district: null,
    kinds: ['town.house'],
    created: '2026-01-01 00:00:00+00',
  });
  expect([
    storedValue('boolean', 'f'),
    storedValue('integer[]', '{}'),
    storedValue('bigint[]', null),
    storedValue('varchar(5)', '5'),
    storedValue('smallint', '5'),
  ]).toEqual([false, [], null, '5', 5]);
});

test('values become a record by column', () => {
  expect(recordOf(room, { house: 5, name: 'A', room_count: 7, other: 1 })).toEqual({
    house_id: 5,
    name: 'A',
    number: null,
    owner_id: null,
    created: null,
    last_updated: null,
  });
});

describe('a bulk request', () => {
  test('is a list', () => {
    expect(requireList([1])).toEqual([1]);
    for (const [body, type] of [
      [{ id: 5 }, 'dict'],
      ['x', 'str'],
      [undefined, 'dict'],
      [5, 'int'],
    ] as const)
      expect(() => requireList(body)).toThrow(
        expect.objectContaining({
          status: 400,
          body: { non_field_errors: [`Expected a list of items but got type "${type}".`] },
        }),
      );
  });
  test('to delete names ids, and may say why', () => {
    expect(parseDeletion([{ id: 5, changelog_message: 'gone' }, { id: 6 }, { id: 6, changelog_message: 5 }])).toEqual({
      ids: [5, 6],
      messages: new Map([
        [5, 'gone'],
        [6, ''],
      ]),
      single: false,
    });
    expect(() => parseDeletion([{ id: 5 }, {}, { id: 'x' }, 5, null])).toThrow(
      expect.objectContaining({
        status: 400,
        body: [
          {},
          { id: ['This field is required.'] },
          { id: ['A valid integer is required.'] },
          { id: ['This field is required.'] },
          { id: ['This field is required.'] },
        ],
      }),
    );
  });
  test('names every id that is not there', () => {
    expect(() => refuseMissing(room, [1, 2, 3], new Map([[2, 0]]))).toThrow(
      expect.objectContaining({
        status: 400,
        body: {
          id: [
            'No Room with id 1 exists, or you may not touch it.',
            'No Room with id 3 exists, or you may not touch it.',
          ],
        },
      }),
    );
    expect(() => refuseMissing(room, [2], new Map([[2, 0]]))).not.toThrow();
  });
});
