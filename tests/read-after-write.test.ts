import { describe, expect, test } from '@jest/globals';
import { hammer, scenes } from './support/readAfterWrite.ts';
import { useSystem } from './support/system.ts';

const used = useSystem();

/** So often that what is only mostly right is noticed. */
const TIMES = 4;

describe('what was written in one service is seen in others at once:', () => {
  test.each(Object.entries(scenes))('%s', async (_, scene) => {
    for (let i = 0; i < TIMES; i++) await scene(used.admin);
  });
});

test('it is seen while many write and many read', async () => {
  expect(await hammer(used.admin, 8_000)).toBeGreaterThan(0);
});
