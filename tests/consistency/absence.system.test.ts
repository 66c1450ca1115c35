// A service was away for longer than the event log keeps any events. The test kills services, so it has a system of its
// own.
import { trimMessages } from '@cadastre/events/postgres/trim';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { comesBackTooLate } from '../support/consistency/absence.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ PROCESSES: 'each', DATABASE_URL: '' });
});
afterAll(() => system?.stop());

test('it catches up by itself when it is back', async () => {
  await comesBackTooLate(system, async () => {
    const pool = new pg.Pool({ connectionString: system.databaseUrl('events'), max: 1 });
    try {
      await pool.query(`update "log"."message" set "time" = now() - interval '8 days'`);
      expect(await trimMessages(pool, 7 * 86_400_000)).toBeGreaterThan(5);
    } finally {
      await pool.end();
    }
  });
}, 600_000);
