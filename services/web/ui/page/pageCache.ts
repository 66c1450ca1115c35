import { randomBytes } from 'node:crypto';
import { escaped } from '@cadastre/pages';
import { LRUCache } from 'lru-cache';
import { structuralKey } from './structuralKey.ts';

/** The most bytes that are cached, in all and for one page. */
const MOST = { all: 12_000_000, page: 1_500_000 };

/** Placeholder for the CSRF token, which differs from page to page; as it is random, it occurs nowhere else. */
const PLACE = `csrf-${randomBytes(16).toString('hex')}`;

/** A page, split at the CSRF tokens. */
type Pieces = readonly Buffer[];

const remembered = new LRUCache<string, { pieces: Pieces; size: number }>({
  maxSize: MOST.all,
  maxEntrySize: MOST.page,
  sizeCalculation: ({ size }, key) => size + key.length,
});

/**
 * Does not render a page again with the same data: the cache key consists of everything that the template is given,
 * including the user. Only the CSRF token differs.
 */
export function cachedPage(
  view: string,
  data: Readonly<Record<string, unknown>> & { csrfToken: string },
  draw: (view: string, data: Record<string, unknown>) => string,
): Buffer {
  const key = `${view} ${structuralKey({ ...data, csrfToken: '' })}`;
  let known = remembered.get(key);
  if (!known) {
    const pieces = draw(view, { ...data, csrfToken: PLACE })
      .split(PLACE)
      .map((piece) => Buffer.from(piece));
    known = { pieces, size: pieces.reduce((sum, piece) => sum + piece.length, 0) };
    remembered.set(key, known);
  }
  const mark = Buffer.from(escaped(data.csrfToken));
  return Buffer.concat(known.pieces.flatMap((piece, i) => (i === 0 ? [piece] : [mark, piece])));
}
