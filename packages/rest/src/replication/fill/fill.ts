import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { catchUpCustomFields, removeCustomFields } from '../follow/catchUp.ts';
import { CUSTOM_FIELD } from '../follow/customFields.ts';
import { applyRemoteDeletions } from '../follow/remoteDeletions.ts';
import { followersOf, runFollowers } from '../../write/effects/effects.ts';
import type { ReplicaRow } from '../../peers/peers.ts';
import { record } from '../../write/record/record.ts';
import { transaction } from '../../db/transaction.ts';
import { forEachConcurrently } from './forEachConcurrently.ts';
import { tombstonesAmong, removeTombstones } from '../../replicas/tombstones.ts';
import type { ReplicaDefinition } from '../../replicas/definition.ts';
import type { Owners } from './owners.ts';
import {
  anyObjectTable,
  type Difference,
  type ReplicaTable,
  type Precedence,
  type Upserted,
  upsertRows,
  upsertChunk,
  replicaTableOf,
} from '../../replicas/replicaTable.ts';
import type { Chunk } from './snapshot.ts';
import type { Filled } from './state.ts';
import { protectedHere, missingReferences } from './missingReferences.ts';

/** What else a service does about objects that it has stored, or that were deleted. */
export type OnReplicated = (type: string, ids: number[], gone: boolean) => Promise<void>;

/** Where a replica keeps its objects. */
export const replicaTablesOf = ({ tables }: WriteEngine, { type, table, any }: ReplicaDefinition): ReplicaTable[] => [
  ...(table ? [replicaTableOf(tables, type)] : []),
  ...(any ? [anyObjectTable(tables, type)] : []),
];

/** Chunks at work at the same time: PostgreSQL reads one while another is decoded here. */
const CONCURRENCY = 2;

/** Ids in one question to an owner. */
const MAX_IDS = 1000;

/**
 * Brings replicas to what their owner has, chunk by chunk, while readers, writers and events go on. A newer row stays,
 * whichever way it came. What looks wrong after a chunk (the owner did not name it, it was seen deleted, it is newer
 * here than there) may have changed meanwhile, so the owner is asked again about just those objects: this answer is
 * later than what is here, and wins.
 */
export async function fillReplicas(
  engine: WriteEngine,
  owners: Owners,
  owner: string,
  kept: readonly ReplicaDefinition[],
  on: {
    told?: OnReplicated | undefined;
    filled(kept: ReplicaDefinition, result: Filled): Promise<void>;
    signal?: AbortSignal;
  },
): Promise<void> {
  const fills = new Map(kept.map((one) => [one.type, new Fill(engine, owners, one, on.told)]));
  const chunks = owners
    .snapshot(
      owner,
      kept.map(({ type, columns }) => ({ type, columns })),
      on.signal,
    )
    [Symbol.asyncIterator]();
  try {
    for (let type: string | undefined; (type = await fillNextType(chunks, fills)); ) {
      const fill = fills.get(type);
      if (fill) await on.filled(fill.kept, await fill.finish());
    }
  } finally {
    void chunks.return?.().catch(() => {});
  }
  on.signal?.throwIfAborted();
}

type Doubtful = Pick<Upserted, 'place' | 'doubts'>;

/** Processes the chunks of the next type; returns that type, or undefined when no type arrives complete any more. */
async function fillNextType(
  chunks: AsyncIterator<Chunk>,
  fills: ReadonlyMap<string, Fill>,
): Promise<string | undefined> {
  let complete: string | undefined;
  async function* untilLast(): AsyncGenerator<Chunk> {
    while (!complete) {
      const { done, value } = await chunks.next();
      if (done) return;
      if (value.last) complete = value.type;
      yield value;
    }
  }
  await forEachConcurrently(untilLast(), CONCURRENCY, async (chunk) => fills.get(chunk.type)?.take(chunk));
  return complete;
}

class Fill {
  readonly kept: ReplicaDefinition;
  readonly #engine: WriteEngine;
  readonly #owners: Owners;
  readonly #told: OnReplicated | undefined;
  readonly #places: ReplicaTable[];
  #began = 0;
  #rows = 0;
  #written = 0;
  #removed = 0;
  #stuck = 0;

  constructor(engine: WriteEngine, owners: Owners, kept: ReplicaDefinition, told: OnReplicated | undefined) {
    this.#engine = engine;
    this.#owners = owners;
    this.kept = kept;
    this.#told = told;
    this.#places = replicaTablesOf(engine, kept);
  }

  /** May run for several chunks at once, as each holds other ids. */
  async take(chunk: Chunk): Promise<void> {
    this.#began ||= performance.now();
    this.#rows += chunk.count;
    const range = { after: chunk.after, to: chunk.last ? null : chunk.to };
    let found: Upserted[] = [];
    await this.#keep(
      [
        async (client) => {
          found = await upsertChunk(this.#places, chunk.rows, range, client);
          return Math.max(...found.map(({ written }) => written));
        },
      ],
      chunk.rows,
    );
    await this.#recheck(found);
  }

