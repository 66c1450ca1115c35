import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { bitsOf, MIN_TOKEN_BITS } from './tokenStrength.ts';

test.each([
  'a'.repeat(40),
  '0123456789'.repeat(4),
  '9876543210'.repeat(4),
  '0123456789abcdef0123456789abcdef01234567',
  'abcdefghijklmnopqrstuvwxyz01234567890abc',
  'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCd',
  'aabbccddeeffgghhiijjkkllmmnnooppqqrrsstt',
  'ab'.repeat(20),
  `${'0'.repeat(39)}1`,
  'password'.repeat(5),
  'deadbeef'.repeat(5),
  'qwertyuiopasdfghjklzxcvbnm1234567890qwer',
  `${'x'.repeat(30)}k4Jd93mZpQ`,
  'passwordpasswordPassword1234567890Passwo',
])('%s is guessed', (text) => {
  expect(bitsOf(text)).toBeLessThan(MIN_TOKEN_BITS);
});

test('what chance makes is not, of whatever kind of characters', () => {
  for (let i = 0; i < 500; i += 1) {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    const mixed = Array.from({ length: 40 }, () => letters[randomInt(letters.length)]).join('');
    for (const text of [mixed, mixed.toLowerCase(), randomBytes(20).toString('hex')])
      expect([text, bitsOf(text) >= MIN_TOKEN_BITS]).toEqual([text, true]);
  }
});
