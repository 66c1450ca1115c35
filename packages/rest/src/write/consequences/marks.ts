import type { WriteEngine } from '../context/engine.ts';
import { refuse } from '../../core/errors.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { columnsOf, type TypedIds } from '../../core/typedIds.ts';

/** How long an object stays marked when the process that marked it dies, in seconds. */
const LEASE_SECONDS = 30;
/** How often a living process renews its marks, in milliseconds. */
const RENEW_MS = 10_000;

/** The marks of one deletion. Another deletion may take them over once they have expired. */
export interface Lease {
  /**
   * Whether every object still bears this deletion's mark; asked where their rows are locked, so that nobody can be
   * told otherwise meanwhile.
   */
  holds(executor: Executor): Promise<boolean>;
  /** Does not fail. */
  end(): Promise<void>;
}

/** The refusal to delete what another deletion has marked. */
export const markedByOther = () => refuse(409, 'Unable to delete object. It is being deleted by another request.');

/**
 * Marks objects for a deletion: from here on nobody gets a new reference to them. Returns whether all are marked; some
 * may be marked by another deletion.
 */
export async function tryMark(objects: readonly TypedIds[], by: string, executor: Executor): Promise<boolean> {
  const [types, ids] = columnsOf(objects);
  if (!ids.length) return true;
  const rows = await rowsOf(executor, {
    text: `insert into deletion_mark as d (type, id, until, by) select distinct type, id, now() + make_interval(secs => ${LEASE_SECONDS}), $3::uuid from unnest($1::int[], $2::bigint[]) as g(type, id) order by type, id
      on conflict (type, id) do update set until = excluded.until, by = excluded.by where d.until < now() or d.by = excluded.by returning id`,
    values: [types, ids, by],
  });
  return rows.length === ids.length;
}

/**
 * Marks objects for as long as the deletion takes, or this process lives.
 * @throws Refusal 409 when another deletion has them
 */
export async function markForDeletion(
  { pool }: Pick<WriteEngine, 'pool'>,
  objects: readonly TypedIds[],
  by: string,
  renewMs = RENEW_MS,
): Promise<Lease> {
  const [types, ids] = columnsOf(objects);
  const mine = 'd.by = $1 and (d.type, d.id) in (select * from unnest($2::int[], $3::bigint[]))';
  if (!ids.length) return { holds: () => Promise.resolve(true), end: () => Promise.resolve() };
  // An expired mark is not renewed: somebody may have been given a reference since.
  const renew = () =>
    rowsOf(pool, {
      text: `update deletion_mark d set until = now() + make_interval(secs => ${LEASE_SECONDS}) where d.by = $1::uuid and d.until > clock_timestamp()`,
      values: [by],
    });
  const renewing = setInterval(() => {
    renew().catch(() => undefined);
  }, renewMs).unref();
  const lease: Lease = {
    holds: async (executor) =>
      Number(
        (
          await rowsOf(executor, {
            text: `select count(*) from deletion_mark d where ${mine} and d.until > clock_timestamp()`,
            values: [by, types, ids],
          })
        )[0]![0],
      ) === ids.length,
    // Marks that cannot be removed are not renewed any more, and expire.
    end: async () => {
      clearInterval(renewing);
      await rowsOf(pool, { text: `delete from deletion_mark d where ${mine}`, values: [by, types, ids] }).catch(
        () => undefined,
      );
    },
  };
  try {
    if (!(await tryMark(objects, by, pool))) throw markedByOther();
    return lease;
  } catch (error) {
    // If only the answer was lost, the objects are marked all the same.
    await lease.end();
    throw error;
  }
}

/** Removes all marks of a deletion that does not take place. */
export async function release(by: string, executor: Executor): Promise<void> {
  await rowsOf(executor, { text: 'delete from deletion_mark where by = $1::uuid', values: [by] });
}

/** Removes the marks of deleted objects. */
export async function unmark(objects: readonly TypedIds[], executor: Executor): Promise<void> {
  const [types, ids] = columnsOf(objects);
  if (ids.length)
    await rowsOf(executor, {
      text: 'delete from deletion_mark d using unnest($1::int[], $2::bigint[]) as g(type, id) where d.type = g.type and d.id = g.id',
      values: [types, ids],
    });
}

/** Removes marks that expired long ago. */
export async function trimMarks(executor: Executor): Promise<void> {
  await rowsOf(executor, { text: `delete from deletion_mark where until < now() - interval '10 minutes'`, values: [] });
}
