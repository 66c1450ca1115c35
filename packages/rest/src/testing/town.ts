import {
  batched,
  Catalogue,
  count,
  customFields,
  integer,
  linked,
  model,
  only,
  owned,
  ref,
  text,
} from '@cadastre/model';
import { Tables } from '../db/tables.ts';
import type { Requester } from '../core/requester.ts';
import type { WriteContext } from '../write/context/context.ts';
import { letter, person, group, club, member, stay } from './people.ts';
import { tag, customField, choiceSet } from './extras.ts';
import { district, house, room, note, sign } from './houses.ts';
export * from './extras.ts';
export * from './houses.ts';
export * from './people.ts';

/** The names and numbers of the rooms of a key's house. */
const rooms = batched({
  from: ['town.room'],
  sql: ({ tableOf }) =>
    `select t.id, r.name, r.number from ${tableOf('town.key')} t join ${tableOf('town.room')} r on r.house_id = t.house_id where t.id = any($1::bigint[]) order by r.name`,
  print: (rows) => `{${rows.map(([name, number]) => `${JSON.stringify(name)}:${number ?? 'null'}`).join()}}`,
  empty: '{}',
  schema: { type: 'object' },
});

/** The other keys of the same house, and what a key's sign stands at. */
const twins = linked({
  from: [],
  to: ['town.key'],
  sql: ({ tableOf }) =>
    `select t.id, 'town.key', o.id from ${tableOf('town.key')} t join ${tableOf('town.key')} o on o.house_id = t.house_id and o.id <> t.id where t.id = any($1::bigint[]) order by o.id`,
});

const opens = linked({
  many: false,
  from: ['town.sign'],
  sql: ({ tableOf }) =>
    `select t.id, s.place_type, s.place_id from ${tableOf('town.key')} t join ${tableOf('town.sign')} s on s.id = t.sign_id where t.id = any($1::bigint[])`,
});

/** A key's house, with its first room inside. */
const lodging = linked({
  many: false,
  from: ['town.room'],
  to: ['town.house', 'town.room'],
  members: ['room'],
  sql: ({ tableOf }) =>
    `select t.id, x.type, x.at from ${tableOf('town.key')} t, lateral (select 'town.house', t.house_id union all (select 'town.room', r.id from ${tableOf('town.room')} r where r.house_id = t.house_id order by r.id limit 1)) as x(type, at) where t.id = any($1::bigint[])`,
});

const gone = batched({
  from: ['people.stranger'],
  sql: ({ tableOf }) => `select id from ${tableOf('people.stranger')}`,
  print: () => '1',
  type: 'integer',
});

/** Opens a sign's box; one without a name is called after the keeper of its house, and after the sign. */
export const key = model('town.key', {
  path: 'keys',
  label: 'key',
  ordering: ['id'],
  brief: ['name'],
  features: ['changeLogging'],
  display: {
    columns: ['name', 'id'],
    related: ['house.keeper', 'sign'],
    when: ([name]) => !name,
    text: ([name, id], [keeper, sign]) => name || `${keeper ?? 'nobody'}, ${sign ?? 'no sign'} (${id})`,
  },
  fields: {
    name: text({ max: 50, optional: true }),
    house: ref('town.house', { onDelete: 'cascade' }),
    sign: ref('town.sign', { optional: true }),
    spare: ref('town.key', { optional: true }),
    rooms,
    twins,
    opens,
    lodging,
    gone,
  },
});

/** A bar of a gate, on one of its sides. */
const bar = model('town.bar', {
  path: 'bars',
  label: 'bar',
  part: 'hidden',
  ordering: ['place'],
  brief: ['place'],
  features: ['changeLogging'],
  unique: [{ fields: ['gate', 'side', 'place'] }],
  fields: {
    gate: ref('town.gate', { onDelete: 'cascade' }),
    side: text({ max: 1 }),
    place: integer({ min: 1 }),
    smith: ref('people.person', { optional: true, form: 'id' }),
    weight: integer({ optional: true }),
  },
});

export const gate = model('town.gate', {
  path: 'gates',
  label: 'gate',
  ordering: ['name'],
  brief: ['name'],
  features: ['changeLogging'],
  fields: {
    name: text({ max: 50 }),
    weight: integer({ default: 1 }),
    left: owned(
      bar,
      'gate',
      { position: 'place', made_by: 'smith' },
      { where: { side: 'L' }, complete: (rows, { weight }) => rows.map((row) => ({ ...row, weight: weight! })) },
    ),
    right: owned(bar, 'gate', { position: 'place' }, { where: { side: 'R' } }),
  },
});

/** Two stalls of one name differ in their trader or district, and in their patron and number where they have them. */
export const stall = model('town.stall', {
  path: 'stalls',
  label: 'stall',
  ordering: ['name'],
  brief: ['name'],
  features: ['changeLogging'],
  fields: {
    name: text({ max: 30 }),
    district: ref('town.district', { optional: true, onDelete: 'setNull' }),
    trader: ref('people.person', { optional: true, onDelete: 'setNull' }),
    patron: ref('people.person', { optional: true }),
    number: integer({ optional: true }),
  },
  unique: [
    { fields: ['name', 'trader', 'district'] },
    { fields: ['name', 'patron'], where: 'patron_id is not null' },
    { fields: ['name', 'number'], where: 'number is not null' },
  ],
  follows: {
    /** The number of a stall is that of its patron's group. */
    'people.person': async (ids, { query, tableOf, derive }) => {
      const rows = await query(
        `select t.id, p.group_id from ${tableOf('town.stall')} t join ${tableOf('people.person')} p on p.id = t.patron_id where p.id = any($1::bigint[]) and t.number is distinct from p.group_id`,
        [ids],
      );
      await derive(
        'town.stall',
        rows.map(([id, group]) => ({ id: Number(id), number: group === null ? null : Number(group) })),
      );
    },
  },
});

/** Shows one of the many letters there are, and counts those that were put in. */
const postbox = model('town.postbox', {
  path: 'postboxes',
  label: 'postbox',
  ordering: ['name'],
  brief: ['name'],
  features: ['customFields', 'changeLogging'],
  fields: {
    name: text({ max: 50 }),
    newest: ref('people.letter', { optional: true, onDelete: 'setNull', form: only('subject', 'answers') }),
    custom_fields: customFields(),
    letter_count: count('people.letter', 'box'),
  },
});

export const catalogue = new Catalogue([
  { service: 'town', models: [district, house, room, note, sign, key, bar, gate, postbox, stall] },
  { service: 'people', models: [person, group, club, member, stay, letter] },
  { service: 'extras', models: [tag, customField, choiceSet] },
]);

/** The models as the town's service sees them. */
export const tables = new Tables(catalogue, 'town');

export const superuser: Requester = {
  userId: 1,
  username: 'root',
  grants: { superuser: true, userId: 1, byAction: new Map() },
};

/** A request by which the superuser writes. */
export const context: WriteContext = {
  who: superuser,
  cause: { id: '019a0000-0000-7000-8000-0000000000bb', method: 'POST', path: '/x', user: 'root', userId: 1 },
  base: '',
};

/** Somebody with just these permissions, by `<action> <type>`. */
export const user = (
  byAction: Requester['grants']['byAction'] extends Map<string, infer V> ? Record<string, V> : never,
): Requester => ({
  userId: 7,
  username: 'ann',
  grants: { superuser: false, userId: 7, byAction: new Map(Object.entries(byAction)) },
});
