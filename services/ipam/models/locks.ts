import type { CheckContext, Proposed } from '@cadastre/model';

/**
 * Keeps others who take the same locks waiting until the request ends. The order is always the same, so that nobody
 * waits for each other; a statement of its own, as a later one sees what those have committed who were waited for.
 */
export async function locked(
  query: CheckContext['query'],
  names: readonly string[],
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await query(
    `select ${lock}(key) from (select distinct hashtextextended(name, 0) as key from unnest($1::text[]) as name order by 1) k`,
    [[...new Set(names)]],
  );
}

/** Ids of objects that are there already: what is stored of them is about to be replaced. */
export const idsOf = (proposed: readonly Proposed[]): number[] =>
  proposed.flatMap(({ before }) => (before ? [Number(before['id'])] : []));
