import { upTo } from '../command/api.ts';

/** The three sites of the demo; everything else repeats at each. `n` is the second byte of its addresses. */
export const SITES = [
  {
    slug: 'zrh1',
    name: 'Zurich 1',
    country: 'Switzerland',
    city: 'Zurich',
    zone: 'Europe/Zurich',
    latitude: 47.3769,
    longitude: 8.5417,
    n: 1,
  },
  {
    slug: 'fra1',
    name: 'Frankfurt 1',
    country: 'Germany',
    city: 'Frankfurt',
    zone: 'Europe/Berlin',
    latitude: 50.1109,
    longitude: 8.6821,
    n: 2,
  },
  {
    slug: 'ams1',
    name: 'Amsterdam 1',
    country: 'Netherlands',
    city: 'Amsterdam',
    zone: 'Europe/Amsterdam',
    latitude: 52.3676,
    longitude: 4.9041,
    n: 3,
  },
] as const;
export type Site = (typeof SITES)[number];

export const SERVERS = 4;
export const MACHINES = 4;
export const eachSite = <T>(make: (site: Site) => T[]): T[] => SITES.flatMap(make);

export const router = ({ slug }: Site): string => `${slug}-rtr1`;
export const switches = ({ slug }: Site): string[] => [`${slug}-sw1`, `${slug}-sw2`];
export const servers = ({ slug }: Site): string[] => upTo(SERVERS).map((i) => `${slug}-srv${i}`);
export const pdus = ({ slug }: Site): string[] => [`${slug}-pdu1`, `${slug}-pdu2`];
export const machines = ({ slug }: Site): string[] => upTo(MACHINES).map((i) => `${slug}-vm${i}`);
