/**
 * The part `mine` of a statement: locks deliveries by ascending id before they are changed, so that concurrent
 * statements over many rows wait for each other instead of deadlocking. `ids` is a query.
 */
export const lockedInOrder = (ids: string): string =>
  `mine as materialized (select id from webhook_delivery where id in (${ids}) order by id for no key update)`;
