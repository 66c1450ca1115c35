import type { Pool } from 'pg';
import { nowAndThen, trimOld } from '@cadastre/rest/write/remove/retention';
import { forgetLostUsers } from './changeLog.ts';
import { objectChange } from './models/objectChange.ts';

/** Removes the change records that are older than so many days, in portions. Returns how many. */
export const trimChanges = (pool: Pool, days: number, options?: Parameters<typeof trimOld>[3]): Promise<number> =>
  trimOld(pool, objectChange, days, options);

/**
 * Removes old records from time to time (with 0 days none), and references to deleted users. Returns a function that
 * ends it.
 */
export const keepTidy = (pool: Pool, days: number, onError: (error: unknown) => void): (() => void) =>
  nowAndThen(async (signal) => {
    if (days) await trimChanges(pool, days, { signal });
    await forgetLostUsers(pool);
  }, onError);
