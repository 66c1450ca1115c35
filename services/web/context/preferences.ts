import type { Json } from '@cadastre/model';
import { oncePer } from '../ui/memoize.ts';
import type { Config } from '../client/userConfig.ts';
import { isZone } from '../ui/time/zone.ts';

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

const within = (config: Config, group: string, name: string): Json | undefined => {
  const found = config[group];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found[name] : undefined;
};

/** Preferences out of a user's configuration, in which clients keep what they like; the same one is read once. */
export const preferencesIn = oncePer((config: Config): Preferences => {
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
});

/** What to keep in a configuration; what is left empty is no longer chosen. */
export const configOf = ({ scheme, language, zone, perPage }: Partial<Preferences>): Config => ({
  ...(scheme === undefined ? {} : { ui: { colormode: scheme } }),
  locale: { language: language ?? null, timezone: zone ?? null },
  pagination: { per_page: perPage ?? null },
});
