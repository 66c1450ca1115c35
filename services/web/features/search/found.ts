import type { Shown } from '@cadastre/pages';

/** The search results of one type. */
export interface Found {
  label: string;
  /** The address of the complete list. */
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
  /**
   * How well the name matches: 0 equals the search text, 1 begins with it, 2 contains it, 3 matches by something else.
   */
  rank: number;
}

/** How well a name matches the search text. */
export function rankOf(name: string, asked: string): number {
  const [text, wanted] = [name.toLowerCase(), asked.trim().toLowerCase()];
  // An address also matches when it is typed without its prefix length.
  if (text === wanted || text.startsWith(`${wanted}/`)) return 0;
  if (text.startsWith(wanted)) return 1;
  return text.includes(wanted) ? 2 : 3;
}

/** Objects as hits, best match first. */
export const hitsOf = (objects: readonly Shown[], asked: string, pageOf: (url: string) => string | undefined): Hit[] =>
  objects
    .flatMap((one): Hit[] => {
      const href = pageOf(one.url);
      const description = typeof one['description'] === 'string' ? one['description'] : '';
      return href === undefined ? [] : [{ label: one.display, href, description, rank: rankOf(one.display, asked) }];
    })
    .sort((a, b) => a.rank - b.rank);

/** Types with an object whose name matches well come first; otherwise types keep their order. */
export const bestFirst = (found: readonly Found[]): Found[] =>
  found.toSorted((a, b) => Math.min(2, a.hits[0]?.rank ?? 2) - Math.min(2, b.hits[0]?.rank ?? 2));
