import { expect, test } from '@jest/globals';
import { byHalf, depthOf, halvesOf, slotsOf, unitsOf, unitsUsed } from './units.ts';

const frame = { height: 4, first: 1, descending: false };

test('units are numbered from below, or from the top', () => {
  expect(unitsOf(frame)).toEqual([4, 3, 2, 1]);
  expect(unitsOf({ ...frame, first: 10, descending: true })).toEqual([10, 11, 12, 13]);
  expect(depthOf(frame, 3, 2)).toBe(0);
  expect(depthOf(frame, 1, 1)).toBe(3);
  expect(depthOf({ ...frame, descending: true }, 1, 1)).toBe(0);
});

test('what is free are units, and halves beside what takes half a unit', () => {
  const taken = new Set([...halvesOf({ position: 1.5, height: 0.5 }), ...halvesOf({ position: 3, height: 2 })]);
  expect(slotsOf(frame, taken)).toEqual([
    { position: 2, height: 1 },
    { position: 1, height: 0.5 },
  ]);
});

test('what stands at a half unit is found by it, on its face or on both', () => {
  const one = { position: 1, height: 1.5, face: 'front', fullDepth: false } as const;
  const both = { position: 2, height: 0.5, face: 'front', fullDepth: true } as const;
  expect([...byHalf([one, both], 'front')]).toEqual([
    [1, [one]],
    [1.5, [one]],
    [2, [one, both]],
  ]);
  expect([...byHalf([one, both], 'rear')]).toEqual([[2, [both]]]);
});

test('what two take counts once, and nothing outside counts', () => {
  expect(unitsUsed(frame, [1, 1, 1.5, 9])).toBe(1);
  expect(unitsUsed({ ...frame, height: 0 }, [1])).toBe(0);
});
