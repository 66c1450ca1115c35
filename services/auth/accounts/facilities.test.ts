import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { facilities } from './facilities.ts';
import { verifyPassword } from '../passwords/password.ts';
import { hashingLimiter } from '../passwords/hashingLimiter.ts';

const policy = {
  passwordMinLength: 12,
  passwordMaxLength: 128,
  passwordCharacterClasses: true,
  passwordRefuseGuessable: true,
};
const cost = { memoryCost: 8_192, timeCost: 2, parallelism: 1 };

test('the models get tokens and passwords made', async () => {
  const apiTokenPeppers = new Map([[1, new Secret('p'.repeat(50))]]);
  const config = { apiTokenPeppers, apiTokenV1: true, apiTokensPerUser: 3, tokenMaxDays: 0, ...policy };
  const log = { info: () => undefined };
  const hashing = { ...hashingLimiter({ atOnce: 1, waiting: 1, waitingEach: 1, waitMs: 60_000 }), cost };
  const { tokens, passwords } = facilities(config, hashing, log);
  expect(tokens.make(1, 'x'.repeat(40))).toMatchObject({
    plaintext: 'x'.repeat(40),
    stored: { version: 1, checksum: expect.stringMatching(/^[0-9a-f]{64}$/), ending: 'xxxxxx' },
  });
  expect([1, 2].map((id) => tokens.hasPepper(id))).toEqual([true, false]);
  expect(tokens.make(2)).toMatchObject({ stored: { version: 2, checksum: null, pepper_id: 1 } });
  expect(() => facilities({ ...config, apiTokenPeppers: new Map() }, hashing, log).tokens.make(2)).toThrow(
    'API_TOKEN_PEPPERS',
  );
  expect(() => facilities({ ...config, apiTokenV1: false }, hashing, log).tokens.make(1)).toThrow('turned off');
  expect(await passwords.problems('a', {})).toHaveLength(2);
  const hashed = await Promise.allSettled([1, 2, 3].map(() => passwords.hash('Correct-Horse-9', 'user 1')));
  expect(hashed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect((hashed[2] as PromiseRejectedResult).reason).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
  const { value } = hashed[0] as PromiseFulfilledResult<string>;
  expect(value).toMatch(/^\$argon2id\$v=19\$m=8192,p=1,t=2\$/);
  expect(await verifyPassword(value, 'Correct-Horse-9', cost)).toBe(true);
});
