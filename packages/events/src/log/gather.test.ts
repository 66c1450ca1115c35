import { expect, test } from '@jest/globals';
import { gatheringFor } from './gather.ts';

test.each([
  ['at rest', 50, 5, 3, 50],
  ['when steps take long', 50, 30, 3, 90],
  ['but not for ever', 50, 1_000, 3, 100],
  ['when steps hold many messages', 50, 5, 20, 100],
  ['nor where nobody is to gather', 0, 40, 30, 0],
])('%s', (_, linger, took, messages, expected) => {
  expect(gatheringFor(linger, took, messages)).toBe(expected);
});
