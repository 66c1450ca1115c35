import type { Pool } from 'pg';

/** A delivery that has changed; `changed` differs with each of its changes. */
export interface ChangedDelivery {
  id: string;
  changed: string;
}

// The oldest transaction that is still running: all changes by earlier transactions are visible by now.
const start = 'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin';
const portion = 500;
const statement = `select s.xmin::text, d.id::text, d.changed::text from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) s
  left join lateral (
    select id, changed from webhook_delivery where changed >= $1::text::xid8 and (changed, id) > ($2::text::xid8, $3::bigint) order by changed, id limit ${portion}
  ) d on true order by d.changed, d.id`;

/**
 * Follows the changes of deliveries from a position on, whichever process makes them; none is missed, and each is
 * reported once.
 */
export class Changes {
  readonly #pool: Pool;
  #cursor: string;
  /** Changes that were reported already, although the next look finds them again. */
  readonly #told = new Map<string, string>();

  private constructor(pool: Pool, cursor: string) {
    this.#pool = pool;
    this.#cursor = cursor;
  }

  /**
   * Starts now, or at the position that another follower had reached. A position that is invalid, or later than now in
   * this database, counts as now.
   */
  static async from(pool: Pool, place?: string): Promise<Changes> {
    const now = (await pool.query<{ xmin: string }>(start)).rows[0]!.xmin;
    if (place !== undefined && /^\d{1,18}$/.test(place) && BigInt(place) <= BigInt(now))
      return new Changes(pool, place);
    const changes = new Changes(pool, now);
    // Skips changes that are visible already but newer than the oldest running transaction: they were made before now.
    for await (const _ of changes.look());
    return changes;
  }

  /** The position to continue from: nothing is missed, but some changes may be reported again. */
  get place(): string {
    return this.#cursor;
  }

  /** What has changed since the last look, in portions. */
  async *look(): AsyncGenerator<ChangedDelivery[]> {
    let next: string | undefined;
    let after: [changed: string, id: string] = [this.#cursor, '0'];
    for (;;) {
      const { rows } = await this.#pool.query<{ xmin: string; id: string | null; changed: string | null }>(statement, [
        this.#cursor,
        ...after,
      ]);
      next ??= rows[0]!.xmin;
      const found = rows.flatMap(({ id, changed }) => (id !== null && changed !== null ? [{ id, changed }] : []));
      const fresh = found.filter(({ id, changed }) => this.#told.get(id) !== changed);
      for (const { id, changed } of fresh) this.#told.set(id, changed);
      if (fresh.length) yield fresh;
      const last = found.at(-1);
      if (found.length < portion || !last) break;
      after = [last.changed, last.id];
    }
    this.#cursor = next;
    for (const [id, changed] of this.#told) if (BigInt(changed) < BigInt(next)) this.#told.delete(id);
  }
}
