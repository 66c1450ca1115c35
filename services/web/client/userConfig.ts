import type { Json } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import type { UserIdentity } from '@cadastre/service/identity';
import { LRUCache } from 'lru-cache';

/** The configuration that clients, including these pages, keep for a user. */
export type Config = { readonly [name: string]: Json };

/** Where the API keeps it; the names in it are the ones that users of the reference already have. */
export const configPath = '/api/users/config/';

export const NOTHING_KEPT: Config = Object.freeze({});
/** The most that is cached, in characters of JSON. */
const KEPT = 16_000_000;

export interface UserConfigs {
  /** A user's configuration in the version that their identity names; empty if the API does not provide it. */
  of(user: Pick<UserIdentity, 'userId' | 'configVersion'>, api: Pick<Api, 'ask'>): Config | Promise<Config>;
}

/**
 * Asks for each version once. No entry becomes stale: a changed configuration has a version of its own, which the
 * identity names.
 */
export function userConfigs(): UserConfigs {
  const known = new LRUCache<string, Config>({ maxSize: KEPT });
  return {
    of({ userId, configVersion: version }, api) {
      if (version === '') return NOTHING_KEPT;
      const key = `${userId} ${version}`;
      return known.get(key) ?? ask();

      async function ask(): Promise<Config> {
        // A page without preferences is better than no page.
        const found = await api.ask<Config>('GET', configPath).catch(() => null);
        if (found === null) return NOTHING_KEPT;
        // The configuration may have changed since the identity was issued, so only the version that was asked for is
        // cached.
        if (found.headers.get('etag') === `"${version}"`)
          known.set(key, found.body, { size: JSON.stringify(found.body).length });
        return found.body;
      }
    },
  };
}
