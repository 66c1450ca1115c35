import type pg from 'pg';
import type { ChangeEvent } from '../event/event.ts';
import { parseEvent } from '../event/eventText.ts';

/** Events that are old enough to be deleted. */
interface Old {
  /** Ids of the events. */
  ids: readonly string[];
  /** Reads some of them. */
  read(ids: readonly string[]): Promise<ChangeEvent[]>;
}

/**
 * Returns the events that must not be deleted yet although they were published and are old, because the service that is
 * to keep them does not have them; they are published again. Null: this cannot be decided now. It is called by one
 * process of a service at a time.
 */
export type Confirm = (old: Old) => Promise<ReadonlySet<string> | null>;

/** How many events are checked in one step. */
const trimmedAtOnce = 2000;

// Looks at the oldest rows only, whatever the size of the table.
const oldest = `select "id", "event_id" from (select "id", "event_id", "time", "queued_at" from "change" order by "id" limit ${trimmedAtOnce}) as "oldest"
  where "time" < clock_timestamp() - make_interval(secs => $1::float8 / 1000) and "queued_at" is not null
    and not exists (select from "change_queue" where "change_queue"."id" = "oldest"."id") order by "id"`;
const forget = 'delete from "change" where "id" = any($1::bigint[])';
const again = 'insert into "change_queue" ("id") select unnest($1::bigint[]) on conflict do nothing';
const bodies = 'select "body" from "change" where "id" = any($1::bigint[]) order by "id"';

/** Deletes the oldest published events once they are old and confirmed. `full` says that there may be more. */
export async function trimOutbox(
  client: pg.Client,
  { retention, confirm }: { retention: number; confirm?: Confirm },
): Promise<{ forgotten: number; requeued: number; full: boolean }> {
  const { rows } = await client.query<{ id: string; event_id: string }>({
    name: 'outbox-oldest',
    text: oldest,
    values: [retention],
  });
  const nothing = { forgotten: 0, requeued: 0, full: false };
  if (rows.length === 0) return nothing;
  const places = new Map(rows.map(({ id, event_id }) => [event_id, id]));
  const read = async (ids: readonly string[]): Promise<ChangeEvent[]> =>
    (await client.query<{ body: string }>(bodies, [ids.map((id) => places.get(id))])).rows.map((row) =>
      parseEvent(row.body),
    );
  const missing = confirm ? await confirm({ ids: [...places.keys()], read }) : new Set<string>();
  if (missing === null) return nothing;
  const kept = rows.filter(({ event_id }) => missing.has(event_id)).map(({ id }) => id);
  const gone = rows.filter(({ event_id }) => !missing.has(event_id)).map(({ id }) => id);
  if (gone.length > 0) await client.query({ name: 'outbox-forget', text: forget, values: [gone] });
  if (kept.length > 0) await client.query(again, [kept]);
  return { forgotten: gone.length, requeued: kept.length, full: rows.length === trimmedAtOnce && gone.length > 0 };
}
