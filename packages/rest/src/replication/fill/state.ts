import { isoSql } from '@cadastre/model';
import { type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { contentsOf, type ReplicaDefinition, replicaDefinitions } from '../../replicas/definition.ts';

/** Why a replica has to be filled. */
export type Reason = 'new' | 'columns' | 'missed' | 'asked';

/** A replica that is to be filled, and how often that has been begun, this time included. */
export interface Due {
  kept: ReplicaDefinition;
  asked: number;
  reason: Reason;
}

/** What a fill came to. */
export interface Filled {
  rows: number;
  /** Rows that were not here, or not like this. */
  written: number;
  /** Objects that the owner has no longer. */
  removed: number;
  /** Objects that the owner has no longer, and that something here protects. */
  stuck: number;
  seconds: number;
}

export interface ReplicaState {
  type: string;
  due: boolean;
  reason: Reason;
  filledAt: string | null;
  result: Filled | null;
  error: string | null;
}

/**
 * The replicas that have to be filled: new ones, those whose columns have changed, and those for which it was asked.
 */
export async function dueReplicas(tables: Tables, executor: Executor): Promise<Due[]> {
  const all = new Map(replicaDefinitions(tables).map((kept) => [kept.type, kept]));
  const types = [...all.keys()];
  const contents = types.map((type) => contentsOf(tables, all.get(type)!));
  const rows = await rowsOf(executor, {
    text: `with wanted as (select * from unnest($1::text[], $2::text[]) as w (type, contents)),
      dropped as (delete from replica_state s where not exists (select from wanted w where w.type = s.type)),
      added as (insert into replica_state (type, reason) select w.type, 'new' from wanted w where not exists (select from replica_state s where s.type = w.type) on conflict do nothing returning type, asked, reason)
      select * from added
      union all select s.type, s.asked, case when s.done < s.asked then s.reason else 'columns' end
        from replica_state s join wanted w on w.type = s.type where s.done < s.asked or s.contents is distinct from w.contents`,
    values: [types, contents],
  });
  return rows.map(([type, asked, reason]) => ({
    kept: all.get(type!)!,
    asked: Number(asked),
    reason: reason as Reason,
  }));
}

/** Notes that replicas have to be filled again. Returns those that are kept here. */
export async function askForFill(types: readonly string[], reason: Reason, executor: Executor): Promise<string[]> {
  const rows = await rowsOf(executor, {
    text: 'update replica_state set asked = asked + 1, reason = $2 where type = any($1::text[]) returning type',
    values: [types, reason],
  });
  return rows.map(([type]) => type!);
}

/** Notes that a replica was filled; if it was asked for again meanwhile, it remains to be done. */
export async function noteFilled(
  tables: Tables,
  { kept, asked }: Due,
  result: Filled,
  executor: Executor,
): Promise<void> {
  await rowsOf(executor, {
    text: 'update replica_state set contents = $2, done = greatest(done, $3::int), filled_at = clock_timestamp(), result = $4::jsonb, error = null where type = $1',
    values: [kept.type, contentsOf(tables, kept), asked, JSON.stringify(result)],
  });
}

/** Notes why replicas could not be filled; it is tried again. */
export async function noteFailed(types: readonly string[], error: string, executor: Executor): Promise<void> {
  await rowsOf(executor, {
    text: 'update replica_state set error = $2 where type = any($1::text[])',
    values: [types, error],
  });
}

/** What is noted about each replica. */
export async function replicaStates(executor: Executor): Promise<Map<string, ReplicaState>> {
  const rows = await rowsOf(executor, {
    text: `select type, done < asked, reason, ${isoSql('filled_at')}, result::text, error from replica_state`,
    values: [],
  });
  return new Map(
    rows.map(([type, due, reason, filledAt, result, error]) => [
      type!,
      {
        type: type!,
        due: due === 't',
        reason: reason as Reason,
        filledAt: filledAt ?? null,
        result: result ? (JSON.parse(result) as Filled) : null,
        error: error ?? null,
      },
    ]),
  );
}
