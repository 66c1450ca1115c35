import { describe, expect, test } from '@jest/globals';
import { objectType } from '../fields/plain/list.ts';
import { integer } from '../fields/plain/number.ts';
import { text } from '../fields/plain/text.ts';
import { batched } from '../fields/related/batched.ts';
import { count, generic, ref, referrers, refs } from '../fields/related/relation.ts';
import { path } from '../filters/filter.ts';
import { model } from '../model.ts';
import type { Definition, Model } from '../types/model.ts';
import { Catalogue } from './catalogue.ts';
import { matters } from './replicas.ts';

const simple = (name: string, fields: Definition['fields'], more: Partial<Definition> = {}): Model =>
  model(name, {
    path: `${name}s`,
    label: name,
    brief: ['name'],
    fields: { name: text({ max: 50 }), ...fields },
    ...more,
  });
/** Letters of a post office: to a house of the town's, about anything there, in answer to each other. */
const letter = simple(
  'post.letter',
  {
    house: ref('town.house', { optional: true }),
    sender: ref('people.person', { optional: true }),
    readers: refs('town.house'),
    about_type: objectType({ optional: true }),
    about_id: integer({ optional: true }),
    about: generic('about_type', 'about_id', { to: ['town.house', 'town.lane', 'people.person'] }),
    answers: ref('post.letter', { optional: true }),
  },
  { keptInPart: true },
);
const person = (more: Definition['fields'] = {}) => simple('people.person', more);
const keeping = (house: Definition['fields'], more: Partial<Definition> = {}, others: Definition['fields'] = {}) =>
  new Catalogue([
    { service: 'town', models: [simple('town.house', house, more), simple('town.lane', {})] },
    { service: 'people', models: [person(others)] },
    { service: 'post', models: [letter] },
  ]);

test('are kept in part by a service that looks at those that point at its objects, or that these point at', () => {
  const all = keeping(
    {
      newest: ref('post.letter', { optional: true }),
      letter_count: count('post.letter', 'house'),
      letters: referrers('post.letter', 'about'),
    },
    { filters: { subject: path('newest', 'name') } },
  );
  expect(all.parts('town').get('post.letter')).toEqual({
    name: expect.stringMatching(/^town#[0-9a-z]+$/),
    references: ['house_id', 'answers_id'],
    generics: [{ column: 'about_type', types: ['town.house', 'town.lane'] }],
    mutual: ['answers_id'],
  });
  expect(all.partsOf('post.letter')).toEqual([all.parts('town').get('post.letter')]);
  expect([all.parts('post').size, all.parts('people').size, all.partsOf('town.house'), all.partsOf('no.such')]).toEqual(
    [0, 0, [], []],
  );
});

test('have a name that says what matters of them', () => {
  const [counting, showing] = [
    keeping({ letter_count: count('post.letter', 'house') }),
    keeping({ newest: ref('post.letter', { optional: true }) }),
  ].map((all) => all.parts('town').get('post.letter')!);
  expect(counting!.references).toEqual(['house_id']);
  expect(counting!.name).not.toBe(showing!.name);
});

describe('are kept whole by a service that looks at others too', () => {
  test.each<[string, Catalogue]>([
    [
      'that objects of a third service point at',
      keeping(
        { keeper: ref('people.person') },
        { filters: { letter: path('keeper.favourite') } },
        { favourite: ref('post.letter', { optional: true }) },
      ),
    ],
    [
      'that point at objects of a third service',
      keeping({ keeper: ref('people.person') }, { filters: { letter: path('keeper/<post.letter.sender') } }),
    ],
    ['that have one of its objects in a list', keeping({ letter_count: count('post.letter', 'readers') })],
    [
      'by a statement of its own',
      keeping({ all: batched({ from: ['post.letter'], sql: () => 'select 1', print: () => '1', type: 'integer' }) }),
    ],
    [
      'as its objects follow them',
      keeping(
        { newest: ref('post.letter', { optional: true }) },
        { follows: { 'post.letter': async () => undefined } },
      ),
    ],
  ])('%s', (_, all) => {
    expect(all.replicas('town').has('post.letter')).toBe(true);
    expect(all.parts('town').has('post.letter')).toBe(false);
  });
  test('where the model does not say that this is enough', () => {
    const plain = new Catalogue([
      { service: 'town', models: [simple('town.house', { car: ref('cars.car') })] },
      { service: 'cars', models: [simple('cars.car', {})] },
    ]);
    expect([plain.replicas('town').has('cars.car'), plain.parts('town').size]).toEqual([true, 0]);
  });
});

test('objects matter by what they point at', () => {
  const part = keeping({ newest: ref('post.letter', { optional: true }) })
    .parts('town')
    .get('post.letter')!;
  const is = (row: Record<string, unknown>) => matters(part, (column) => row[column]);
  expect([{ house_id: 1 }, { answers_id: '7' }, { about_type: 'town.lane', about_id: 3 }].map(is)).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    [{}, { house_id: null, sender_id: 2 }, { about_type: 'people.person', about_id: 3 }, { about_type: null }].map(is),
  ).toEqual([false, false, false, false]);
});
