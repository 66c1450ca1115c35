// Statements about the outbox's queue. They run all the time, on tables of which PostgreSQL may know nothing yet: in
// the minutes after a start, or while much is written, its statistics lag behind. So each says by its form how it is to
// be carried out: along the index of the queue, and row by row into the outbox. Left to itself, PostgreSQL has read the
// whole outbox for each portion of the relay, at 100,000 events 0.4 ms of CPU an event.

/** The oldest events that are to be published. By id: per object that is commit order, since whoever changes an object holds its row from
 * before the event is written until commit. What commits late still stands in the queue then, whatever its id, so nothing is skipped. How many is
 * part of the text: with it as a value, PostgreSQL makes a plan each time, which takes longer than to carry it out. */
export const nextQueued = (
  most: number,
): string => `select "queued"."id", "event_id", "key", "body" from (select "id" from "change_queue" order by "id" limit ${Math.trunc(most)}) as "queued"
  cross join lateral (select "event_id", "key", "body" from "change" where "change"."id" = "queued"."id" limit 1) as "event" order by "queued"."id"`;

/** Takes events out of it. */
export const dequeue = 'delete from "change_queue" where "id" = any($1::bigint[])';

/** The last event in it. */
export const lastQueued = 'select max("id") as "last" from "change_queue"';

/** Whether any up to `$1` is left in it. */
export const leftQueued = 'select coalesce(min("id") <= $1, false) as "left" from "change_queue"';

/** How many events wait, counted up to 10,000, and the age of the oldest in seconds. */
export const queueLag = `select count(*)::int as "unpublished",
    coalesce(extract(epoch from clock_timestamp() - (select "time" from "change" where "id" = (select min("id") from "change_queue"))), 0)::float8 as "seconds"
  from (select from "change_queue" order by "id" limit 10000) as "waiting"`;
