import type { Json } from '@cadastre/model';

export type Body = Record<string, Json>;

/**
 * The outcome of a write: done (2xx), refused (4xx, or 503 saying that nothing was changed), or unknown (no answer, or
 * 5xx).
 */
export type Outcome = 'done' | 'refused' | 'unknown';

/** One write of one client, single or bulk: what was asked, and what was answered. */
export interface Write {
  /** Its place among all writes of the run; those of one client follow each other. */
  n: number;
  client: number;
  action: 'created' | 'updated' | 'deleted';
  type: string;
  /**
   * The message that comes with each change: nobody else uses it, so the change records and events of this write are
   * known by it.
   */
  token: string;
  /** What was sent for each object, without the message; for a deletion nothing. */
  bodies: Body[];
  /** The objects, in the order of the bodies; empty for a create that was not answered. */
  ids: number[];
  outcome: Outcome;
  /** The answer, for reports. */
  said: string;
}

/** What all clients did. */
export class History {
  readonly writes: Write[] = [];
  /** Objects by type that are believed to exist, of all clients: candidates for references. */
  readonly #pool = new Map<string, number[]>();

  add(write: Write): void {
    this.writes.push(write);
    if (write.action === 'created') this.#poolOf(write.type).push(...write.ids);
  }

  /** Called when a deletion is sent: whatever its outcome, new references to the object are not worth trying. */
  leave(type: string, ids: readonly number[]): void {
    const gone = new Set(ids);
    this.#pool.set(
      type,
      this.#poolOf(type).filter((id) => !gone.has(id)),
    );
  }

  objects(type: string): readonly number[] {
    return this.#poolOf(type);
  }

  count(outcome: Outcome): number {
    return this.writes.filter((write) => write.outcome === outcome).length;
  }

  #poolOf(type: string): number[] {
    let known = this.#pool.get(type);
    if (!known) this.#pool.set(type, (known = []));
    return known;
  }
}
