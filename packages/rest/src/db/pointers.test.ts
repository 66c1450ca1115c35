import { expect, test } from '@jest/globals';
import { Catalogue, count, reached } from '@cadastre/model';
import { district, group, house, note, person, tag, customField, choiceSet } from '../testing/town.ts';
import { pointersSql } from './pointers.ts';
import { reverseSql } from '../serialize/related/reverse.ts';
import { Tables } from './tables.ts';

const told = {
  ...note,
  fields: {
    ...note.fields,
    _district: reached('town.district', 'about:town.district', 'about:town.house/district'),
    _group: reached('people.group', 'landmark.keeper.group'),
  },
};
const known = { ...district, fields: { ...district.fields, note_count: count('town.note', '_district') } };
const catalogue = new Catalogue([
  { service: 'town', models: [known, house, told] },
  { service: 'people', models: [person, group] },
  { service: 'extras', models: [tag, customField, choiceSet] },
]);
const tables = new Tables(catalogue, 'town');

const DISTRICTS =
  `(select w0.id, w0."about_id" as at from "town_note" w0  where w0."about_type" = 'town.district' and w0."about_id" is not null` +
  ` union select w0.id, w1."district_id" as at from "town_note" w0 join "town_house" w1 on w1.id = w0."about_id" where w0."about_type" = 'town.house' and w1."district_id" is not null)`;

test('what objects lead to is a table of pairs', () => {
  expect(pointersSql(tables, told, told.fields._district!.reached!)).toBe(DISTRICTS);
  expect(pointersSql(tables, told, { to: 'people.group', paths: [['landmark', 'keeper', 'group']] })).toBe(
    '(select w0.id, w2."group_id" as at from "town_note" w0 join "town_house" w1 on w1.id = w0."landmark_id" join replica."people_person" w2 on w2.id = w1."keeper_id" where w2."group_id" is not null)',
  );
  expect(pointersSql(tables, told, { to: 'people.x', paths: [['about:firms.firm', 'x']] })).toBe(
    '(select null::bigint as id, null::bigint as at where false)',
  );
});

test('a count by it is of pairs, and depends on what lies between', () => {
  expect(reverseSql(tables, known, known.fields.note_count!)).toBe(
    `select t.at, count(*) from ${DISTRICTS} t where t.at = any($1::bigint[]) group by 1`,
  );
  expect(catalogue.countedIn('town.district', 'complete')).toEqual(['town.house', 'town.note']);
});

test('it must end where it says', () => {
  const wrong = { ...note, fields: { ...note.fields, _group: reached('people.group', 'landmark.keeper') } };
  expect(
    () =>
      new Catalogue([
        { service: 'town', models: [district, house, wrong] },
        { service: 'people', models: [person, group] },
      ]),
  ).toThrow('town.note: _group does not reach one people.group by landmark.keeper');
});
