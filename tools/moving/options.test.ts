import { expect, test } from '@jest/globals';
import { answerBytes } from './options.ts';

test('an answer may have so many MiB, and at least one', () => {
  expect([undefined, '512', '0'].map(answerBytes)).toEqual([256 * 2 ** 20, 512 * 2 ** 20, 2 ** 20]);
  expect(() => answerBytes('5000')).toThrow('--max-answer must be a number, not 5000.');
});
