import { type Executor, rowsOf } from '../../db/sql.ts';

/**
 * How long one follower waits for another, in milliseconds: less than the statement timeout. A failure to get a lock is
 * transient (`isTransient`), whereas a cancelled statement would count as a failure of the message.
 */
const PATIENCE_MS = 5_000;

const followersLock =
  (lock: string) =>
  async (executor: Executor): Promise<void> => {
    await rowsOf(executor, {
      text: `select set_config('lock_timeout', '${PATIENCE_MS}', true), ${lock}(hashtextextended('cadastre following', 0)), set_config('lock_timeout', '0', true)`,
      values: [],
    });
  };

/**
 * Changes elsewhere are followed from the log and, where a request waits for them, straight from their owner, so two
 * transactions may handle the same object: one that stores an earlier state of it, and one that knows that it is
 * deleted. Those that store objects share the lock until they end …
 */
export const lockFollowersShared = followersLock('pg_advisory_xact_lock_shared');

/**
 * … and one that removes objects, or whose work has further consequences, holds it alone: nobody can be about to store
 * an object that it knows to be deleted.
 */
export const lockFollowersExclusive = followersLock('pg_advisory_xact_lock');
