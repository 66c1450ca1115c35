import { expect, test } from '@jest/globals';
import { isRoomy, memoryFolder } from './memory-folder.ts';

const GB = 2 ** 30;

test('there has to be room in it, and on the machine', () => {
  expect(isRoomy(12 * GB, 20 * GB)).toBe(true);
  // What containers have unless they are given more.
  expect(isRoomy(GB / 16, 20 * GB)).toBe(false);
  expect(isRoomy(12 * GB, 8 * GB)).toBe(false);
});

test('is undefined where there is no such folder', () => {
  expect(memoryFolder('/no/such/folder')).toBeUndefined();
});
