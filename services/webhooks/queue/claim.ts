import type { Pool } from 'pg';

/** A delivery that this process has taken to attempt it. */
export interface Claimed {
  id: number;
  ruleId: number;
  webhookId: number;
  destination: string;
  /** Which attempt this is, from 1. */
  number: number;
  payload: string;
}

export interface ClaimOptions {
  /** How many at most. */
  limit: number;
  perDestination: number;
  /** How many of each destination this process has under way. */
  busy: ReadonlyMap<string, number>;
  leaseMs: number;
}

// The destinations that have something waiting, by a loose scan of the index: one step for each, however long its queue is. Each gives as
// many as it has room for, the oldest first; a different destination comes first each time, so none starves when there is no room for all.
const statement = `with recursive waiting (destination) as (
    (select destination from webhook_delivery where status = 'pending' order by destination limit 1)
    union all
    select (select d.destination from webhook_delivery d where d.status = 'pending' and d.destination > waiting.destination order by d.destination limit 1)
    from waiting where waiting.destination is not null
  ), room as materialized (
    select destination, $2::int - coalesce(busy.number, 0) as free
    from waiting left join unnest($3::text[], $4::int[]) as busy (destination, number) using (destination)
    where destination is not null order by random()
  ), picked as materialized (
    select due.id from room cross join lateral (
      select id from webhook_delivery d
      where d.status = 'pending' and d.destination = room.destination and d.scheduled <= clock_timestamp()
      order by d.scheduled, d.id limit greatest(room.free, 0) for update skip locked
    ) as due
    limit $1
  )
  update webhook_delivery d
  set status = 'running', started = clock_timestamp(), attempts = attempts + 1, lease = clock_timestamp() + $5 * interval '1 millisecond'
  from picked where d.id = picked.id
  returning d.id::int, d.rule_id::int as "ruleId", d.webhook_id::int as "webhookId", d.destination, d.attempts as number, d.payload::text`;

/** Takes deliveries that are due; no other process gets them while the lease lasts. */
export async function claim(pool: Pool, { limit, perDestination, busy, leaseMs }: ClaimOptions): Promise<Claimed[]> {
  const { rows } = await pool.query<Claimed>(statement, [limit, perDestination, [...busy.keys()], [...busy.values()], leaseMs]);
  return rows.sort((a, b) => a.id - b.id);
}

const renewal = `update webhook_delivery set lease = clock_timestamp() + $2 * interval '1 millisecond' where id = any($1::bigint[]) and status = 'running'`;

/** Keeps what is under way. */
export async function renew(pool: Pool, ids: readonly number[], leaseMs: number): Promise<void> {
  if (ids.length > 0) await pool.query(renewal, [ids, leaseMs]);
}

// A delivery that takes its process down again and again is given up in the end.
const release = (which: string) => `with lost as (
    select id, attempts, started from webhook_delivery where status = 'running' and ${which} limit 1000 for update skip locked
  ), noted as (
    insert into webhook_attempt (delivery_id, number, started, duration_ms, error_kind, error)
    select id, attempts, started, extract(epoch from clock_timestamp() - started) * 1000, 'worker', $1::text from lost
    on conflict (delivery_id, number) do nothing
  )
  update webhook_delivery d set lease = null, scheduled = clock_timestamp(), error = $1::text,
    status = case when d.attempts >= $2 then 'failed' else 'pending' end,
    finished = case when d.attempts >= $2 then clock_timestamp() end
  from lost where d.id = lost.id`;
const expired = release('lease < clock_timestamp()');
const given = release('id = any($3::bigint[])');

/** Puts back what was taken by a process that has gone away without an outcome; each such attempt is kept. Returns how many. */
export const sweep = async (pool: Pool, maxAttempts: number): Promise<number> =>
  (await pool.query(expired, ['The worker went away before the receiver answered', maxAttempts])).rowCount ?? 0;

/** Puts back what this process will not finish. */
export async function giveBack(pool: Pool, ids: readonly number[], maxAttempts: number): Promise<void> {
  if (ids.length > 0) await pool.query(given, ['The service was stopped before the receiver answered', maxAttempts, ids]);
}
