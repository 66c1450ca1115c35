import type { CacheRegion } from './cache.ts';

/** Where values are looked for before they are loaded. */
export interface LoadContext {
  /** False inside a transaction that has written: what it sees is not yet committed. */
  keep: boolean;
  /**
   * Whether something was shown of which nothing tells when it is no longer right; what shows it is not remembered
   * either.
   */
  uncacheable?: { seen: boolean };
  /**
   * What a transaction that writes no more has found, by name and id: the record of it and the answer tell of the same
   * objects.
   */
  found?: Map<string, ReadonlyMap<string, unknown>>;
}

/** How far what is remembered counts. */
export interface LoadOptions {
  /**
   * Inside a transaction, what others may see does not count, as it may have changed there: of any object, or of some.
   */
  bypass?: boolean | ((id: string) => boolean);
  /** What is loaded is not kept for other requests. */
  uncacheable?: boolean;
  /** What a transaction loads is committed all the same. */
  committed?: boolean;
}

/**
 * Values by id: those that are remembered, and by one load those that are not. A transaction that has written keeps
 * for others only what is committed, but what it has found at its end it need not find again.
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
