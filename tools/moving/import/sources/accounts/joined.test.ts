import type { Dict } from '@cadastre/model';
import { expect, test } from '@jest/globals';
import type { Collection, Source } from '../source.ts';
import { withAccounts } from './joined.ts';
import type { Account } from './query.ts';

const times = { created: null, expires: null, last_used: null };
const token = {
  ...times,
  kind: 'token' as const,
  user_id: 4,
  enabled: true,
  write_enabled: false,
  description: 'd',
  allowed_ips: ['10.0.0.0/8'],
};
const accounts: Account[] = [
  {
    kind: 'user',
    id: 4,
    username: 'ann',
    password: 'pbkdf2_sha256$…',
    is_superuser: true,
    is_active: true,
    first_name: '',
    last_name: '',
    email: '',
    date_joined: null,
    last_login: null,
    config: { ui: { colormode: 'dark' } },
  },
  { ...token, id: 7, version: 1, key: null, plaintext: 'secret', hmac_digest: null, pepper_id: null },
  { ...token, id: 9, version: 2, key: 'abc', plaintext: null, hmac_digest: 'ff', pepper_id: 1 },
];

const collections: Collection[] = [
  { type: 'users.user', path: 'users/users', count: 2 },
  { type: 'users.token', path: 'users/tokens', count: 99 },
  { type: 'dcim.site', path: 'dcim/sites', count: 1 },
];
const shown: Record<string, Dict[]> = {
  'users/users': [
    { id: 4, username: 'ann' },
    { id: 5, username: 'bob' },
  ],
  'dcim/sites': [{ id: 1, name: 'a' }],
};
const source: Source = {
  name: 'there',
  collections: async () => collections,
  async *read({ path }) {
    yield* shown[path]!;
  },
  file: async () => undefined,
  close: async () => undefined,
};
const joined = withAccounts(source, async function* all() {
  yield* accounts;
});
const read = (path: string, after?: number): Promise<Dict[]> =>
  Array.fromAsync(joined.read({ type: '', path, count: 0 }, after));

test('users come with their hashes and ranks, tokens with their proofs, everything else as it is', async () => {
  expect(await read('users/users')).toEqual([
    { id: 4, username: 'ann', password: 'pbkdf2_sha256$…', is_superuser: true },
    { id: 5, username: 'bob' },
  ]);
  expect(await read('users/tokens')).toEqual([
    expect.objectContaining({ id: 7, version: 1, user: 4, key: null, token: 'secret', write_enabled: false }),
    expect.objectContaining({ id: 9, version: 2, user: 4, key: 'abc', hmac_digest: 'ff', pepper_id: 1 }),
  ]);
  expect((await read('users/tokens', 7)).map(({ id }) => id)).toEqual([9]);
  expect(await read('dcim/sites')).toEqual(shown['dcim/sites']);
});

test('what users have chosen is told, of those who have', async () => {
  expect(await Array.fromAsync(joined.preferences!())).toEqual([{ user: 4, config: { ui: { colormode: 'dark' } } }]);
});

test('tokens are those of the accounts', async () => {
  expect((await joined.collections()).map(({ path, count }) => [path, count])).toEqual([
    ['users/users', 2],
    ['dcim/sites', 1],
    ['users/tokens', 2],
  ]);
});
