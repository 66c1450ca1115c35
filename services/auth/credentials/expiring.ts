import { appendChanges, newEventId } from '@cadastre/events';
import { rowsOf } from '@cadastre/rest';
import type { ModelService } from '@cadastre/service/models';
import type { PoolClient } from 'pg';
import { noticeEvent } from '../../webhooks/models/notice.ts';
import type { SecurityRecord } from '../security/record.ts';

/** A token that expires soon, of which its user is notified. */
export interface Warned {
  id: number;
  user: { id: number; name: string };
  /** What identifies the token to its user: its description, otherwise its key or its last characters. */
  name: string;
  days: number;
}

// Of the warning times before its expiry, the one that a token has reached; times longer than the token's lifetime are
// skipped. Each warning is sent once, whichever process comes first: another one waits for the row and finds it
// recorded already. A changed expiry starts the warnings anew.
const DUE = `with due as (
    select t.id, t.user_id, u.username, t.expires, w.days, coalesce(nullif(t.description, ''), t.key, t.ending, '') as name
    from users_token t join users_user u on u.id = t.user_id and u.is_active
    cross join lateral (
      select min(d) as days from unnest($1::int[]) as d
      where t.expires <= now() + make_interval(days => d) and t.expires - t.created > make_interval(days => d)
    ) w
    where t.enabled and t.expires > now() and w.days is not null
  ), told as (
    insert into token_use as n (token_id, warned_expires, warned_days) select id, expires, days from due order by id
    on conflict (token_id) do update set warned_expires = excluded.warned_expires, warned_days = excluded.warned_days
      where n.warned_expires is distinct from excluded.warned_expires or n.warned_days > excluded.warned_days
    returning token_id
  ) select d.id, d.user_id, d.username, d.name, d.days from due d join told on told.token_id = d.id order by d.id`;

const textOf = ({ name, days }: Warned): string =>
  days === 1 ? `${name}: this token expires within a day` : `${name}: this token expires within ${days} days`;

/**
 * Notifies the users of tokens that expire soon, once for each of these numbers of days, and records security events,
 * which webhooks are sent for. Returns the tokens.
 */
export async function warnOfExpiry(
  { transact }: Transacting,
  security: Pick<SecurityRecord, 'write'>,
  days: readonly number[],
): Promise<Warned[]> {
  return transact(async (client) => {
    const rows = await rowsOf(client, { text: DUE, values: [days] });
    const all = rows.map(
      ([id, userId, username, name, left]): Warned => ({
        id: Number(id),
        user: { id: Number(userId), name: username! },
        name: name!,
        days: Number(left),
      }),
    );
    const cause = { time: new Date().toISOString().replace('Z', '000Z'), request: null };
    await appendChanges(
      client,
      all.map((one) =>
        noticeEvent(newEventId(), cause, {
          user: one.user.id,
          objectType: 'users.token',
          objectId: one.id,
          display: textOf(one),
          eventType: 'object_updated',
        }),
      ),
      { notify: false },
    );
    await security.write(
      client,
      all.map((one) => ({
        kind: 'token_expiring',
        ok: true,
        user: one.user,
        address: '',
        detail: textOf(one),
        about: { type: 'users.token', id: one.id },
      })),
    );
    return all;
  });
}

/** Runs a transaction; the publisher of its events is notified after the commit. */
interface Transacting {
  transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

/** The delay of the first check after a start, when a process is busy with other things. */
const FIRST_MS = 30_000;

/**
 * Checks for tokens that expire soon, first shortly after the start and then repeatedly. Returns a function that stops
 * it.
 */
export function warnFromTimeToTime(
  { engine, config, log }: Pick<ModelService, 'engine' | 'config' | 'log'>,
  security: Pick<SecurityRecord, 'write'>,
): () => Promise<void> {
  const { tokenWarnDays: days, tokenWarnCheckSeconds: seconds, maintenanceMode } = config;
  if (!days.length || maintenanceMode) return async () => undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = (): void => {
    looking = looking
      .then(async () => void (await warnOfExpiry({ transact: (work) => engine.transact(work) }, security, days)))
      .catch((err: unknown) => log.warn({ err }, 'nobody could be warned of tokens that expire'));
  };
  const first = setTimeout(look, Math.min(seconds * 1000, FIRST_MS)).unref();
  const timer = setInterval(look, seconds * 1000).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await looking;
  };
}
