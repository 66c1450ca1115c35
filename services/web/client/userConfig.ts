import type { Json } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import type { UserIdentity } from '@cadastre/service/identity';
import { LRUCache } from 'lru-cache';

/** What clients keep for a user, pages among them. */
export type Config = { readonly [name: string]: Json };

/** Where the API keeps it: the names are those that users of the reference have. */
export const configPath = '/api/users/config/';

export const NOTHING_KEPT: Config = Object.freeze({});
/** So much of them is remembered, in characters of JSON. */
const KEPT = 16_000_000;

export interface UserConfigs {
  /** What is kept for a user as of the version that their identity names; nothing where the API does not say. */
  of(user: Pick<UserIdentity, 'userId' | 'configVersion'>, api: Pick<Api, 'ask'>): Config | Promise<Config>;
}

/** Asks for each version once. Nothing goes stale: what has changed comes with an identity that names another one. */
export function userConfigs(): UserConfigs {
  const known = new LRUCache<string, Config>({ maxSize: KEPT });
  return {
    of({ userId, configVersion: version }, api) {
      if (version === '') return NOTHING_KEPT;
      const key = `${userId} ${version}`;
      return known.get(key) ?? ask();

      async function ask(): Promise<Config> {
        // A page without preferences is better than none.
        const found = await api.ask<Config>('GET', configPath).catch(() => null);
        if (found === null) return NOTHING_KEPT;
        // It may have been changed since the identity was made, and back again later.
        if (found.headers.get('etag') === `"${version}"`)
          known.set(key, found.body, { size: JSON.stringify(found.body).length });
        return found.body;
      }
    },
  };
}
