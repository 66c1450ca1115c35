import type { ChangeEvent } from '@cadastre/events';
import { renameTable } from '@cadastre/model';
import { transaction } from '@cadastre/rest';
import type { Pool, PoolClient } from 'pg';
import { merge, occasionOf } from './coalesce.ts';

// A request may cause changes in other services, in several transactions, which the log may hand over in several
// batches. Such changes are held here until the last of them should have arrived, so that an object has one event for
// each request.

/** The statements that create the tables of held events, for the service's migrations. */
export const heldTables: readonly string[] = [
  `create table webhook_held (
    request_id text not null,
    object_type text not null,
    object_id bigint not null,
    event json not null,
    later uuid[] not null default '{}',
    due timestamptz not null,
    primary key (request_id, object_type, object_id)
  )`,
  `create index webhook_held_due on webhook_held (due)`,
  // The ids of events that were merged into others, as the log may deliver them again.
  `create table webhook_merged (
    event_id uuid primary key,
    at timestamptz not null default clock_timestamp()
  )`,
  `create index webhook_merged_at on webhook_merged (at)`,
];

/** The statements that rename these tables to their present names. */
export const heldTableNames: readonly string[] = [
  ...renameTable('webhook_held', 'webhook_held_event', 'pkey', 'due'),
  ...renameTable('webhook_merged', 'webhook_coalesced_event', 'pkey', 'at'),
];

interface Held {
  event: ChangeEvent;
  later: string[];
}

const lock = `select pg_advisory_xact_lock(hashtextextended('webhook_held_event', 0))`;
const known = `select event, later from webhook_held_event
  where (request_id, object_type, object_id) in (select * from unnest($1::text[], $2::text[], $3::bigint[]))`;
const seen = 'select event_id from webhook_coalesced_event where event_id = any($1::uuid[])';
const store = `insert into webhook_held_event as h (request_id, object_type, object_id, event, later, due)
  select r, t, i, e::json, l::uuid[], clock_timestamp() + $6 * interval '1 millisecond' from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) as x(r, t, i, e, l)
  on conflict (request_id, object_type, object_id) do update set event = excluded.event, later = excluded.later`;

/**
 * Keeps events for a while, each together with what is kept already of its object and request. Events may come again.
 */
export const hold = (pool: Pool, events: readonly ChangeEvent[], forMs: number): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query(lock);
    const gone = new Set(
      (await client.query<{ event_id: string }>(seen, [events.map((event) => event.id)])).rows.map(
        (row) => row.event_id,
      ),
    );
    const groups = [
      ...Map.groupBy(
        events.filter((event) => !gone.has(event.id)),
        occasionOf,
      ).values(),
    ];
    if (groups.length === 0) return;
    const columns = [
      groups.map(([event]) => event!.request!.id),
      groups.map(([event]) => event!.objectType),
      groups.map(([event]) => event!.objectId),
    ];
    const { rows } = await client.query<Held>(known, columns);
    const before = new Map(rows.map((held) => [occasionOf(held.event), held]));
    const after = groups.map(([first, ...others]) => {
      const held = before.get(occasionOf(first!));
      return held ? [first!, ...others].reduce(add, held) : others.reduce(add, { event: first!, later: [] });
    });
    await client.query(store, [
      ...columns,
      after.map(({ event }) => JSON.stringify(event)),
      after.map(({ later }) => `{${later.join()}}`),
      forMs,
    ]);
  });

const add = (held: Held, event: ChangeEvent): Held =>
  held.event.id === event.id || held.later.includes(event.id)
    ? held
    : { event: merge(held.event, event), later: [...held.later, event.id] };

const take = `delete from webhook_held_event where (request_id, object_type, object_id) in (
    select request_id, object_type, object_id from webhook_held_event where due <= clock_timestamp() order by due limit $1 for update skip locked
  ) returning event, later`;
const remember =
  'insert into webhook_coalesced_event (event_id) select * from unnest($1::uuid[]) on conflict do nothing';
// Longer than a log may take to store a consumer's position.
const forget = `delete from webhook_coalesced_event where at < clock_timestamp() - interval '7 days'`;

/**
 * Hands over what has been held for long enough, in one transaction with what is made of it. Returns how many there
 * were.
 */
export const release = (
  pool: Pool,
  atMost: number,
  handle: (events: ChangeEvent[], client: PoolClient) => Promise<void>,
): Promise<number> =>
  transaction(pool, async (client) => {
    const { rows } = await client.query<Held>(take, [atMost]);
    if (rows.length === 0) return 0;
    const parts = rows.flatMap((row) => row.later);
    if (parts.length > 0) {
      await client.query(remember, [parts]);
      await client.query(forget);
    }
    await handle(
      rows.map(({ event }) => event),
      client,
    );
    return rows.length;
  });

const later = `update webhook_held_event set due = clock_timestamp() + interval '1 minute' where (request_id, object_type, object_id) in (
    select request_id, object_type, object_id from webhook_held_event where due <= clock_timestamp() order by due limit 1 for update skip locked)`;

/** Postpones the first due event when it cannot be handed over, so that it does not block the others. */
export const putOff = async (pool: Pool): Promise<void> => {
  await pool.query(later);
};
