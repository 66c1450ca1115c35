import { isoSql } from '@cadastre/model';
import type { ObjectSnapshot } from '@cadastre/rest';
import { transaction } from '@cadastre/rest';
import type { Pool, PoolClient } from 'pg';
import type { ChangeRecord, ChangesWanted } from '../../../extras/models/changesApi.ts';
import { coalesce } from '../coalesce.ts';
import { type Match, match, type MatchOptions } from '../../rules/match.ts';
import { put, queuedOf } from '../../queue/put.ts';
import type { Registry } from '../../rules/registry.ts';
import { type Rules, sendsWebhook, type WebhookRule } from '../../rules/rules.ts';
import { eventOf, objectsIn } from './events.ts';
import { tellReplays } from './tell.ts';

export interface ReplayOptions extends MatchOptions {
  pool: Pool;
  registry: Registry;
  /** Change records of a time range, from a position on. */
  changes(wanted: ChangesWanted): Promise<ChangeRecord[]>;
  /** Objects as they are now. */
  show(type: string, ids: number[]): Promise<ObjectSnapshot[]>;
  /** The most events that one replay looks at. */
  maxEvents: number;
}

interface Replay {
  id: number;
  webhook: number;
  since: string;
  until: string;
  types: string[];
  by: string | null;
  events: number;
  afterTime: string;
  afterId: number;
}

export const portion = 200;
// Replayed deliveries must not delay current ones.
const maxWaiting = 2_000;

// The row is locked for the portion. When a process dies the lock is released, and another process continues from the
// position that was stored with the last deliveries.
const next = `select id::int, webhook_id::int as webhook, ${isoSql('since')} as since, ${isoSql('until')} as until, object_types as types, requested_by as by, events,
    coalesce(${isoSql('position_time')}, '') as "afterTime", coalesce(position_id, 0)::float8 as "afterId"
  from webhook_replay r where status in ('pending', 'running')
    and (select count(*) from (select from webhook_delivery d where d.replay_id = r.id and d.status in ('pending', 'running') limit ${maxWaiting}) w) < ${maxWaiting}
  order by id limit 1 for update skip locked`;
const progress = `update webhook_replay set status = $2, error = $3, started = coalesce(started, clock_timestamp()), finished = case when $2 <> 'running' then clock_timestamp() end,
  events = events + $4, deliveries = deliveries + $5, position_time = coalesce($6::timestamptz, position_time), position_id = coalesce($7::bigint, position_id) where id = $1`;

/** Runs a portion of a waiting replay, in one transaction with its position. Returns whether there was one. */
export const replayNext = (options: ReplayOptions): Promise<boolean> =>
  transaction(options.pool, async (client) => {
    const [replay] = (await client.query<Replay>(next)).rows;
    if (!replay) return false;
    const known = await options.registry.current();
    const store = async (
      status: string,
      error: string | null,
      events: number,
      deliveries: number,
      last?: ChangeRecord,
    ) => {
      await client.query(progress, [
        replay.id,
        status,
        error,
        events,
        deliveries,
        last?.time ?? null,
        last?.id ?? null,
      ]);
      await tellReplays(client);
    };
    if (!known.webhook(replay.webhook)) {
      await store('failed', 'The webhook does not exist any more.', 0, 0);
      return true;
    }
    const left = options.maxEvents - replay.events;
    const limit = Math.min(portion, left);
    const records =
      limit > 0
        ? await options.changes({
            since: replay.since,
            until: replay.until,
            types: replay.types,
            after_time: replay.afterTime,
            after_id: replay.afterId,
            limit,
          })
        : [];
    const queued = await enqueue(options, replay, only(known.now, replay.webhook), records, client);
    const last = records.at(-1);
    const ended = records.length < portion;
    const cut = ended && records.length === limit;
    await store(
      cut ? 'failed' : ended ? 'completed' : 'running',
      cut
        ? `Stopped after ${options.maxEvents} events. Replay the rest from ${last?.time ?? replay.afterTime} on.`
        : null,
      records.length,
      queued,
      last,
    );
    return true;
  });

/** The deliveries of rules for change records. */
export async function matchesOf(
  options: ReplayOptions,
  rules: Rules,
  records: readonly ChangeRecord[],
): Promise<Match<WebhookRule>[]> {
  const now = new Map<string, ObjectSnapshot>();
  for (const [type, ids] of objectsIn(records))
    for (const picture of await options.show(type, ids)) now.set(`${type}:${picture.id}`, picture);
  const events = coalesce(records.map((record) => eventOf(record, now.get(`${record.type}:${record.object_id}`))));
  return (await match(events, () => rules, options)).flatMap(({ event, rule, eventType }) =>
    sendsWebhook(rule) ? [{ event, rule, eventType }] : [],
  );
}

async function enqueue(
  options: ReplayOptions,
  replay: Replay,
  rules: Rules,
  records: readonly ChangeRecord[],
  client: PoolClient,
): Promise<number> {
  const matches = await matchesOf(options, rules, records);
  return (
    await put(client, queuedOf(matches, 'as it is'), { kind: 'replay', replayId: replay.id, requestedBy: replay.by })
  ).length;
}

/** The rules of one webhook: a replay sends their messages to it, and nothing to anybody else. */
export const only = (rules: Rules, webhook: number): Rules => ({
  ...rules,
  matching: (type, action) =>
    rules
      .matching(type, action)
      .filter((rule): rule is WebhookRule => sendsWebhook(rule) && rule.webhook.id === webhook),
});

const failure = `update webhook_replay set status = 'failed', error = $1, finished = clock_timestamp() where id = (select id from webhook_replay where status in ('pending', 'running') order by id limit 1 for update skip locked)`;

/** Gives up a replay that cannot continue. */
export async function failNext(pool: Pool, error: string): Promise<void> {
  await transaction(pool, async (client) => {
    await client.query(failure, [error.slice(0, 2_000)]);
    await tellReplays(client);
  });
}
