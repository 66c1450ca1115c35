import type { Pool } from 'pg';
import { tryAdvisoryLock } from './advisoryLock.ts';
import { invalidation } from './invalidation.ts';

export interface UpkeepOptions {
  pool: Pool;
  /** Finished deliveries older than this are removed; 0 keeps them. */
  retentionDays: number;
  /** How many finished deliveries are kept at most, the newest; 0 for any number. */
  retentionCount: number;
  /** A rule whose deliveries have all failed for this many days is disabled; 0 disables none. */
  disableAfterDays: number;
  /** Disables a rule, as a recorded change; `since` is when it began to fail, in ISO 8601. */
  disable(rule: number, since: string): Promise<void>;
  /** Removes old versions of rules that nothing needs any more. */
  trim?(): Promise<void>;
  everyMs: number;
  onError(error: unknown, doing: string): void;
}

// Each portion is a transaction of its own, so that nobody waits long for it.
const portion = 1_000;

// Deliveries that are being requeued at this moment are locked, and skipped.
const free = `limit ${portion} for update skip locked`;
const expired = `select id from webhook_delivery where finished < now() - make_interval(days => $1) order by finished ${free}`;
const surplus = `select id from webhook_delivery where finished is not null and finished <= (select finished from webhook_delivery where finished is not null order by finished desc offset $1 limit 1) order by finished ${free}`;
const removal = (which: string) =>
  `with old as materialized (${which}), gone as (delete from webhook_delivery d using old where d.id = old.id), ${invalidation('select from old')} select count(*)::int as number from old`;

/**
 * Removes finished deliveries and their attempts, in portions, until none is too many. Returns how many; another
 * process may be at it.
 */
export async function removeOld(pool: Pool, which: 'expired' | 'surplus', bound: number): Promise<number> {
  const text = removal(which === 'expired' ? expired : surplus);
  for (let total = 0; ; ) {
    const number = await tryAdvisoryLock(
      pool,
      'retention',
      async (client) => (await client.query<{ number: number }>(text, [bound])).rows[0]?.number ?? 0,
    );
    total += number ?? 0;
    if (!number || number < portion) return total;
  }
}

const failing = `select rule_id::int as rule, to_char(since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since from webhook_failing_rule where last - since >= make_interval(days => $1) and last > now() - make_interval(days => $1) order by rule_id limit 100`;

/**
 * Disables the rules whose deliveries have all failed for too long, in only one of all processes. Their failures are
 * then counted anew.
 */
export async function disableFailing({
  pool,
  disableAfterDays,
  disable,
}: Pick<UpkeepOptions, 'pool' | 'disableAfterDays' | 'disable'>): Promise<void> {
  await tryAdvisoryLock(pool, 'disabling', async (client) => {
    const { rows } = await client.query<{ rule: number; since: string }>(failing, [disableAfterDays]);
    for (const { rule, since } of rows) {
      await disable(rule, since);
      await client.query('delete from webhook_failing_rule where rule_id = $1', [rule]);
    }
  });
}

/** Runs periodic maintenance, in one of all processes at a time. */
export function startUpkeep(options: UpkeepOptions): { stop(): Promise<void> } {
  const { pool, retentionDays, retentionCount, disableAfterDays, trim, everyMs, onError } = options;
  let running: Promise<void> = Promise.resolve();
  const once = async (): Promise<void> => {
    if (retentionDays > 0) await removeOld(pool, 'expired', retentionDays);
    if (retentionCount > 0) await removeOld(pool, 'surplus', retentionCount);
    if (disableAfterDays > 0) await disableFailing(options);
    await trim?.();
    // A destination that has not been used for an hour has its full rate again, so its row is not needed.
    await pool.query(`delete from webhook_destination where refilled < now() - interval '1 hour'`);
  };
  const timer = setInterval(() => {
    running = running.then(once).catch((error: unknown) => onError(error, 'upkeep'));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