  async finish(): Promise<Filled> {
    // Objects that this service's own refer to but that have no row here may have been deleted without this service
    // having heard of it; or they were in no chunk, as they do not matter by their own content, and nor were those that
    // they point at in turn.
    for (const asked = new Set<number>(); ; ) {
      const missing = (await missingReferences(this.#engine, this.kept)).filter((id) => !asked.has(id));
      if (!missing.length) break;
      for (const id of missing) asked.add(id);
      await this.#recheck(
        this.#places.map((place) => ({
          place,
          doubts: missing.map((id): Difference => ({ id, owner: null, kept: null, columns: [] })),
        })),
      );
    }
    return {
      rows: this.#rows,
      written: this.#written,
      removed: this.#removed,
      stuck: this.#stuck,
      seconds: Math.round(performance.now() - this.#began) / 1000,
    };
  }

  async #recheck(doubtful: Doubtful[]): Promise<void> {
    const ids = [...new Set(doubtful.flatMap(({ doubts }) => doubts.map(({ id }) => id)))];
    for (let at = 0; at < ids.length; at += MAX_IDS) await this.#ask(ids.slice(at, at + MAX_IDS), doubtful);
  }

  async #ask(ids: number[], doubtful: Doubtful[]): Promise<void> {
    const { type, owner, columns } = this.kept;
    const engine = this.#engine;
    const notes = await tombstonesAmong(type, ids, engine.pool);
    const rows = JSON.parse(await this.#owners.rowsAt(owner, { type, columns }, ids)) as ReplicaRow[];
    const there = new Map(rows.map((row) => [row.id, row]));
    const gone = ids.filter((id) => !there.has(id));
    if (gone.length) await this.#remove(gone);
    if (!rows.length) return;
    await removeTombstones(
      type,
      notes.filter(({ id }) => there.has(id)),
      engine.pool,
    );
    const parts = doubtful.flatMap(({ place, doubts }) => {
      // Newer here, before the owner was asked, than in its answer: only possible if the owner has lost something.
      const ahead = new Set(
        doubts
          .filter(({ id, kept }) => kept !== null && (there.get(id)?._version ?? Infinity) < kept)
          .map(({ id }) => id),
      );
      const part = (precedence: Precedence, chosen: ReplicaRow[]) =>
        chosen.length ? [(client: PoolClient) => upsertRows(place, JSON.stringify(chosen), client, precedence)] : [];
      return [
        ...part(
          'given',
          rows.filter(({ id }) => ahead.has(id)),
        ),
        ...part(
          'same',
          rows.filter(({ id }) => !ahead.has(id)),
        ),
      ];
    });
    await this.#keep(parts, JSON.stringify(rows));
  }

  /**
   * Stores rows and carries out what follows from them here. Where nothing follows that others hear of, the commit does
   * not wait for the disk: rows that a crash loses are given again, because the note that the replica has been filled
   * is written after all of them, and does wait.
   */
  async #keep(parts: ((client: PoolClient) => Promise<number>)[], rows: string): Promise<void> {
    const engine = this.#engine;
    const { type, table } = this.kept;
    const followers = table ? followersOf(engine, type) : [];
    let parsed: ReplicaRow[] | undefined;
    const all = () => (parsed ??= JSON.parse(rows) as ReplicaRow[]);
    const work = async (client: PoolClient) => {
      let written = 0;
      if (!followers.length) await client.query('set local synchronous_commit = off');
      for (const part of parts) written = Math.max(written, await part(client));
      if (followers.length && all().length)
        await record(
          await engine.readContext(client),
          await runFollowers(
            engine,
            followers,
            type,
            all().map(({ id }) => id),
            client,
          ),
          null,
          client,
        );
      return written;
    };
    const keep = () => (followers.length ? engine.transact(work) : transaction(engine.pool, work));
    const written = type === CUSTOM_FIELD ? await catchUpCustomFields(engine, all(), keep) : await keep();
    this.#written += written;
    if (this.#told && all().length)
      await this.#told(
        type,
        all().map(({ id }) => id),
        false,
      );
  }

  /**
   * Objects that their owner does not have any more. An owner asks before it deletes, so those that something here
   * protects were not deleted, but lost. What depends on them stays until somebody has decided what is right.
   */
  async #remove(absent: number[]): Promise<void> {
    const engine = this.#engine;
    const { type } = this.kept;
    const held = await protectedHere(engine, type, absent);
    const ids = absent.filter((id) => !held.has(id));
    this.#stuck += held.size;
    if (!ids.length) return;
    if (type === CUSTOM_FIELD) await removeCustomFields(engine, ids);
    await applyRemoteDeletions(engine, [{ type, ids }], null);
    this.#removed += ids.length;
    await this.#told?.(type, ids, true);
  }
}
