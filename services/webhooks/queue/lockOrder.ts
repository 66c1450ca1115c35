/**
 * The part `mine` of a statement: locks deliveries, the lowest id first, before it changes them. Statements that meet
 * over many rows wait for each other then, where they would each hold what the other wants next. `ids` is a query.
 */
export const lockedInOrder = (ids: string): string =>
  `mine as materialized (select id from webhook_delivery where id in (${ids}) order by id for no key update)`;
