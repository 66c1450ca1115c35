import type { Pool } from 'pg';
import { ALL } from './cache.ts';
import type { Tables } from '../db/tables.ts';

/** After so many changes PostgreSQL is told for the first time that a table may have grown. */
const FIRST = 5_000;
/** How many changes one of all objects of a type stands for, which is as many as come together. */
const MANY = 250;

/** A table of which PostgreSQL knows that it holds fewer rows may be read as a whole by the plans that it keeps. */
const SMALL = 1_000;

/**
 * Has PostgreSQL look at tables that were small when it did last, and in which much has been written since. It does so
 * by itself, but minutes later, and until then it uses the plans that it has kept, which are for small ones. Of tables
 * that it has never looked at it does not expect that they are small.
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

  /** Of an object that has changed, as a poll tells it; an id of 0 stands for many. */
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
    // One after the other, and beside everything else: what fails is made up for by PostgreSQL itself.
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
