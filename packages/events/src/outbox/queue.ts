// Statements on the outbox's queue. They run all the time, on tables whose statistics may be missing or out of date: in
// the minutes after a start, or while much is written. So each statement is phrased to force its plan: along the index
// of the queue, then row by row into the outbox. Without that, PostgreSQL has read the whole outbox for each batch of
// the relay, which at 100,000 events cost 0.4 ms of CPU per event.

/**
 * The oldest events that are to be published, by id. Per object this is commit order, since a transaction that changes
 * an object locks its row before it writes the event and until it commits. An event that commits late is still in the
 * queue then, whatever its id, so none is skipped. The number of events is part of the text: as a parameter it makes
 * PostgreSQL plan the statement each time, which takes longer than running it.
 */
export const nextQueued = (
  most: number,
): string => `select "queued"."id", "event_id", "key", "body" from (select "id" from "change_queue" order by "id" limit ${Math.trunc(most)}) as "queued"
  cross join lateral (select "event_id", "key", "body" from "change" where "change"."id" = "queued"."id" limit 1) as "event" order by "queued"."id"`;

/** Takes events out of it. */
export const dequeue = 'delete from "change_queue" where "id" = any($1::bigint[])';

/** The last event in it. */
export const lastQueued = 'select max("id") as "last" from "change_queue"';

/** Whether any event with an id up to `$1` is left in it. */
export const leftQueued = 'select coalesce(min("id") <= $1, false) as "left" from "change_queue"';

/** How many events wait, counted up to 10,000, and the age of the oldest in seconds. */
export const queueLag = `select count(*)::int as "unpublished",
    coalesce(extract(epoch from clock_timestamp() - (select "time" from "change" where "id" = (select min("id") from "change_queue"))), 0)::float8 as "seconds"
  from (select from "change_queue" order by "id" limit 10000) as "waiting"`;
