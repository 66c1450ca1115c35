import { expect, test } from '@jest/globals';
import { keysIn } from './keyed.ts';

test('members are named once, whatever schemas say of them', () => {
  expect(
    keysIn([
      { properties: { speed: { type: 'integer' }, b: true } },
      { properties: { speed: { type: 'string' }, a: { title: 'A' } } },
      { properties: ['x'] },
      null,
      undefined,
    ]),
  ).toEqual([
    ['a', { title: 'A' }],
    ['b', {}],
    ['speed', { type: 'integer' }],
  ]);
});
