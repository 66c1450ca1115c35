import { model, ref, slug, text } from '@cadastre/model';

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
