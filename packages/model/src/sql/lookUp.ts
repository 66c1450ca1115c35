// Parts of statements that look rows up one by one, by an index. PostgreSQL may carry out a plain join or `not exists`
// by reading a table from one end to the other, and does, for as long as a connection keeps the plan that it made when
// the table was small. `offset 0` keeps it from turning these subqueries into joins.

/** The condition that no such row exists. @param from what follows `from`, with a condition that an index serves */
export const none = (from: string): string => `not exists (select from ${from} offset 0)`;

/** The rows that belong to each row before. @param select with a condition that an index serves */
export const lookedUp = (select: string): string => `cross join lateral (${select} offset 0)`;
