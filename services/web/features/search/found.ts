import type { Shown } from '@cadastre/pages';

/** What was found of one type. */
export interface Found {
  label: string;
  /** The full list of it. */
  href: string;
  count: number;
  /** Whether there are more than were counted. */
  more: boolean;
  hits: Hit[];
}

export interface Hit {
  label: string;
  href: string;
  description: string;
  /** How well it fits: 0 is what was asked for itself, 1 begins like it, 2 holds it, 3 fits by something else. */
  rank: number;
}

/** How well a name fits what was asked for. */
export function rankOf(name: string, asked: string): number {
  const [text, wanted] = [name.toLowerCase(), asked.trim().toLowerCase()];
  // An address is asked for without its length.
  if (text === wanted || text.startsWith(`${wanted}/`)) return 0;
  if (text.startsWith(wanted)) return 1;
  return text.includes(wanted) ? 2 : 3;
}

/** Objects as hits, those first whose names fit best. */
export const hitsOf = (objects: readonly Shown[], asked: string, pageOf: (url: string) => string | undefined): Hit[] =>
  objects
    .flatMap((one): Hit[] => {
      const href = pageOf(one.url);
      const description = typeof one['description'] === 'string' ? one['description'] : '';
      return href === undefined ? [] : [{ label: one.display, href, description, rank: rankOf(one.display, asked) }];
    })
    .sort((a, b) => a.rank - b.rank);

/** Types whose objects bear the name come first; else they stay in their order. */
export const bestFirst = (found: readonly Found[]): Found[] =>
  found.toSorted((a, b) => Math.min(2, a.hits[0]?.rank ?? 2) - Math.min(2, b.hits[0]?.rank ?? 2));
