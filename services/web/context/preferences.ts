import type { Json } from '@cadastre/model';
import { oncePer } from '../ui/memoize.ts';
import type { Config } from '../client/userConfig.ts';
import { isZone } from '../ui/time/zone.ts';

export const SCHEMES = ['light', 'dark', 'system'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** The user's choices for the pages; undefined where the user has made no choice. */
export interface Preferences {
  scheme: Scheme;
  language: string | undefined;
  zone: string | undefined;
  perPage: number | undefined;
  /** Whether single-letter keyboard shortcuts are active. */
  keys: boolean;
}

const within = (config: Config, group: string, name: string): Json | undefined => {
  const found = config[group];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found[name] : undefined;
};

/** Preferences from a user's configuration, where clients keep them; the same configuration is parsed only once. */
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

/** The preferences as a change to the configuration; an empty value removes the choice. */
export const configOf = ({ scheme, language, zone, perPage }: Partial<Preferences>): Config => ({
  ...(scheme === undefined ? {} : { ui: { colormode: scheme } }),
  locale: { language: language ?? null, timezone: zone ?? null },
  pagination: { per_page: perPage ?? null },
});
