import type { Pool } from 'pg';
import { nowAndThen, trimOld } from '@cadastre/rest/write/remove/retention';
import { forgetLostUsers } from './changeLog.ts';
import { objectChange } from './models/objectChange.ts';

/** Removes the change records older than a number of days, in portions. Returns how many were removed. */
export const trimChanges = (pool: Pool, days: number, options?: Parameters<typeof trimOld>[3]): Promise<number> =>
  trimOld(pool, objectChange, days, options);

/**
 * Periodically removes old records (none when the number of days is 0), and references to deleted users. Returns a
 * function that stops this.
 */
export const keepTidy = (pool: Pool, days: number, onError: (error: unknown) => void): (() => void) =>
  nowAndThen(async (signal) => {
    if (days) await trimChanges(pool, days, { signal });
    await forgetLostUsers(pool);
  }, onError);
