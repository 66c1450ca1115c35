import type { Pool } from 'pg';

/** A table has outgrown what PostgreSQL knows of it when it is so many times as large … */
const TIMES = 8;
/** … and so many pages of 8 kB at least were known, as reading less than that costs nothing. */
const PAGES = 16;

const OUTGROWN = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'replica') and pg_has_role(c.relowner, 'usage') and pg_relation_size(c.oid) > ${TIMES} * greatest(c.relpages, ${PAGES})::bigint * current_setting('block_size')::int order by 1`;

/**
 * Lets PostgreSQL look at tables that have grown many times over since it last did. It does so by itself a minute later or more, and until then every
 * connection keeps the plans that it made when the table was small: on a fresh system, into which somebody is putting a network, these read the table
 * from one end to the other. Returns the tables; one that somebody else is looking at is left to him.
 */
export async function analyzeOutgrown(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(OUTGROWN);
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`);
  return rows.map(({ name }) => name);
}

/** How often tables are looked at, in milliseconds. */
const EVERY_MS = 5_000;

/** Does so time and again, one round at a time. Returns what ends it. */
export function keepAnalyzed(pool: Pool, onError: (error: unknown) => void): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    analyzeOutgrown(pool).catch(onError).finally(() => { busy = false; });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
