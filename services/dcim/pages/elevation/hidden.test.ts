import { expect, test } from '@jest/globals';
import type { Mounted } from './contents.ts';
import { hiddenIn } from './hidden.ts';

const device = (position: number | null, height: number, more: Partial<Mounted> = {}): Mounted =>
  ({ position, height, face: 'front', fullDepth: false, ...more }) as Mounted;
const read = (hidden: ReturnType<typeof hiddenIn>) => [[...hidden.front], [...hidden.rear]];

test('what is taken by nothing that is seen is hidden', () => {
  const occupied = { front: [1, 1.5, 2, 2.5, 4, 4.5], rear: [2, 2.5] };
  const seen = [device(1, 1), device(2, 1, { fullDepth: true }), device(null, 1)];
  expect(read(hiddenIn(occupied, seen))).toEqual([[4, 4.5], []]);
  expect(read(hiddenIn(occupied, []))).toEqual([occupied.front, occupied.rear]);
  expect(read(hiddenIn(undefined, seen))).toEqual([[], []]);
});
