import type { Pool } from 'pg';
import { lockedInOrder } from './lockOrder.ts';
import { withAdvisoryLock } from './advisoryLock.ts';
import { deliveryChannel } from './schema.ts';
import { invalidation } from './invalidation.ts';

/** A delivery that this process has taken to attempt it. */
export interface Claimed {
  id: number;
  eventId: string;
  /** None for a test. */
  ruleId: number | null;
  webhookId: number;
  /** The version of the webhook to send with; null for the current one. */
  webhookVersion: number | null;
  destination: string;
  /** Which attempt this is, from 1. */
  number: number;
  /** The same, counted from when the delivery was last queued or requeued; this number determines retries. */
  tries: number;
  payload: string;
}

export interface ClaimOptions {
  /** How many at most. */
  limit: number;
  /** How many of these are kept for destinations of which nothing is under way. */
  reserve: number;
  /** How many of one destination may be under way, in all processes together. */
  perDestination: number;
  /** How many of one destination may begin within a second, in all processes together; 0 for any number. */
  ratePerSecond: number;
  /** Whether the deliveries of a webhook about one object go one after the other. */
  ordered: boolean;
  leaseMs: number;
  worker: string;
}

// A delivery waits for those of the same webhook about the same object that are under way, or pending and earlier.
const first = `and not exists (
    select from webhook_delivery e where e.webhook_id = d.webhook_id and e.object_type = d.object_type and e.object_id = d.object_id and e.id <> d.id
    and (e.status = 'running' or e.status = 'pending' and e.id < d.id))`;

// Finds the destinations with waiting deliveries by a loose index scan: one step for each, however long its queue is.
// Each gives its share of what this process can take, the oldest first, as far as its limits allow. Some places are
// kept for destinations that have nothing under way: destinations that do not answer may take only one of these each,
// so it takes many of them to fill a process. The scan starts at a different destination each time, so that none
// starves when there is no room for all.
const statement = (ordered: boolean) => `with recursive waiting (destination) as (
    (select destination from webhook_delivery where status = 'pending' order by destination limit 1)
    union all
    select (select d.destination from webhook_delivery d where d.status = 'pending' and d.destination > waiting.destination order by d.destination limit 1)
    from waiting where waiting.destination is not null
  ), busy as materialized (
    select destination, count(*) as number from webhook_delivery where status = 'running' and lease >= clock_timestamp() group by destination
  ), room as materialized (
    select destination, allowance, least($2::int - coalesce(busy.number, 0), greatest(ceil(($1::int - $6::int) / (count(*) over ())::float8), case when busy.number is null then 1 else 0 end), floor(allowance))::int as free
    from waiting left join busy using (destination) left join webhook_destination known using (destination)
    cross join lateral (select case when $3::int = 0 then 1e9 else least($3::int, coalesce(known.tokens + extract(epoch from clock_timestamp() - known.refilled) * $3::int, $3::int)) end as allowance) as a
    where destination is not null order by random()
  ), picked as materialized (
    select due.id, room.destination, room.allowance from room cross join lateral (
      select id from webhook_delivery d
      where d.status = 'pending' and d.destination = room.destination and d.scheduled <= clock_timestamp() ${ordered ? first : ''}
      order by d.scheduled, d.id limit greatest(room.free, 0) for update skip locked
    ) as due
    limit $1
  ), taken as (
    insert into webhook_destination (destination, tokens, refilled)
    select destination, min(allowance) - count(*), clock_timestamp() from picked where $3::int > 0 group by destination
    on conflict (destination) do update set tokens = excluded.tokens, refilled = excluded.refilled
  ), ${invalidation('select from picked')}
  update webhook_delivery d
  set status = 'running', started = clock_timestamp(), attempts = attempts + 1, tries = tries + 1, lease = clock_timestamp() + $4 * interval '1 millisecond', worker = $5, changed = pg_current_xact_id()
  from picked where d.id = picked.id
  returning d.id::int, d.event_id as "eventId", d.rule_id::int as "ruleId", d.webhook_id::int as "webhookId", d.webhook_version::float8 as "webhookVersion", d.destination, d.attempts as number, d.tries, d.payload::text`;
const statements = { ordered: statement(true), free: statement(false) };

/**
 * Takes deliveries that are due; no other process gets them while the lease lasts. Processes take one after the other,
 * so that the limits of a destination hold for all of them together.
 */
export const claim = (
  pool: Pool,
  { limit, reserve, perDestination, ratePerSecond, ordered, leaseMs, worker }: ClaimOptions,
): Promise<Claimed[]> =>
  withAdvisoryLock(pool, 'claim', async (client) => {
    const { rows } = await client.query<Claimed>(ordered ? statements.ordered : statements.free, [
      limit,
      perDestination,
      ratePerSecond,
      leaseMs,
      worker,
      reserve,
    ]);
    return rows.sort((a, b) => a.id - b.id);
  });

const renewal = `with ${lockedInOrder(`select unnest($1::bigint[])`)}
  update webhook_delivery d set lease = clock_timestamp() + $2 * interval '1 millisecond' from mine where d.id = mine.id and d.status = 'running' and d.worker = $3`;

/** Renews the lease of deliveries under way. */
export async function renew(pool: Pool, ids: readonly number[], leaseMs: number, worker: string): Promise<void> {
  if (ids.length > 0) await pool.query(renewal, [ids, leaseMs, worker]);
}

// A delivery that repeatedly crashes its process is given up in the end.
const release = (which: string) => `with lost as materialized (
    select id, attempts, started, worker from webhook_delivery where status = 'running' and ${which} limit 1000 for update skip locked
  ), noted as (
    insert into webhook_attempt (delivery_id, number, started, duration_ms, error_kind, error, worker)
    select id, attempts, started, extract(epoch from clock_timestamp() - started) * 1000, 'worker', $1::text, worker from lost
    on conflict (delivery_id, number) do nothing
  ), ${invalidation('select from lost')}
  update webhook_delivery d set lease = null, scheduled = clock_timestamp(), error_kind = 'worker', error = $1::text, changed = pg_current_xact_id(),
    status = case when d.tries >= $2 then 'failed' else 'pending' end,
    finished = case when d.tries >= $2 then clock_timestamp() end
  from lost where d.id = lost.id`;
const expired = release('lease < clock_timestamp()');
const given = release('id = any($3::bigint[]) and worker = $4');

/**
 * Puts back what was taken by a process that has gone away without an outcome; each such attempt is kept. Returns how
 * many.
 */
export const sweep = async (pool: Pool, maxTries: number): Promise<number> =>
  (await pool.query(expired, ['The worker went away before the receiver answered', maxTries])).rowCount ?? 0;

/** Puts back what this process will not finish. */
export async function giveBack(pool: Pool, ids: readonly number[], maxTries: number, worker: string): Promise<void> {
  if (ids.length === 0) return;
  await pool.query(given, ['The service was stopped before the receiver answered', maxTries, ids, worker]);
  // Wakes the other processes, which otherwise have no reason to look.
  await pool.query(`select pg_notify('${deliveryChannel}', '')`);
}
