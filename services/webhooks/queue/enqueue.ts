import type { ChangeEvent } from '@cadastre/events';
import type { Pool } from 'pg';
import { coalesce } from './coalesce.ts';
import { type Match, match, type MatchOptions } from './match.ts';
import { notify } from './notify.ts';
import { asItHappens, type Executor, put, queuedOf } from './put.ts';
import { type NotificationRule, type Registry, sendsWebhook, type WebhookRule } from './registry.ts';

export interface EnqueueOptions extends MatchOptions {
  pool: Pool;
  registry: Registry;
}

/**
 * Does what event rules want done about events: puts deliveries into the queue, by one statement, and has groups of
 * users told. What has been done already stays as it is. Returns how many deliveries are new.
 */
export async function enqueue(
  events: readonly ChangeEvent[],
  { pool, registry, ...options }: EnqueueOptions,
  executor: Executor = pool,
): Promise<number> {
  const matches = await match(coalesce(events), await registry.current(), options);
  await notify(
    matches.filter((one): one is Match<NotificationRule> => !sendsWebhook(one.rule)),
    executor,
  );
  return (
    await put(
      executor,
      queuedOf(matches.filter((one): one is Match<WebhookRule> => sendsWebhook(one.rule))),
      asItHappens,
    )
  ).length;
}
