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
  /** What the token is told apart by: its description, else its key. */
  name: string;
  days: number;
}

// Of the times before its end at which a token's user is warned, the one that it is in now; one that is longer than the
// token lives is passed over. Each is told once, whichever process looks: whoever comes second waits for the row, and
// finds that it has been told. Another end begins anew.
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
 * Tells the users of tokens that end soon, each once for each of these numbers of days, and the record of security
 * events, from which webhooks hear of it. Returns which it told.
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

/** What runs a transaction; whoever publishes its events is told when it has committed. */
interface Transacting {
  transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

/** So long after a start it is looked for the first time: a process that starts has other things to do. */
const FIRST_MS = 30_000;

/** Looks from time to time for tokens that end soon, and once soon after the start. Returns what ends it. */
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
