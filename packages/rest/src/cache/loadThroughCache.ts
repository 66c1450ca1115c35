import type { CacheRegion } from './cache.ts';

/** Where values are looked for before they are loaded. */
export interface LoadContext {
  /** False inside a transaction that has written: what it sees is not yet committed. */
  keep: boolean;
  /** Set when something was shown whose changes are not reported; values that show it are not cached either. */
  uncacheable?: { seen: boolean };
  /**
   * What a transaction has loaded after its last write, by name and id: its change records and its answer show the same
   * objects.
   */
  found?: Map<string, ReadonlyMap<string, unknown>>;
}

/** How far cached values may be used. */
export interface LoadOptions {
  /**
   * Inside a transaction that has written, cached values are not used, for any object or for those named here, as the
   * transaction may have changed them.
   */
  bypass?: boolean | ((id: string) => boolean);
  /** What is loaded is not kept for other requests. */
  uncacheable?: boolean;
  /** What is loaded is committed, even inside a transaction that has written. */
  committed?: boolean;
}

/**
 * Values by id: from the cache, or by one load for those that are not there. A transaction that has written caches only
 * committed values for others, but loads nothing twice after its last write (`found`).
 */
export async function loadThroughCache<V extends {}>(
  readContext: LoadContext,
  name: string,
  region: CacheRegion<V>,
  ids: Iterable<string>,
  load: (missing: string[]) => Promise<Map<string, V>>,
  { bypass, uncacheable, committed = false }: LoadOptions = {},
): Promise<Map<string, V>> {
  const { keep, found } = readContext;
  const values = new Map<string, V>();
  const missing: string[] = [];
  const own = found?.get(name) as ReadonlyMap<string, V> | undefined;
  for (const id of new Set(ids)) {
    const known =
      own?.get(id) ?? (keep || !(typeof bypass === 'function' ? bypass(id) : bypass) ? region.get(id) : undefined);
    if (known === undefined) missing.push(id);
    else values.set(id, known);
  }
  if (!missing.length) return values;
  const loaded = await region.fill(
    () => load(missing),
    () => (keep || committed) && !uncacheable && !readContext.uncacheable?.seen,
  );
  for (const [id, value] of loaded) values.set(id, value);
  if (found) found.set(name, new Map([...(own ?? []), ...loaded]));
  return values;
}
