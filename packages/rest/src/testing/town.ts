// A small world for tests: a town that keeps houses, and two other services whose people, tags and custom fields it
// refers to.
import {
  batched,
  boolean,
  Catalogue,
  choice,
  choices,
  count,
  countBelow,
  column,
  customFields,
  date,
  decimal,
  depth,
  either,
  generic,
  integer,
  json,
  linked,
  list,
  method,
  model,
  objectType,
  objectTypes,
  only,
  owned,
  path,
  primary,
  ref,
  referrers,
  refs,
  slug,
  tags,
  text,
  through,
  timestamps,
  tree,
  typeIdOf,
  uniqueWithin,
  uuid,
  choiceList,
  fails,
} from '@cadastre/model';
import { Tables } from '../query/tables.ts';
import type { Requester } from '../plan/permissions.ts';

const ports = list({
  element: 'integer',
  item: (value) => (typeof value === 'number' ? { value } : fails('A valid integer is required.')),
  lookups: 'numbers',
  optional: true,
  print: (item) => item,
});

export const district = model('town.district', {
  path: 'districts',
  label: 'district',
  ordering: [],
  brief: ['name', 'slug', 'house_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  tree: true,
  features: ['tags', 'customFields', 'changeLogging', 'timestamps'],
  fields: {
    name: text({ max: 50, natural: true }),
    slug: slug(),
    parent: ref('town.district', { optional: true, form: 'nested', onDelete: 'cascade' }),
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps(),
    house_count: countBelow('town.house', 'district'),
    _depth: depth(),
  },
  unique: uniqueWithin('parent', ['name'], { outside: () => 'A top-level district with this name already exists.' }),
});

export const house = model('town.house', {
  path: 'houses',
  label: 'house',
  ordering: ['name'],
  brief: ['name', 'slug'],
  features: primary,
  search: ['name', 'comments', 'floors'],
  key: 'slug',
  display: { columns: ['name', 'slug'], text: ([name, short]) => `${name} [${short}]` },
  fields: {
    name: text({ max: 50, natural: true, unique: true }),
    slug: slug({ unique: true }),
    status: choice(
      choices([
        ['active', 'Active'],
        ['planned', 'Planned'],
      ]),
      { default: 'active' },
    ),
    grade: choice(
      choices([
        [1, 'First'],
        [2, 'Second'],
      ]),
      { numeric: true, optional: true },
    ),
    use: choice(
      choices([
        ['home', 'Home'],
        ['shop', 'Shop'],
      ]),
      { optional: true },
    ),
    floors: integer({ optional: true, min: 0, max: 200, size: 'smallint' }),
    height: decimal({ digits: 6, places: 2, optional: true }),
    listed: boolean(),
    built: date({ optional: true }),
    code: uuid({ optional: true }),
    ports,
    days: choiceList(
      choices([
        ['mo', 'Monday'],
        ['tu', 'Tuesday'],
      ]),
      { optional: true },
    ),
    kinds: objectTypes({ optional: true }),
    notes: json({ optional: true }),
    comments: text({ optional: true, filter: false }),
    key: text({ max: 20, optional: true, secret: true }),
    district: ref('town.district', { optional: true, onDelete: 'setNull' }),
    keeper: ref('people.person', { optional: true }),
    guests: refs('people.person'),
    /** To what no service declares yet. */
    stranger: ref('people.stranger', { optional: true, hidden: true }),
    tags: tags(),
    custom_fields: customFields(),
    ...timestamps(),
    room_count: count('town.room', 'house'),
    rooms: referrers('town.room', 'house'),
    seen_in: referrers('town.note', 'seen', { writable: true, form: 'id' }),
  },
  filters: {
    keeper_group_id: tree('keeper.group'),
    keeper_group: tree('keeper.group', 'slug'),
    room: path('<town.room.house', 'name'),
    room_number: through('<town.room.house', 'number', 'number'),
    kind_id: typeIdOf('kinds'),
    nobody: path('stranger', 'name'),
    note_id: path('<town.note.about'),
    tall: method('boolean', ({ table }, [value]) => `${table}.height > 10 is ${value}`),
    taller: method('number', ({ table, bind }, [value]) => `${table}.height > ${bind(value)}::numeric`),
  },
});

export const room = model('town.room', {
  path: 'rooms',
  label: 'room',
  ordering: ['house', 'name'],
  search: ['number'],
  brief: ['name', 'house'],
  features: ['changeLogging', 'timestamps'],
  fields: {
    house: ref('town.house', { onDelete: 'cascade' }),
    name: text({ max: 50, natural: true }),
    number: integer({ optional: true }),
    owner: ref('people.person', { optional: true }),
    ...timestamps(),
  },
  unique: [{ fields: ['house', 'name'] }],
  follows: {
    /** Rooms have the number of their owner's group. */
    'people.person': async (ids, { query, tableOf, derive }) => {
      const alone = await query(
        `select t.id from ${tableOf('town.room')} t where t.owner_id is null and t.number is not null and not exists (select 1 from ${tableOf('people.person')} p where p.id = any($1::bigint[]))`,
        [ids],
      );
      await derive(
        'town.room',
        alone.map(([id]) => ({ id: Number(id), number: null })),
      );
      const rows = await query(
        `select t.id, p.group_id from ${tableOf('town.room')} t join ${tableOf('people.person')} p on p.id = t.owner_id where p.id = any($1::bigint[]) and t.number is distinct from p.group_id`,
        [ids],
      );
      await derive(
        'town.room',
        rows.map(([id, group]) => ({ id: Number(id), number: group === null ? null : Number(group) })),
      );
    },
  },
});

export const note = model('town.note', {
  path: 'notes',
  label: 'note',
  ordering: ['-id'],
  brief: ['text'],
  features: ['changeLogging'],
  about: { type: 'about_type', id: 'about_id', tells: ['text'] },
  fields: {
    about_type: objectType({ optional: true }),
    about_id: integer({ size: 'bigint', optional: true }),
    about: generic('about_type', 'about_id'),
    text: text({ max: 100 }),
    landmark: ref('town.house', { optional: true }),
    seen: refs('town.house'),
  },
});

/** Stands at or on something, and may mark something that must stay as long as it does. */
export const sign = model('town.sign', {
  path: 'signs',
  label: 'sign',
  ordering: ['text'],
  brief: ['text', 'place'],
  display: {
    columns: ['text'],
    related: ['place'],
    text: ([words], [place]) => (place === null ? words! : `${words} at ${place}`),
  },
  features: ['changeLogging', 'timestamps'],
  fields: {
    text: text({ max: 50 }),
    place_type: objectType(),
    place_id: integer({ size: 'bigint' }),
    place: generic('place_type', 'place_id', { to: ['town.house', 'town.district', 'people.person'] }),
    marks_type: objectType({ optional: true }),
    marks_id: integer({ size: 'bigint', optional: true }),
    marks: generic('marks_type', 'marks_id', { to: ['town.house', 'people.person'], onDelete: 'protect' }),
    ...timestamps(),
  },
  filters: {
    district: either(tree('place:town.district', 'slug'), tree('place:town.house/district', 'slug')),
    who: either(
      path('place:people.person', 'slug'),
      path('place:town.house', 'slug'),
      path('place:town.house/stranger', 'slug'),
    ),
    words: either(column('text', 'string'), through('place:people.person', 'name', 'string')),
    keeper: path('place:town.house/keeper', 'slug'),
    house_id: path('place:town.house'),
    person_name: through('place:people.person', 'name', 'string'),
  },
});

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
export const bar = model('town.bar', {
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

/** Two of a name only where they stand in different districts, and belong to different people. */
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
    /** Stalls have the number of their patron's group. */
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
export const postbox = model('town.postbox', {
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
export const letter = model('people.letter', {
  path: 'letters',
  label: 'letter',
  ordering: ['subject'],
  brief: ['subject'],
  nested: ['subject'],
  keptInPart: true,
  fields: {
    subject: text({ max: 50 }),
    box: ref('town.postbox', { optional: true, onDelete: 'setNull' }),
    answers: ref('people.letter', { optional: true, form: 'nested', onDelete: 'setNull' }),
  },
});

export const person = model('people.person', {
  path: 'people',
  label: 'person',
  plural: 'people',
  ordering: ['name'],
  brief: ['name', 'slug'],
  fields: {
    name: text({ max: 50 }),
    slug: slug({ unique: true }),
    group: ref('people.group', { optional: true }),
    pin: text({ max: 9, secret: true, optional: true }),
    biography: text({ optional: true }),
  },
});
export const group = model('people.group', {
  path: 'groups',
  label: 'group',
  ordering: [],
  brief: ['name', 'slug'],
  tree: true,
  fields: { name: text({ max: 50 }), slug: slug({ unique: true }), parent: ref('people.group', { optional: true }) },
});
export const club = model('people.club', {
  path: 'clubs',
  label: 'club',
  ordering: ['name'],
  brief: ['name'],
  fields: {
    name: text({ max: 50 }),
    home: ref('town.house', { optional: true }),
    den: ref('town.room', { optional: true }),
    emblem: ref('town.sign', { optional: true }),
  },
});
/** Shown with somebody and a club of its own service, of whom the town hears without hearing of it. */
export const member = model('people.member', {
  path: 'members',
  label: 'member',
  ordering: ['id'],
  brief: ['person', 'club'],
  display: { columns: ['id'], related: ['person'], text: ([id], [name]) => `${name} (${id})` },
  fields: { person: ref('people.person'), club: ref('people.club') },
});
/** Shown with a house of the town's. */
export const stay = model('people.stay', {
  path: 'stays',
  label: 'stay',
  ordering: ['id'],
  brief: ['house'],
  display: { columns: ['id'], text: ([id]) => id! },
  fields: { house: ref('town.house') },
});

export const tag = model('extras.tag', {
  path: 'tags',
  label: 'tag',
  ordering: ['name'],
  brief: ['name', 'slug'],
  nested: ['name', 'slug'],
  fields: {
    name: text({ max: 50, unique: true }),
    slug: slug({ unique: true }),
    object_types: objectTypes({ optional: true, filter: false }),
  },
});
export const customField = model('extras.customfield', {
  path: 'custom-fields',
  label: 'custom field',
  ordering: ['name'],
  brief: ['name'],
  fields: {
    object_types: objectTypes(),
    name: text({ max: 50 }),
    label: text({ max: 50, optional: true }),
    type: text({ max: 50 }),
    related_object_type: text({ max: 100, optional: true, nullable: true }),
    group_name: text({ max: 50, optional: true }),
    required: boolean(),
    unique: boolean(),
    default: json({ optional: true }),
    weight: integer({ default: 100 }),
    filter_logic: text({ max: 50, default: 'loose' }),
    validation_minimum: decimal({ digits: 16, places: 4, optional: true }),
    validation_maximum: decimal({ digits: 16, places: 4, optional: true }),
    validation_regex: text({ max: 500, optional: true }),
    validation_schema: json({ optional: true }),
    choice_set: ref('extras.customfieldchoiceset', { optional: true }),
  },
});
export const choiceSet = model('extras.customfieldchoiceset', {
  path: 'custom-field-choice-sets',
  label: 'choice set',
  ordering: ['name'],
  brief: ['name'],
  fields: {
    name: text({ max: 100 }),
    base_choices: text({ max: 50, optional: true, nullable: true }),
    extra_choices: json({ optional: true }),
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
/** Somebody with just these permissions, by `<action> <type>`. */
export const user = (
  byAction: Requester['grants']['byAction'] extends Map<string, infer V> ? Record<string, V> : never,
): Requester => ({
  userId: 7,
  username: 'ann',
  grants: { superuser: false, userId: 7, byAction: new Map(Object.entries(byAction)) },
});
