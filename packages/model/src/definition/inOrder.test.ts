import { expect, test } from '@jest/globals';
import type { RuleContext } from '../types/rule.ts';
import { inOrder } from './inOrder.ts';

test('the first rule that objects is heard, and those after it are not asked', async () => {
  const asked: string[] = [];
  const rule = inOrder(
    () => undefined,
    async () => ({}),
    () => ({ name: ['a'] }),
    () => {
      asked.push('last');
      return { name: ['b'] };
    },
  );
  expect(await rule({}, {} as RuleContext)).toEqual({ name: ['a'] });
  expect(asked).toEqual([]);
  expect(await inOrder(() => undefined)({}, {} as RuleContext)).toBeUndefined();
});
