import { type Filter, method } from '@cadastre/model';

/** Saved things that are switched on, and shared or the requester's own. */
export const usable = (): Filter =>
  method('boolean', ({ table, bind, requester }, [wanted]) => {
    const condition = `${table}.enabled and (${table}.shared or ${table}.user_id is not distinct from ${bind(requester)}::bigint and ${table}.user_id is not null)`;
    return wanted === 'true' ? `(${condition})` : `not (${condition})`;
  });
