import type { ChangeEvent } from '@cadastre/events';
import type { Pool, PoolClient } from 'pg';
import type { Match } from '../rules/match.ts';
import { payload } from '../rules/payload.ts';
import type { WebhookRule } from '../rules/rules.ts';
import { deliveryChannel } from './schema.ts';
import { invalidation } from './invalidation.ts';

/** A pool, or the connection of a transaction. */
export type Executor = Pick<Pool | PoolClient, 'query'>;

/** A message that is to be sent. */
export interface Queued {
  eventId: string;
  /** None for a test. */
  ruleId: number | null;
  webhookId: number;
  /** The version of the webhook to send with; null for the one that is current when it is sent. */
  webhookVersion: number | null;
  destination: string;
  eventType: string;
  objectType: string;
  objectId: number;
  /** The name of the object at that time. */
  objectName: string;
  requestId: string | null;
  /** JSON text. */
  payload: string;
}

/** The reason for sending messages. */
export interface Occasion {
  kind: 'event' | 'test' | 'replay';
  replayId: number | null;
  requestedBy: string | null;
}

export const asItHappens: Occasion = { kind: 'event', replayId: null, requestedBy: null };

// JSON text never holds a raw line feed, so one string carries all payloads without the escaping that an array
// parameter needs.
const separator = '\n';

const statement = `with added as (
    insert into webhook_delivery (event_id, rule_id, webhook_id, destination, event_type, object_type, object_id, request_id, payload, kind, replay_id, requested_by, object_name, webhook_version)
    select event_id, rule_id, webhook_id, destination, event_type, object_type, object_id, request_id, payload::json, $10::text, $11::bigint, $12::text, object_name, webhook_version from rows from (
      unnest($1::uuid[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::text[]), unnest($5::text[]), unnest($6::text[]),
      unnest($7::bigint[]), unnest($8::uuid[]), string_to_table($9::text, E'\\n'), unnest($13::text[]), unnest($14::bigint[])
    ) with ordinality as e (event_id, rule_id, webhook_id, destination, event_type, object_type, object_id, request_id, payload, object_name, webhook_version, n)
    order by n
    on conflict (event_id, rule_id, replay_id) do nothing
    returning id
  ), ${invalidation('select from added')}
  select coalesce(array_agg(id::int order by id), '{}') as ids, pg_notify('${deliveryChannel}', '') from added`;

/**
 * Puts deliveries into the queue, in their order, by one statement; those that are there already stay. Returns the ids
 * of the new ones.
 */
export async function put(
  executor: Executor,
  queued: readonly Queued[],
  { kind, replayId, requestedBy }: Occasion,
): Promise<number[]> {
  if (queued.length === 0) return [];
  const column = <T>(read: (one: Queued) => T): T[] => queued.map(read);
  const { rows } = await executor.query<{ ids: number[] }>(statement, [
    column((one) => one.eventId),
    column((one) => one.ruleId),
    column((one) => one.webhookId),
    column((one) => one.destination),
    column((one) => one.eventType),
    column((one) => one.objectType),
    column((one) => one.objectId),
    column((one) => one.requestId),
    column((one) => one.payload).join(separator),
    kind,
    replayId,
    requestedBy,
    column((one) => one.objectName),
    column((one) => one.webhookVersion),
  ]);
  return rows[0]?.ids ?? [];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The deliveries of matching rules, with their webhook as it was at the time of the event, or as it is now. Rules
 * without data of their own share the payload of an event.
 */
export function queuedOf(matches: readonly Match<WebhookRule>[], webhook: 'as it was' | 'as it is'): Queued[] {
  const plain = new Map<ChangeEvent, string>();
  const textOf = ({ event, rule }: Match<WebhookRule>): string => {
    if (rule.actionData) return JSON.stringify(payload(event, rule.actionData));
    const text = plain.get(event) ?? JSON.stringify(payload(event, null));
    plain.set(event, text);
    return text;
  };
  return matches.map((match) => {
    const { event, rule, eventType } = match;
    return {
      eventId: event.id,
      ruleId: rule.id,
      webhookId: rule.webhook.id,
      webhookVersion: webhook === 'as it was' ? rule.version : null,
      destination: rule.destination,
      eventType,
      objectType: event.objectType,
      objectId: event.objectId,
      objectName: event.display,
      requestId: event.request && uuid.test(event.request.id) ? event.request.id : null,
      payload: textOf(match),
    };
  });
}
