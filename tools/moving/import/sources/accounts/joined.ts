import type { Dict } from '@cadastre/model';
import type { Collection, Preferences, Source } from '../source.ts';
import type { Account, TokenAccount } from './query.ts';

const USERS = 'users/users';
const TOKENS = 'users/tokens';

/** Reads the accounts from the beginning, users first. */
export type Accounts = () => AsyncIterable<Account>;

/**
 * A source that adds what no API shows: the password hashes of users and whether they are superusers, the values by
 * which tokens are verified, and the preferences of users. What is read of users is held in memory.
 */
export function withAccounts(source: Source, accounts: Accounts): Source {
  async function secretsOfUsers(): Promise<Map<number, Dict>> {
    const secrets = new Map<number, Dict>();
    for await (const one of accounts())
      if (one.kind === 'user') secrets.set(one.id, { password: one.password, is_superuser: one.is_superuser });
    return secrets;
  }
  async function* users(collection: Collection, after?: number): AsyncGenerator<Dict> {
    const secrets = await secretsOfUsers();
    for await (const shown of source.read(collection, after)) yield { ...shown, ...secrets.get(Number(shown['id'])) };
  }
  async function* tokens(after = 0): AsyncGenerator<Dict> {
    for await (const one of accounts()) if (one.kind === 'token' && one.id > after) yield tokenOf(one);
  }
  async function* preferences(): AsyncGenerator<Preferences> {
    for await (const one of accounts())
      if (one.kind === 'user' && one.config && Object.keys(one.config).length)
        yield { user: one.id, config: one.config as Dict };
  }
  return {
    ...source,
    preferences,
    async collections() {
      const others = (await source.collections()).filter(({ path }) => path !== TOKENS);
      let count = 0;
      for await (const { kind } of accounts()) if (kind === 'token') count += 1;
      return [...others, { type: 'users.token', path: TOKENS, count }];
    },
    read: (collection, after) =>
      collection.path === TOKENS
        ? tokens(after)
        : collection.path === USERS
          ? users(collection, after)
          : source.read(collection, after),
  };
}

/** The object as the API would show it, with its hash. */
const tokenOf = ({ kind: _, user_id, plaintext, key, ...token }: TokenAccount): Dict => ({
  ...token,
  display: key ?? `of user ${user_id}`,
  key,
  user: user_id,
  ...(plaintext === null ? {} : { token: plaintext }),
});
