import { type Cell, isoOf, type Model } from '@cadastre/model';

/** Weak ETag of a row: the time of its last change, else of its creation; none for objects that record neither. */
export function etagOf(model: Model, columns: readonly string[], cells: Cell[]): string | undefined {
  for (const name of ['last_updated', 'created']) {
    const at = name in model.fields ? columns.indexOf(name) : -1;
    if (at >= 0 && cells[at] != null) return `W/"${isoOf(cells[at], '+00:00')}"`;
  }
  return undefined;
}

/**
 * Whether an `If-Match` header allows a change of the object with this ETag. Weak and strong forms of one value are
 * equal.
 */
export function matches(ifMatch: string, etag: string | undefined): boolean {
  if (ifMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return etag !== undefined && ifMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
