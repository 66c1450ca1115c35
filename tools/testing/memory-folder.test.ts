import { expect, test } from '@jest/globals';
import { availableIn, isRoomy, memoryFolder } from './memory-folder.ts';

const GB = 2 ** 30;

test('there has to be room in it, and on the machine', () => {
  expect(isRoomy(12 * GB, 20 * GB)).toBe(true);
  // What containers have unless they are given more.
  expect(isRoomy(GB / 16, 20 * GB)).toBe(false);
  expect(isRoomy(12 * GB, 8 * GB)).toBe(false);
});

test('Linux tells how much memory is available', () => {
  expect(availableIn('MemTotal:       25282828 kB\nMemAvailable:   18875924 kB\nBuffers: 1 kB\n')).toBe(
    18_875_924 * 1024,
  );
  expect(availableIn('')).toBe(0);
});

test('where there is no such folder there is none', () => {
  expect(memoryFolder('/no/such/folder')).toBeUndefined();
});
