import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { sessions } from './sessions.ts';
import { factorChallenges } from './factor-challenges.ts';

const secret = new Secret('s'.repeat(32));
const half = { userId: 7, stamp: 'stamp', method: 'password', factors: ['totp' as const], next: '/a/' };

test('between two steps the client keeps what only we can have written', async () => {
  const mine = factorChallenges(secret, 60);
  const { cookie, step } = await mine.begin(half);
  expect(step).toMatchObject({ ...half, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await mine.open(cookie)).toEqual(step);
  for (const other of ['', 'x', `${cookie.slice(0, -3)}abc`]) expect(await mine.open(other)).toBeNull();
  expect(await factorChallenges(new Secret('o'.repeat(32)), 60).open(cookie)).toBeNull();
});

test('it ends, and is no session; nor is a session one', async () => {
  expect(await factorChallenges(secret, 60).open((await factorChallenges(secret, -1).begin(half)).cookie)).toBeNull();
  const { cookie } = await factorChallenges(secret, 60).begin(half);
  expect(await sessions(secret, 60).open(cookie)).toBeNull();
  expect(await factorChallenges(secret, 60).open(await sessions(secret, 60).begin(7, 'stamp'))).toBeNull();
});
