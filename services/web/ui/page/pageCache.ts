import { randomBytes } from 'node:crypto';
import { escaped } from '@cadastre/pages';
import { LRUCache } from 'lru-cache';
import { structuralKey } from './structuralKey.ts';

/** So many bytes are remembered at most, and so many of one page. */
const MOST = { all: 12_000_000, page: 1_500_000 };

/** Stands where the mark of the form goes, which no two pages share; nobody can guess it, so it stands nowhere else. */
const PLACE = `csrf-${randomBytes(16).toString('hex')}`;

/** A page, cut where the mark of the form goes. */
type Pieces = readonly Buffer[];

const remembered = new LRUCache<string, { pieces: Pieces; size: number }>({
  maxSize: MOST.all,
  maxEntrySize: MOST.page,
  sizeCalculation: ({ size }, key) => size + key.length,
});

/**
 * A page that says the same again as it has before, to the same person, is not drawn again: it is known by everything
 * that its template is given. Only the mark of its forms is another one.
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
