import { describe, expect, jest, test } from '@jest/globals';
import { credentials } from '../arrive/credentials.ts';
import { identities, refusalOf, type Verified } from './identities.ts';

const good = (id = 1, more: Partial<NonNullable<Verified['token']>> = {}): Verified => ({
  error: '',
  user: { id, username: `user${id}`, superuser: false },
  token: { id: id * 10, writeEnabled: true, expires: '', allowedIps: [], ...more },
  permissionsVersion: 1,
});
const bad: Verified = { error: 'Invalid v1 token', user: null, token: null, permissionsVersion: 0 };
const token = (text: string) => {
  const found = credentials(`Token ${text}`);
  if (found.kind !== 'token') throw new Error(text);
  return found;
};
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function setUp(answer: () => Promise<Verified>, times = { ttlMs: 10_000, refusalTtlMs: 10_000 }) {
  const verify = jest.fn(answer);
  return { verify, ...identities({ verify, max: 100, ...times }) };
}

describe('identities', () => {
  test('asks once per token, also when many requests arrive at the same time', async () => {
    const { verify, find } = setUp(async () => {
      await pause(5);
      return good();
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => find(token('a'), '')));
    await find(token('a'), '');
    await find(token('b'), '');
    expect(new Set(all).size).toBe(1);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('remembers refusals briefly', async () => {
    const { verify, find } = setUp(async () => bad, { ttlMs: 600_000, refusalTtlMs: 1_000 });
    await find(token('a'), '');
    await find(token('a'), '');
    expect(verify).toHaveBeenCalledTimes(1);
    await pause(1_100);
    await find(token('a'), '');
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('a failed call is not remembered', async () => {
    let calls = 0;
    const { find } = setUp(async () => {
      if (++calls === 1) throw new Error('auth is down');
      return good();
    });
    await expect(find(token('a'), '')).rejects.toThrow('auth is down');
    expect((await find(token('a'), '')).user?.id).toBe(1);
  });

  test('forgets one token, the tokens of one user, or all', async () => {
    let id = 0;
    const { verify, find, invalidate } = setUp(async () => good(++id));
    for (const text of ['a', 'b']) await find(token(text), '');
    invalidate({ tokenId: 10 });
    for (const text of ['a', 'b']) await find(token(text), '');
    expect(verify).toHaveBeenCalledTimes(3);
    invalidate({ userId: 2 });
    for (const text of ['a', 'b']) await find(token(text), '');
    expect(verify).toHaveBeenCalledTimes(4);
    invalidate('all');
    for (const text of ['a', 'b']) await find(token(text), '');
    expect(verify).toHaveBeenCalledTimes(6);
  });

  test('an answer that was under way during an invalidation is not kept', async () => {
    const answers: ((verified: Verified) => void)[] = [];
    const { verify, find, invalidate } = setUp(() => new Promise((done) => answers.push(done)));
    const early = find(token('a'), '');
    invalidate('all');
    const late = find(token('a'), '');
    expect(verify).toHaveBeenCalledTimes(2);
    answers[0]!(good(1));
    expect((await early).user?.id).toBe(1);
    expect(find(token('a'), '')).toBe(late);
    answers[1]!(bad);
    expect((await late).error).toBe('Invalid v1 token');
    expect((await find(token('a'), '')).error).toBe('Invalid v1 token');
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('guesses do not drive out the tokens in use', async () => {
    const verify = jest.fn(async (given: { text: string }) => (given.text === 'mine' ? good() : bad));
    const { find } = identities({ verify, max: 5, ttlMs: 10_000, refusalTtlMs: 10_000 });
    await find(token('mine'), '');
    for (let i = 0; i < 50; i++) await find(token(`guess${i}`), '');
    const before = verify.mock.calls.length;
    await find(token('mine'), '');
    expect(verify).toHaveBeenCalledTimes(before);
  });
});

describe('refusalOf', () => {
  const known = async (verified: Verified) => setUp(async () => verified).find(token('a'), '');
  const now = Date.parse('2026-01-01T00:00:00Z');

  test('a good token is not refused', async () => expect(refusalOf(await known(good()), null, now)).toBeNull());
  test('an unknown one is', async () => expect(refusalOf(await known(bad), '192.0.2.1', now)).toBe('Invalid v1 token'));
  test('addresses are looked at before the rest', async () => {
    const one = await known({ ...good(1, { allowedIps: ['192.0.2.0/24'] }), error: 'Token disabled' });
    expect(refusalOf(one, '127.0.0.1', now)).toBe(
      'Source IP 127.0.0.1 is not permitted to authenticate using this token.',
    );
    expect(refusalOf(one, null, now)).toMatch(/^Client IP address could not be determined/);
    expect(refusalOf(one, '192.0.2.7', now)).toBe('Token disabled');
  });
  test('a token expires while it is remembered', async () => {
    const one = await known(good(1, { expires: '2026-01-01T00:00:01Z' }));
    expect(refusalOf(one, null, now)).toBeNull();
    expect(refusalOf(one, null, now + 1000)).toBe('Token expired');
    expect(refusalOf(await known(good(1, { expires: 'gibberish' })), null, now)).toBe('Token expired');
  });
});
