import { type ChangeEvent, madeAt, microsOf } from '@cadastre/events';
import type { Pool } from 'pg';
import { coalesce } from './coalesce.ts';
import { type Match, match, type MatchOptions } from '../rules/match.ts';
import { notify } from './notify.ts';
import { asItHappens, type Executor, put, queuedOf } from '../queue/put.ts';
import type { Registry } from '../rules/registry.ts';
import { type NotificationRule, sendsWebhook, type WebhookRule } from '../rules/rules.ts';

export interface EnqueueOptions extends MatchOptions {
  pool: Pool;
  registry: Registry;
}

/**
 * Performs the actions of event rules, as they were when each change was made: puts deliveries into the queue, by one
 * statement, and has groups of users notified. Events that were handled before have no effect. Returns the number of
 * new deliveries.
 */
export async function enqueue(
  events: readonly ChangeEvent[],
  { pool, registry, ...options }: EnqueueOptions,
  executor: Executor = pool,
): Promise<number> {
  const history = await registry.current();
  const matches = await match(coalesce(events), (event) => history.at(microsOf(madeAt(event))), options);
  await notify(
    matches.filter((one): one is Match<NotificationRule> => !sendsWebhook(one.rule)),
    executor,
  );
  return (
    await put(
      executor,
      queuedOf(
        matches.filter((one): one is Match<WebhookRule> => sendsWebhook(one.rule)),
        'as it was',
      ),
      asItHappens,
    )
  ).length;
}
