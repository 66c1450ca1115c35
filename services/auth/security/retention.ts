import { nowAndThen, trimOld } from '@cadastre/rest/write/remove/retention';
import type { Pool } from 'pg';
import { securityEvent } from '../models/securityEvent.ts';

/** Regularly deletes security events that are older than this many days; 0: events are kept for ever. */
export const keepTidy = (pool: Pool, days: number, onError: (error: unknown) => void): (() => void) =>
  days
    ? nowAndThen(async (signal) => void (await trimOld(pool, securityEvent, days, { signal })), onError)
    : () => undefined;
