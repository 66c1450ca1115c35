import type { CheckContext, Proposed } from '@cadastre/model';

/**
 * Keeps others that take the same locks waiting until the request ends. The locks are taken in one order, so there are
 * no deadlocks, and by a statement of their own, so that the statements after it see what the others have committed.
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

/** Ids of stored objects that the request is about to replace. */
export const idsOf = (proposed: readonly Proposed[]): number[] =>
  proposed.flatMap(({ before }) => (before ? [Number(before['id'])] : []));
