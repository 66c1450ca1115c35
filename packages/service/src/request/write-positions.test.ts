import { expect, test } from '@jest/globals';
import {
  parsePositions,
  mergePositions,
  type WritePosition,
  positionReader,
  positionText,
  positionTexts,
} from './write-positions.ts';

const one: WritePosition = { service: 'dcim', first: 5, last: 9, types: new Set([12, 3]), gone: false };
const gone: WritePosition = { service: 'ipam', first: 1, last: 1, types: null, gone: true };

test('is read as it was written', () => {
  expect(positionTexts([one, gone])).toBe('dcim:5-9:12.3,ipam:1-1:*!');
  expect(parsePositions('dcim:5-9:12.3,ipam:1-1:*!')).toEqual([one, gone]);
});

test('many types are any', () =>
  expect(positionText({ ...one, types: new Set(Array.from({ length: 17 }, (_, i) => i)) })).toBe('dcim:5-9:*'));

test.each([
  '',
  'x',
  'dcim:9-5:1',
  'dcim:1-2',
  'dcim:1-2:',
  'dcim:-1-2:1',
  'dcim:1-2:1.',
  'DCIM:1-2:1',
  `dcim:1-${'9'.repeat(16)}:1`,
  'dcim:1-2:1; drop',
])('nothing is read from %j', (text) => expect(parsePositions(text)).toEqual([]));

test('what is wrong takes nothing else along, and no text is read without end', () => {
  expect(parsePositions('x,dcim:5-9:12.3,y')).toEqual([one]);
  expect(parsePositions(Array.from({ length: 1000 }, () => 'dcim:1-2:1').join(','))).toHaveLength(64);
});

test('a reader reads the same, and gives the same object for an entry that it knows', () => {
  const read = positionReader();
  const [first] = read('dcim:5-9:12.3,x,ipam:1-1:*!');
  const again = read('ipam:1-1:*!,dcim:5-9:12.3');
  expect(again).toEqual([gone, one]);
  expect(again[1]).toBe(first);
  expect(read(undefined)).toEqual([]);
});

test('several make one that says at least as much', () => {
  expect(mergePositions([one])).toBe(one);
  expect(mergePositions([one, { ...one, first: 2, last: 3, types: new Set([4]), gone: true }])).toMatchObject({
    service: 'dcim',
    first: 2,
    last: 9,
    types: new Set([12, 3, 4]),
    gone: true,
  });
  expect(mergePositions([one, { ...one, types: null }, one]).types).toBeNull();
  // Knowing one of them must not count as knowing both.
  const [both, again] = [mergePositions([one, { ...one, first: 6 }]), mergePositions([one, { ...one, first: 7 }])];
  expect(new Set([one, both, again].map(positionText)).size).toBe(3);
  expect(parsePositions(positionText(both))).toEqual([both]);
});
