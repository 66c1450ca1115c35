import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Catalogue, model, text } from '@cadastre/model';
import { catalogue, district, house, person, tables } from '../testing/town.ts';
import { reverseSql } from '../serialize/related/reverse.ts';
import { selectList } from './select.ts';
import { Binder, likeText } from './sql.ts';
import { Tables } from './tables.ts';

test('a binder numbers what it is given', () => {
  const binder = new Binder();
  expect([binder.bind('a'), binder.bind(['b']), binder.bind(null)]).toEqual(['$1', '$2', '$3']);
  expect(binder.values).toEqual(['a', ['b'], null]);
});

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');

/** LIKE as PostgreSQL reads it. */
function like(pattern: string, value: string): boolean {
  const parts = [...pattern.matchAll(/\\([\s\S])|([\s\S])/gu)].map(([, escaped, plain]) =>
    escaped !== undefined ? literal(escaped) : plain === '%' ? '[^]*' : plain === '_' ? '[^]' : literal(plain!),
  );
  return new RegExp(`^${parts.join('')}$`, 'u').test(value);
}

test('a text as a pattern matches itself and nothing else', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\\', '.', '*') });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(like(likeText(one), one)).toBe(true);
      expect(like(likeText(one), other)).toBe(one === other);
      expect(like(`%${likeText(one)}%`, other)).toBe(other.includes(one));
    }),
  );
});

describe('tables', () => {
  test('are the own ones and replicas', () => {
    expect([tables.nameOf('town.house'), tables.nameOf('people.person')]).toEqual([
      '"town_house"',
      'replica."people_person"',
    ]);
    expect(() => tables.nameOf('people.club')).toThrow('objects of people.club are not kept in town');
    expect([
      tables.owns('town.house'),
      tables.owns('people.person'),
      tables.has('people.person'),
      tables.has('people.club'),
      tables.has('people.stranger'),
    ]).toEqual([true, false, true, false, false]);
  });
  test('have the columns that are kept', () => {
    expect([...tables.columnsOf(person).keys()]).toEqual(['id', 'name', 'slug', 'group_id', '_version']);
    expect([...tables.columnsOf(district).keys()]).toContain('_path');
    expect(selectList(tables, person, ['id', 'biography', 'name'])).toBe('t."id", null as "biography", t."name"');
  });
  test('hold any object where something points at anything', () => {
    expect([tables.keepsAnyObject, new Tables(catalogue, 'people').keepsAnyObject]).toEqual([true, false]);
  });
  test('with odd names are quoted', () => {
    const odd = model('a.b', {
      path: 'x',
      label: 'x',
      ordering: [],
      brief: [],
      fields: { name: text() },
      table: 'a"b',
    });
    expect(new Tables(new Catalogue([{ service: 'a', models: [odd] }]), 'a').nameOf('a.b')).toBe('"a""b"');
  });
});

describe('what points at objects', () => {
  test('is counted, or listed in its own order', () => {
    expect(reverseSql(tables, house, house.fields['room_count']!)).toBe(
      'select t."house_id", count(*) from "town_room" t where t."house_id" = any($1::bigint[]) group by 1',
    );
    expect(reverseSql(tables, house, house.fields['rooms']!)).toBe(
      'select t."house_id", array_agg(t.id order by o1."name" collate "natural", t."name" collate "natural", t.id) from "town_room" t join "town_house" o1 on o1.id = t."house_id" where t."house_id" = any($1::bigint[]) group by 1',
    );
  });
  test('below a tree likewise', () => {
    expect(reverseSql(tables, district, district.fields['house_count']!)).toBe(
      'select a.id, count(*) from unnest($1::bigint[]) as a(id) join "town_district" d on d."_path" @> array[a.id] join "town_house" t on t."district_id" = d.id group by 1',
    );
  });
});
