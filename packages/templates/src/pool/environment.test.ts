import { expect, test } from '@jest/globals';
import { environmentOf } from './environment.ts';

test('the parameters of an environment that change what comes out are kept', () => {
  expect(environmentOf({ trim_blocks: true, lstrip_blocks: false, extensions: ['x'] })).toEqual({
    trimBlocks: true,
    lstripBlocks: false,
  });
  expect([environmentOf(null), environmentOf('x'), environmentOf([])]).toEqual([{}, {}, {}]);
});
