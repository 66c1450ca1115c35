import { expect, test } from '@jest/globals';
import { type Command, UsageError } from './command.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';

const one = {
  id: 3,
  user: { username: 'ada' },
  display: 'abcdef',
  description: 'backup',
  enabled: false,
  expires: null,
  last_used: '2026-01-02T03:04:05Z',
};

const strict = {
  max_days: 30,
  default_days: 30,
  idle_days: 10,
  warn_days: [14, 7, 1],
  rotation_seconds: 0,
  rotation_max_seconds: 60,
  per_user: 100,
};
let policy: object = strict;

async function run(
  command: Command,
  words: string[],
  more: { user?: string; seconds?: string } = {},
): Promise<{ asked: [string, string, unknown][]; printed: string[]; failure: Error | undefined }> {
  const asked: [string, string, unknown][] = [];
  const printed: string[] = [];
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    asked.push([method, path, body]);
    const username = new URLSearchParams(path.split('?')[1]).get('username');
    if (username !== null) return { results: username.startsWith('nobody') ? [] : [{ id: 7, username }] };
    if (path.includes('revoke')) return { count: 2 };
    if (path.includes('policy')) return policy;
    if (method === 'GET') return { next: null, results: [one, { ...one, id: 4, enabled: true, last_used: null }] };
    if (path === '/api/users/users/') return { id: 9 };
    return method === 'DELETE' ? undefined : { version: 2, key: 'k', token: 't' };
  };
  const failure = await command
    .run(words, { send, print: (line) => printed.push(line), service: undefined, all: false, ...more })
    .then(
      () => undefined,
      (error: Error) => error,
    );
  return { asked, printed, failure };
}

test('tokens are listed with what an operator looks for', async () => {
  expect(await run(tokens, ['list'])).toEqual({
    asked: [['GET', '/api/users/tokens/?limit=1000', undefined]],
    printed: [
      '3  ada  abcdef  used 2026-01-02T03:04:05Z  expires never  disabled  backup',
      '4  ada  abcdef  used never  expires never  backup',
    ],
    failure: undefined,
  });
  const { asked } = await run(tokens, ['list'], { user: 'a b' });
  expect(asked.map(([, path]) => path)).toEqual([
    '/api/users/users/?username=a%20b',
    '/api/users/tokens/?limit=1000&user_id=7',
  ]);
});

test('the policy is told in sentences, without those that say nothing', async () => {
  const told = await run(tokens, ['policy']);
  expect([told.asked, told.printed]).toEqual([
    [['GET', '/api/users/tokens/policy/', undefined]],
    [
      'A token has to expire within 30 days.',
      'One that says nothing expires after 30 days.',
      'One that was not used for 10 days counts no longer.',
      'Its user is warned 14, 7, 1 days before it expires.',
      'When it is rotated it goes on for 0 seconds, at most 60.',
      'A user may have 100 tokens.',
    ],
  ]);
  policy = { ...strict, max_days: null, default_days: null, idle_days: null, warn_days: [] };
  expect((await run(tokens, ['policy'])).printed).toEqual([
    'A token need not expire.',
    'One that says nothing does not expire.',
    'When it is rotated it goes on for 0 seconds, at most 60.',
    'A user may have 100 tokens.',
  ]);
  expect((await run(tokens, ['policy', '3'])).failure).toBeInstanceOf(UsageError);
});

test('a token is rotated, and those of a user revoked', async () => {
  expect(await run(tokens, ['rotate', '3'])).toMatchObject({
    asked: [['POST', '/api/users/tokens/3/rotate/', {}]],
    printed: ['Bearer svc_k.t'],
  });
  expect((await run(tokens, ['rotate', '3'], { seconds: '60' })).asked).toEqual([
    ['POST', '/api/users/tokens/3/rotate/', { valid_seconds: 60 }],
  ]);
  const revoked = await run(tokens, ['revoke'], { user: 'ada' });
  expect([revoked.asked.at(-1), revoked.printed]).toEqual([
    ['POST', '/api/users/users/7/revoke-tokens/', {}],
    ['Deleted: 2.'],
  ]);
  expect((await run(tokens, ['revoke'], { user: 'nobody' })).failure?.message).toBe('There is no user nobody.');
});

test('a machine account is made without a password that anybody knows, or loses the one it has', async () => {
  const made = await run(users, ['machine', 'nobody-yet']);
  expect(made.asked.map(([method, path]) => `${method} ${path}`)).toEqual([
    'GET /api/users/users/?username=nobody-yet',
    'POST /api/users/users/',
    'DELETE /api/users/users/9/password/',
    'POST /api/users/tokens/',
  ]);
  expect(made.printed).toEqual(['Bearer svc_k.t']);
  const { password } = made.asked[1]![2] as { password: string };
  expect(password.length).toBeGreaterThan(60);
  const there = await run(users, ['machine', 'ada']);
  expect(there.asked.map(([method, path]) => `${method} ${path}`).at(-1)).toBe('DELETE /api/users/users/7/password/');
  expect(there.printed).toEqual(['ada has no password any more. Its tokens go on.']);
});

test.each([
  [tokens, ['rotate'], {}],
  [tokens, ['rotate', 'x'], {}],
  [tokens, ['rotate', '3', '4'], {}],
  [tokens, ['rotate', '3'], { seconds: 'soon' }],
  [tokens, ['revoke'], {}],
  [tokens, ['revoke', 'ada'], { user: 'ada' }],
  [tokens, ['list'], { user: '' }],
  [users, ['machine'], {}],
  [users, ['machine', 'a', 'b'], {}],
] as const)('%# asks for nothing that there is', async (command, words, more) => {
  const { failure, printed } = await run(command, [...words], more);
  expect([failure instanceof UsageError, printed]).toEqual([true, []]);
});
