import { expect, test } from '@jest/globals';
import { ALPHABET, digestOf, newCodes, RECOVERY_CODES } from './recovery.ts';

test('a set is of codes that differ and have no letters that look alike', () => {
  const codes = newCodes();
  expect(new Set(codes).size).toBe(RECOVERY_CODES);
  for (const code of codes) expect(code).toMatch(/^([a-hj-km-np-z2-9]{4}-){5}[a-hj-km-np-z2-9]{4}$/);
});

test('a code has 112 bits of chance at least, as all letters come alike in all places', () => {
  expect(new Set(ALPHABET).size).toBe(ALPHABET.length);
  const codes = Array.from({ length: 100 }, newCodes)
    .flat()
    .map((code) => code.replaceAll('-', ''));
  const [length] = codes.map((code) => code.length);
  expect(length! * Math.log2(ALPHABET.length)).toBeGreaterThanOrEqual(112);
  // That one is missing in one of these places by chance happens once in 10¹¹ runs.
  for (let place = 0; place < length!; place++)
    expect(new Set(codes.map((code) => code[place])).size).toBe(ALPHABET.length);
});

test('a code is known however it is typed, and is another one for each user', () => {
  const right = digestOf(7, 'abcd-efgh-jkmn-pqrs-tuvw-xyz2');
  expect(digestOf(7, ' ABCD efgh JKMN pqrs tuvwXYZ2 ')).toBe(right);
  expect(digestOf(8, 'abcd-efgh-jkmn-pqrs-tuvw-xyz2')).not.toBe(right);
  expect(right).not.toContain('abcd');
});

test('one of the shorter codes that were made before is known as ever', () => {
  expect(digestOf(7, 'abcd-efgh-jkmn-pqrs')).toBe('UtFo0vHTxvzhUpfCpUzEGp1nq01x_2s8lK4_uyPhZg0');
});
