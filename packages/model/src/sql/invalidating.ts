/**
 * If more objects of a type than this have changed, they are not named one by one: caches drop all objects of the type.
 */
const NAMED = 100;

/**
 * SQL that notes in `cache_invalidation` which objects have changed, for all processes that cache something of them.
 * @param rows a select of types (as numbers) and ids
 */
export const invalidating = (rows: string): string =>
  `insert into cache_invalidation (type, id) select distinct type, case when count(*) over (partition by type) > ${NAMED} then 0 else id end from (${rows}) as o (type, id)`;
