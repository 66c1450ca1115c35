import { expect, test } from '@jest/globals';
import { offeredBy } from './choices.ts';

test('a set offers its own choices after those that it starts from', () => {
  const own: [string, string][] = [
    ['b', 'B'],
    ['a', 'Z'],
  ];
  expect(offeredBy({ base_choices: null, extra_choices: own, order_alphabetically: false })).toEqual(own);
  expect(offeredBy({ base_choices: null, extra_choices: own, order_alphabetically: true })).toEqual([
    ['a', 'Z'],
    ['b', 'B'],
  ]);
  const countries = offeredBy({ base_choices: { value: 'ISO_3166' }, extra_choices: own, order_alphabetically: false });
  expect([countries.length, countries.at(-1)]).toEqual([251, ['a', 'Z']]);
});
