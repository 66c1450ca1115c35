import { expect, test } from '@jest/globals';
import { gatheringFor } from './gather.ts';

test.each([
  ['at rest', 50, 5, 50],
  ['when steps take long', 50, 30, 90],
  ['but not for ever', 50, 1_000, 100],
  ['nor where nobody is to gather', 0, 40, 0],
])('%s', (_, linger, took, expected) => {
  expect(gatheringFor(linger, took)).toBe(expected);
});
