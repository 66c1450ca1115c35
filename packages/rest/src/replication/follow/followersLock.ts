import { type Executor, rowsOf } from '../../db/sql.ts';

/**
 * How long one waits for another, in milliseconds: less than a statement may take. A failure to get a lock passes by
 * itself (`isTransient`), whereas a statement that was given up would be held against the message.
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
 * Changes of others are followed from the log and, where a request waits for them, straight from their owner, so two
 * transactions may be at the same object: one that keeps it as it was, and one that knows that it is gone. Those that
 * keep objects go side by side until they end …
 */
export const lockFollowersShared = followersLock('pg_advisory_xact_lock_shared');

/**
 * … and one that lets go of them, or of whose work something else follows, goes alone: what it says is gone cannot be
 * about to be kept.
 */
export const lockFollowersExclusive = followersLock('pg_advisory_xact_lock');
