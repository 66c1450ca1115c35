import type { ChangeEvent } from '@cadastre/events';
import type { Pool, PoolClient } from 'pg';
import { coalesce } from './coalesce.ts';
import { type Match, match, type MatchOptions } from './match.ts';
import { notify } from './notify.ts';
import { payload } from './payload.ts';
import { type NotificationRule, type Registry, sendsWebhook, type WebhookRule } from './registry.ts';
import { deliveryChannel } from './schema.ts';

// JSON text never holds a raw line feed, so one string carries all payloads without the escaping that an array parameter needs.
const separator = '\n';

const statement = `with added as (
    insert into webhook_delivery (event_id, rule_id, webhook_id, destination, event_type, object_type, object_id, request_id, payload)
    select event_id, rule_id, webhook_id, destination, event_type, object_type, object_id, request_id, payload::json from rows from (
      unnest($1::uuid[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::text[]), unnest($5::text[]), unnest($6::text[]),
      unnest($7::bigint[]), unnest($8::uuid[]), string_to_table($9::text, E'\\n')
    ) with ordinality as e (event_id, rule_id, webhook_id, destination, event_type, object_type, object_id, request_id, payload, n)
    order by n
    on conflict (event_id, rule_id) do nothing
    returning id
  )
  select count(*)::int as added, pg_notify('${deliveryChannel}', '') from added`;

/** A pool, or the connection of a transaction. */
type Executor = Pick<Pool | PoolClient, 'query'>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface EnqueueOptions extends MatchOptions {
  pool: Pool;
  registry: Registry;
}

/**
 * Does what event rules want done about events: puts deliveries into the queue, by one statement, and has groups of users told. What has been
 * done already stays as it is. Returns how many deliveries are new.
 */
export async function enqueue(events: readonly ChangeEvent[], { pool, registry, ...options }: EnqueueOptions, executor: Executor = pool): Promise<number> {
  const matches = await match(coalesce(events), await registry.current(), options);
  await notify(matches.filter((one): one is Match<NotificationRule> => !sendsWebhook(one.rule)), executor);
  return insert(matches.filter((one): one is Match<WebhookRule> => sendsWebhook(one.rule)), executor);
}

async function insert(matches: readonly Match<WebhookRule>[], executor: Executor): Promise<number> {
  if (matches.length === 0) return 0;
  const column = <T>(read: (match: Match<WebhookRule>) => T): T[] => matches.map(read);
  const { rows } = await executor.query<{ added: number }>(statement, [
    column(({ event }) => event.id),
    column(({ rule }) => rule.id),
    column(({ rule }) => rule.webhook.id),
    column(({ rule }) => rule.destination),
    column(({ event }) => `object_${event.action}`),
    column(({ event }) => event.objectType),
    column(({ event }) => event.objectId),
    column(({ event }) => (event.request && uuid.test(event.request.id) ? event.request.id : null)),
    payloads(matches).join(separator),
  ]);
  return rows[0]?.added ?? 0;
}

/** Rules without data of their own share the text of an event. */
function payloads(matches: readonly Match<WebhookRule>[]): string[] {
  const plain = new Map<ChangeEvent, string>();
  return matches.map(({ event, rule }) => {
    if (rule.actionData) return JSON.stringify(payload(event, rule.actionData));
    const known = plain.get(event) ?? JSON.stringify(payload(event, null));
    plain.set(event, known);
    return known;
  });
}
