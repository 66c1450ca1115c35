import { expect, test } from '@jest/globals';
import { digestOf, newCodes, RECOVERY_CODES } from './recovery.ts';

test('a set is of codes that differ and have no letters that look alike', () => {
  const codes = newCodes();
  expect(new Set(codes).size).toBe(RECOVERY_CODES);
  for (const code of codes) expect(code).toMatch(/^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/);
});

test('a code is known however it is typed, and is another one for each user', () => {
  const right = digestOf(7, 'abcd-efgh-jkmn-pqrs');
  expect(digestOf(7, ' ABCD efgh JKMN pqrs ')).toBe(right);
  expect(digestOf(8, 'abcd-efgh-jkmn-pqrs')).not.toBe(right);
  expect(right).not.toContain('abcd');
});
