import { expect, test } from '@jest/globals';
import { isFree, type Occupant, occupantOf, unitsText } from './rackSpace.ts';

const rack = { first: 1, count: 10 };
const at = (position: number, more: Partial<Occupant> = {}): Occupant => ({
  position,
  height: 1,
  face: 'front',
  fullDepth: true,
  ...more,
});

test('a rack ends where its units end', () => {
  expect([
    isFree(rack, [], 1, 10, null),
    isFree(rack, [], 1, 10.5, null),
    isFree(rack, [], 0.5, 1, null),
    isFree(rack, [], 10, 1, null),
    isFree(rack, [], 10.5, 0.5, null),
    isFree(rack, [], 10.5, 1, null),
  ]).toEqual([true, false, false, true, true, false]);
  expect([isFree({ first: 5, count: 2 }, [], 4.5, 1, null), isFree({ first: 5, count: 2 }, [], 5, 2, null)]).toEqual([
    false,
    true,
  ]);
});

test('nothing stands where something else does, by half units', () => {
  const taken = [at(3, { height: 1.5 })];
  expect([2, 2.5, 3, 4, 4.5].map((position) => isFree(rack, taken, position, 1, null))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(isFree(rack, taken, 2.5, 0.5, null)).toBe(true);
});

test('what takes half the depth leaves the other face', () => {
  const shallow = [at(3, { fullDepth: false })];
  expect([
    isFree(rack, shallow, 3, 1, 'rear'),
    isFree(rack, shallow, 3, 1, 'front'),
    isFree(rack, shallow, 3, 1, null),
  ]).toEqual([true, false, false]);
  expect(isFree(rack, [at(3)], 3, 1, 'rear')).toBe(false);
});

test('a device takes the units of its type', () => {
  expect(occupantOf({ position: '2.5', face: 'rear' }, { u_height: '2.0', is_full_depth: false })).toEqual({
    position: 2.5,
    height: 2,
    face: 'rear',
    fullDepth: false,
  });
  expect([
    occupantOf({ position: null, face: null }, { u_height: '1.0' }),
    occupantOf({ position: '1.0', face: 'front' }, null),
  ]).toEqual([undefined, undefined]);
  expect([unitsText('10'), unitsText(2.5)]).toEqual(['10.0', '2.5']);
});
