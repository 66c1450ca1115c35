import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { facilities } from './facilities.ts';
import { verifyPassword } from './password.ts';

test('the models get tokens and passwords made', async () => {
  const { tokens, passwords } = facilities(new Map([[1, new Secret('p'.repeat(50))]]));
  expect(tokens.make(1, 'x'.repeat(40))).toMatchObject({ plaintext: 'x'.repeat(40), stored: { version: 1, plaintext: 'x'.repeat(40) } });
  expect(tokens.make(2)).toMatchObject({ stored: { version: 2, plaintext: null, pepper_id: 1 } });
  expect(() => facilities(new Map()).tokens.make(2)).toThrow('API_TOKEN_PEPPERS');
  expect(passwords.problems('a')).toHaveLength(2);
  expect(await verifyPassword(await passwords.hash('Correct-Horse-9'), 'Correct-Horse-9')).toBe(true);
});
