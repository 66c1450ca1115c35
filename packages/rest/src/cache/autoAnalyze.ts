import type { Pool } from 'pg';
import { ALL } from './cache.ts';
import type { Tables } from '../db/tables.ts';

/** Number of changes after which a table is first considered for ANALYZE. */
const FIRST = 5_000;
/** How many changes one of all objects of a type stands for, which is as many as come together. */
const MANY = 250;

/** PostgreSQL's cached plans may read a table as a whole when its statistics say that it has fewer rows than this. */
const SMALL = 1_000;

/**
 * Runs ANALYZE on tables that were small at the last one and have been written to a lot since. PostgreSQL does so by
 * itself, but minutes later, and until then it keeps using cached plans made for a small table. A table that was never
 * analyzed is left alone: PostgreSQL does not assume that it is small.
 */
export class AutoAnalyze {
  readonly #pool: Pool;
  readonly #tables: Tables;
  readonly #changes = new Map<string, { count: number; next: number }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool, tables: Tables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  /** Counts a change of an object that a poll reported; an id of 0 stands for all objects of the type. */
  noteChange(typeNumber: number, id: string): void {
    this.#add('cache_invalidation', 1);
    const type = this.#tables.catalogue.typeById(typeNumber);
    if (type !== undefined && this.#tables.has(type)) this.#add(this.#tables.nameOf(type), id === ALL ? MANY : 1);
  }

  #add(table: string, changes: number): void {
    const known = this.#changes.get(table) ?? { count: 0, next: FIRST };
    this.#changes.set(table, known);
    known.count += changes;
    if (known.count < known.next) return;
    known.next = known.count * 2;
    // One at a time, and in the background. A failure does not matter, as PostgreSQL analyzes the table later by
    // itself.
    this.#last = this.#last.then(() => this.#lookAt(table)).catch(() => undefined);
  }

  async #lookAt(table: string): Promise<void> {
    const { rows } = await this.#pool.query(
      `select from pg_class where oid = $1::regclass and reltuples >= 0 and reltuples < ${SMALL}`,
      [table],
    );
    if (rows.length) await this.#pool.query(`analyze ${table}`);
  }
}
