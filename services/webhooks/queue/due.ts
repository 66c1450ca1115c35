import type { Pool } from 'pg';

// Where something is due that could not be taken, the first that is found tells; the others are only looked through
// where all of them are for later.
const statement = `select case when exists (select from webhook_delivery where status = 'pending' and scheduled <= clock_timestamp()) then 0
  else (select extract(epoch from min(scheduled) - clock_timestamp()) * 1000 from webhook_delivery where status = 'pending') end::float8 as ms`;

/** In how many milliseconds the next delivery is due that waits; undefined where none does. */
export async function nextDue(pool: Pick<Pool, 'query'>): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(statement);
  return rows[0]?.ms ?? undefined;
}
