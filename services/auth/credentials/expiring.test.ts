import { afterEach, describe, expect, test } from '@jest/globals';
import { transaction } from '@cadastre/rest';
import type { SecurityEvent } from '../models/rights/securityEvent.ts';
import { warnOfExpiry } from './expiring.ts';
import { pool, sql } from '../testing/database.ts';

const days = [14, 7, 1];
const database = { transact: <T>(work: Parameters<typeof transaction<T>>[1]) => transaction(pool, work) };
const noted: SecurityEvent[] = [];
const security = { write: async (_: unknown, events: readonly SecurityEvent[]) => void noted.push(...events) };
const warn = () => warnOfExpiry(database, security, days);
const told = async (): Promise<Record<string, unknown>[]> => (await warn()).map(({ id, days: left }) => ({ id, left }));
/** Makes token 2, created a year ago, expire in that many hours. */
const endsIn = (hours: number) =>
  sql(
    `update users_token set created = now() - interval '1 year', expires = now() + make_interval(hours => $1) where id = 2`,
    [hours],
  );

describe('users of tokens that end soon', () => {
  afterEach(() => sql('delete from token_use'));

  test('are told once for each of the times before', async () => {
    expect(await told()).toEqual([]);
    await endsIn(24 * 15);
    expect(await told()).toEqual([]);
    for (const [hours, left] of [
      [24 * 13, 14],
      [24 * 6, 7],
      [23, 1],
    ] as const) {
      // Simulates the passing of time: the recorded expiry is moved along with the token's, so it counts as the same.
      await endsIn(hours);
      await sql('update token_use set warned_expires = (select expires from users_token where id = 2)');
      expect([hours, await told()]).toEqual([hours, [{ id: 2, left }]]);
      expect(await told()).toEqual([]);
    }
    const events = await sql(`select body as text from change order by id`);
    expect(events).toHaveLength(3);
    expect(String(events[2]!['text'])).toContain('this token expires within a day');
  });

  test('are told anew when it ends at another time, and not of what has ended or does not count', async () => {
    await endsIn(20);
    expect(await told()).toEqual([{ id: 2, left: 1 }]);
    await endsIn(24 * 10);
    expect(await told()).toEqual([{ id: 2, left: 14 }]);
    for (const change of [
      'enabled = false',
      `expires = now() - interval '1 minute'`,
      `created = now(), expires = now() + interval '20 hours'`,
      'expires = null',
    ]) {
      await endsIn(20);
      await sql('delete from token_use');
      await sql(`update users_token set ${change} where id = 2`);
      expect([change, await told()]).toEqual([change, []]);
      await sql('update users_token set enabled = true where id = 2');
    }
    await endsIn(20);
    await sql('update users_token set user_id = 3 where id = 2');
    expect(await told()).toEqual([]);
  });

  test('are told by one of several processes', async () => {
    await endsIn(20);
    const all = await Promise.all(Array.from({ length: 4 }, () => warn()));
    expect(all.flat()).toHaveLength(1);
    expect(await sql('select count(*)::int as n from change')).toEqual([{ n: 1 }]);
  });

  test('know it by its description', async () => {
    await endsIn(20);
    await sql(`update users_token set description = 'backup of routers' where id = 2`);
    expect(await warn()).toEqual([{ id: 2, user: { id: 2, name: 'alice' }, name: 'backup of routers', days: 1 }]);
    expect(noted.at(-1)).toMatchObject({
      kind: 'token_expiring',
      user: { id: 2, name: 'alice' },
      detail: 'backup of routers: this token expires within a day',
      about: { type: 'users.token', id: 2 },
    });
  });
});
