import { describe, expect, test } from '@jest/globals';
import { countBelow, ref } from '@cadastre/model';
import { district, group, house, note, room, superuser, tables } from '../testing/town.ts';
import { orderSql } from './order.ts';

const NATURAL = 'collate "natural"';
const order = (names: string[] | null, model = house) => orderSql(tables, model, names).by;

test('is that of the model unless something is asked for, and total by the id', () => {
  expect(order(null)).toBe(`t."name" ${NATURAL}, t.id`);
  expect(order([])).toBe(`t."name" ${NATURAL}, t.id`);
  expect(order(null, note)).toBe('t.id desc');
  expect(order(null, district)).toBe(`t."_sort" ${NATURAL}, t.id`);
});

test('of a model may be by the id of a reference, and put objects without one first', () => {
  expect(order(null, { ...house, ordering: ['keeper_id nulls first', '-floors'] })).toBe(
    't."keeper_id" nulls first, t."floors" desc, t.id',
  );
  expect(order(['keeper_id'])).toBe(order(null));
});

test('is turned round term by term, with missing values at the other end', () => {
  const both = (names: string[] | null, model = house) => {
    const { by, reversed } = orderSql(tables, model, names);
    return [by, reversed];
  };
  expect(both(['-floors', 'built'])).toEqual([
    't."floors" desc, t."built", t.id',
    't."floors", t."built" desc, t.id desc',
  ]);
  expect(both(null, { ...house, ordering: ['keeper_id nulls first', '-id'] })).toEqual([
    't."keeper_id" nulls first, t.id desc',
    't."keeper_id" desc nulls last, t.id',
  ]);
});

test('goes by columns, either way', () => {
  expect(order(['-floors', 'name'])).toBe(`t."floors" desc, t."name" ${NATURAL}, t.id`);
  expect(order(['-id', 'name'])).toBe(`t.id desc, t."name" ${NATURAL}`);
  expect(order(['_depth'], district)).toBe('cardinality(t."_path"), t.id');
  expect(order(['_path'], district)).toBe('t."_path", t.id');
});

describe('by a reference', () => {
  test('is the order of the objects referred to', () => {
    expect(order(['keeper'])).toBe('(select r."name" from replica."people_person" r where r.id = t."keeper_id"), t.id');
  });
  test('to a tree is the order of the tree', () => {
    expect(order(['-district'])).toBe(
      `(select r."_sort" from "town_district" r where r.id = t."district_id") ${NATURAL} desc, t.id`,
    );
  });
  test('goes over all terms of the other order', () => {
    expect(order(['owner'], room)).toBe(
      `(select r."name" from replica."people_person" r where r.id = t."owner_id"), t.id`,
    );
  });
  test('that every row has, within the service, is joined', () => {
    expect(orderSql(tables, room, ['house'])).toEqual({
      by: `o1."name" ${NATURAL}, t.id`,
      joins: ' join "town_house" o1 on o1.id = t."house_id"',
      reversed: `o1."name" ${NATURAL} desc, t.id desc`,
      terms: [
        { sql: `o1."name" ${NATURAL}`, direction: '' },
        { sql: 't.id', direction: '' },
      ],
      types: ['town.house'],
    });
  });
  test('turns round when the other order is turned', () => {
    const last = { ...tables.catalogue.get('town.house'), ordering: ['-floors', 'name'] };
    const get = tables.catalogue.get.bind(tables.catalogue);
    tables.catalogue.get = (type) => (type === 'town.house' ? last : get(type));
    try {
      expect([order(['house'], room), order(['-house'], room)]).toEqual([
        `o1."floors" desc, o1."name" ${NATURAL}, t.id`,
        `o1."floors", o1."name" ${NATURAL} desc, t.id`,
      ]);
    } finally {
      tables.catalogue.get = get;
    }
  });
  test('goes on over references that the other order names', () => {
    const far = { ...house, fields: { ...house.fields, best: ref('town.room', { optional: true }) } };
    expect(order(['best'], far)).toBe(
      `(select (select rr."name" from "town_house" rr where rr.id = r."house_id") from "town_room" r where r.id = t."best_id") ${NATURAL}, (select r."name" from "town_room" r where r.id = t."best_id") ${NATURAL}, t.id`,
    );
  });
  test('of the own model likewise', () => {
    expect(order(null, room)).toBe(`o1."name" ${NATURAL}, t."name" ${NATURAL}, t.id`);
  });
});

test('tells of which types it looks at other objects', () => {
  const types = (names: string[], model = house) => orderSql(tables, model, names).types;
  expect(types(['name', '-id'])).toEqual([]);
  expect(types(['keeper'])).toEqual(['people.person']);
  expect(types(['room_count'])).toEqual(['town.room']);
  const far = { ...house, fields: { ...house.fields, best: ref('town.room', { optional: true }) } };
  expect(types(['best'], far)).toEqual(['town.house', 'town.room']);
  expect(types(['-house_count'], district)).toEqual(expect.arrayContaining(['town.house']));
});

test('by a count is a count', () => {
  expect(order(['room_count'])).toBe('(select count(*) from "town_room" s where s."house_id" = t.id), t.id');
  expect(order(['-house_count'], district)).toBe(
    '(select count(*) from "town_house" s join "town_district" d on s."district_id" = d.id where d."_path" @> array[t.id]) desc, t.id',
  );
});

test('by what points at several, or below, counts each once', () => {
  const watched = { ...district, fields: { ...district.fields, guests: countBelow('town.house', 'guests') } };
  expect(order(['guests'], watched)).toBe(
    '(select count(*) from "town_house" s where exists (select 1 from "town_district" d where d.id = any(s."guests") and d."_path" @> array[t.id])), t.id',
  );
});

test('leaves out what cannot be sorted by, and says so', () => {
  const unknown: string[] = [];
  const names = [
    'bogus',
    '-floors',
    'constructor',
    '__proto__',
    'tags',
    'rooms',
    'key',
    'stranger',
    '-',
    '',
    'floors" desc; drop table x; --',
    'display',
  ];
  expect(orderSql(tables, house, names, superuser, (name) => unknown.push(name)).by).toBe('t."floors" desc, t.id');
  expect(unknown).toEqual(names.filter((n) => n !== '-floors'));
  expect(order(['bogus'])).toBe(order(null));
  expect(order(['_sort', '_depth'])).toBe(order(null));
  expect(order(['house_count'], group)).toBe(order(null, group));
});
