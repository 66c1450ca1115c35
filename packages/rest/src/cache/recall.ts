import type { Shelf } from './cache.ts';

/** Where values are looked for before they are loaded. */
export interface Recalled {
  /** False inside a transaction that has written: what it sees is not yet everybody's truth. */
  keep: boolean;
  /**
   * Whether something was shown of which nothing tells when it is no longer right; what shows it is not remembered
   * either.
   */
  passing?: { seen: boolean };
  /**
   * What a transaction that writes no more has found, by name and id: the record of it and the answer tell of the same
   * objects.
   */
  found?: Map<string, ReadonlyMap<string, unknown>>;
}

/** How far what is remembered counts. */
export interface Recall {
  /**
   * Inside a transaction, what others may see does not count, as it may have changed there: of any object, or of some.
   */
  committed?: boolean | ((id: string) => boolean);
  /** What is loaded is not kept for other requests. */
  passing?: boolean;
  /** What a transaction loads is everybody's truth all the same. */
  everybodys?: boolean;
}

/**
 * Values by id: those that are remembered, and by one load those that are not. A transaction that has written keeps
 * for others only what is everybody's, but what it has found at its end it need not find again.
 */
export async function recall<V extends {}>(
  source: Recalled,
  name: string,
  shelf: Shelf<V>,
  ids: Iterable<string>,
  load: (missing: string[]) => Promise<Map<string, V>>,
  { committed, passing, everybodys = false }: Recall = {},
): Promise<Map<string, V>> {
  const { keep, found } = source;
  const values = new Map<string, V>();
  const missing: string[] = [];
  const own = found?.get(name) as ReadonlyMap<string, V> | undefined;
  for (const id of new Set(ids)) {
    const known =
      own?.get(id) ??
      (keep || !(typeof committed === 'function' ? committed(id) : committed) ? shelf.get(id) : undefined);
    if (known === undefined) missing.push(id);
    else values.set(id, known);
  }
  if (!missing.length) return values;
  const loaded = await shelf.fill(
    () => load(missing),
    () => (keep || everybodys) && !passing && !source.passing?.seen,
  );
  for (const [id, value] of loaded) values.set(id, value);
  if (found) found.set(name, new Map([...(own ?? []), ...loaded]));
  return values;
}
