import type { Json } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { LRUCache } from 'lru-cache';

export const SCHEMES = ['light', 'dark', 'system'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** What a user has chosen for the pages; undefined where nothing was. */
export interface Preferences {
  scheme: Scheme;
  language: string | undefined;
  zone: string | undefined;
  perPage: number | undefined;
  /** Whether keys of one letter do something. */
  keys: boolean;
}

/** Where the API keeps them: the names are those that users of the reference have. */
export const configPath = '/api/users/config/';

type Config = { [name: string]: Json };

const within = (config: Config, group: string, name: string): Json | undefined => {
  const found = config[group];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found[name] : undefined;
};

export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
};

/** Preferences out of a user's configuration, in which clients keep what they like. */
export function preferencesIn(config: Config): Preferences {
  const scheme = within(config, 'ui', 'colormode');
  const language = within(config, 'locale', 'language');
  const zone = within(config, 'locale', 'timezone');
  const perPage = within(config, 'pagination', 'per_page');
  return {
    scheme: SCHEMES.find((one) => one === scheme) ?? 'system',
    language: typeof language === 'string' && language !== '' ? language : undefined,
    zone: typeof zone === 'string' && zone !== '' && isZone(zone) ? zone : undefined,
    perPage: typeof perPage === 'number' && perPage > 0 ? perPage : undefined,
    keys: within(config, 'ui', 'keys') !== false,
  };
}

/** What to keep in a configuration; what is left empty is no longer chosen. */
export const configOf = ({ scheme, language, zone, perPage }: Partial<Preferences>): Config => ({
  ...(scheme === undefined ? {} : { ui: { colormode: scheme } }),
  locale: { language: language ?? null, timezone: zone ?? null },
  pagination: { per_page: perPage ?? null },
});

/** A page does not wait for what was read a moment ago; who changes it sees that at once in this process. */
const KEPT_MS = 15_000;

export interface KnownPreferences {
  of(userId: number, api: Pick<Api, 'get'>): Promise<Preferences>;
  forget(userId: number): void;
}

export function knownPreferences(): KnownPreferences {
  const known = new LRUCache<number, Promise<Preferences>>({ max: 10_000, ttl: KEPT_MS });
  return {
    of(userId, api) {
      let found = known.get(userId);
      if (!found) {
        // A page without them is better than none.
        found = api.get<Config>(configPath).then(preferencesIn, () => {
          known.delete(userId);
          return preferencesIn({});
        });
        known.set(userId, found);
      }
      return found;
    },
    forget: (userId) => void known.delete(userId),
  };
}
