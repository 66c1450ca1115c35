import { matters } from '@cadastre/model';
import type { WriteEngine } from '../../write/context/engine.ts';
import type { ReplicaRow } from '../../peers/peers.ts';
import { replicaTablesOf } from './fill.ts';
import type { ReplicaDefinition } from '../../replicas/definition.ts';
import type { Owners } from './owners.ts';
import { compare, countOf, type Difference } from '../../replicas/replicaTable.ts';
import { missingReferences } from './missingReferences.ts';

/** What is wrong with an object in a replica. */
type Problem = 'missing' | 'extra' | 'different';

/**
 * An object that is not as its owner has it: versions there and here, and what differs. `brief`: among the brief forms
 * of all types.
 */
interface Example {
  id: number;
  problem: Problem;
  kept_in: 'table' | 'brief';
  version: number | null;
  kept_version: number | null;
  columns: string[];
}

export interface Report {
  type: string;
  /** Objects that the owner has, and that are here. */
  rows: number;
  kept: number;
  missing: number;
  extra: number;
  different: number;
  /** False when so much is wrong that the comparison was stopped early. */
  complete: boolean;
  examples: Example[];
}

export interface VerifyOptions {
  /** Resolves when all events that the owner had sent before the call have been applied here. */
  caughtUp(): Promise<void>;
  /** How many objects are named at most. Default: 20. */
  examples?: number;
  /** How many objects are looked at twice at most. Default: 100,000. */
  doubts?: number;
  signal?: AbortSignal;
}

/** Ids in one question to an owner. */
const MAX_IDS = 1000;

/**
 * Compares a replica with its owner, by row versions and by the values of all columns kept. What differs at first may
 * be on its way, so it is compared again once this service has applied all events that the owner has sent.
 */
export async function verifyReplica(
  engine: WriteEngine,
  owners: Owners,
  kept: ReplicaDefinition,
  options: VerifyOptions,
): Promise<Report> {
  const { type, owner, columns } = kept;
  const places = replicaTablesOf(engine, kept);
  const most = options.doubts ?? 100_000;
  const report: Report = {
    type,
    rows: 0,
    kept: await countOf(places[0]!, engine.pool),
    missing: 0,
    extra: 0,
    different: 0,
    complete: true,
    examples: [],
  };
  const doubtful = new Set<number>();
  for await (const chunk of owners.snapshot(owner, [{ type, columns }], options.signal)) {
    report.rows += chunk.count;
    for (const place of places)
      for (const { id } of await compare(
        place,
        chunk.rows,
        { after: chunk.after, to: chunk.last ? null : chunk.to },
        engine.pool,
      ))
        doubtful.add(id);
    if (doubtful.size >= most) {
      report.complete = false;
      break;
    }
  }
  options.signal?.throwIfAborted();
  // The comparison of chunks misses objects that are neither here nor matter by their own content.
  if (engine.tables.partOf(type)) for (const id of await missingReferences(engine, kept)) doubtful.add(id);
  if (doubtful.size) await options.caughtUp();
  const ids = [...doubtful];
  for (let at = 0; at < ids.length; at += MAX_IDS)
    await recheck(engine, owners, kept, ids.slice(at, at + MAX_IDS), report, options);
  return report;
}

/** Looks again at objects that seemed wrong, and adds those that are to the report. */
async function recheck(
  engine: WriteEngine,
  owners: Owners,
  kept: ReplicaDefinition,
  ids: number[],
  report: Report,
  { caughtUp, examples = 20 }: VerifyOptions,
): Promise<void> {
  const { type, owner, columns } = kept;
  const places = replicaTablesOf(engine, kept);
  const ask = (some: number[]) => owners.rowsAt(owner, { type, columns }, some);
  const rows = await ask(ids);
  const differing = async () =>
    (
      await Promise.all(
        places.map(async (place) =>
          (await compare(place, rows, { ids }, engine.pool)).map((difference) => ({ place, difference })),
        ),
      )
    ).flat();
  if (!(await differing()).length) return;
  // These rows are what the owner had; when all of that has been followed, nothing here is older.
  await caughtUp();
  const found = await differing();
  if (!found.length) return;
  const now = new Map(
    (JSON.parse(await ask([...new Set(found.map(({ difference }) => difference.id))])) as ReplicaRow[]).map((row) => [
      row.id,
      row,
    ]),
  );
  const part = engine.tables.partOf(type);
  const missingHere = new Set(part && (await missingReferences(engine, kept)));
  for (const { place, difference } of found) {
    const row = now.get(difference.id);
    const problem = problemOf(difference, row?._version);
    if (!problem) continue;
    // Of a type that is kept in part, only those that matter can be missing.
    if (problem === 'missing' && part && !matters(part, (column) => row?.[column]) && !missingHere.has(difference.id))
      continue;
    report[problem]++;
    if (report.examples.length < examples)
      report.examples.push({
        id: difference.id,
        problem,
        kept_in: place.table === 'replica.any_object' ? 'brief' : 'table',
        version: difference.owner,
        kept_version: difference.kept,
        columns: difference.columns,
      });
  }
}

/** What a difference means, given the version that the owner has now (undefined: deleted). */
function problemOf({ owner, kept }: Difference, now: number | undefined): Problem | undefined {
  if (owner === null) return 'extra';
  // Deleted since, and followed already.
  if (kept === null) return now === undefined ? undefined : 'missing';
  // Changed since, and followed already.
  if (kept > owner) return now === undefined || now >= kept ? undefined : 'different';
  return 'different';
}
