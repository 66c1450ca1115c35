import type { Pool } from 'pg';

// When something is due but could not be taken, the first such row answers; all waiting rows are only searched when
// none of them is due.
const statement = `select case when exists (select from webhook_delivery where status = 'pending' and scheduled <= clock_timestamp()) then 0
  else (select extract(epoch from min(scheduled) - clock_timestamp()) * 1000 from webhook_delivery where status = 'pending') end::float8 as ms`;

/** In how many milliseconds the next delivery is due that waits; undefined where none does. */
export async function nextDue(pool: Pick<Pool, 'query'>): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(statement);
  return rows[0]?.ms ?? undefined;
}
