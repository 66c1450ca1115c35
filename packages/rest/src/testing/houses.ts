import {
  boolean,
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
  list,
  method,
  model,
  objectType,
  objectTypes,
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
    /** Refers to a type that no service declares yet. */
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
    /** The number of a room is that of its owner's group. */
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
