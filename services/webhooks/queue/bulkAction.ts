import type { Executor } from '@cadastre/rest';
import { deliveryChannel } from './schema.ts';
import { invalidation } from './invalidation.ts';

/** Which deliveries are meant: a condition on rows `t` with its values, in which states, and how many at most. */
export interface Selected {
  condition: string;
  values: readonly unknown[];
  statuses: readonly string[];
  limit: number;
}

/** What became of them: their ids, and whether there are more of them than were asked for. */
export interface BulkOutcome {
  ids: number[];
  more: boolean;
}

const orders = {
  /** Back into the queue as if new, with the current version of the webhook; previous attempts stay on record. */
  requeue: `status = 'pending', scheduled = clock_timestamp(), finished = null, lease = null, tries = 0, requeues = d.requeues + 1, webhook_version = null, requested_by = $who, cancelled_by = null`,
  /** Not to be sent (again). One that is under way is stopped, which may be too late. */
  cancel: `status = 'cancelled', finished = clock_timestamp(), lease = null, cancelled_by = $who`,
  /** Sends a waiting delivery now instead of later. */
  enqueue: 'scheduled = clock_timestamp()',
} as const;

export type BulkAction = keyof typeof orders;

/**
 * Changes many deliveries, the oldest first, by one statement whatever their number; workers are notified when it
 * commits.
 */
export async function bulkAction(
  executor: Executor,
  order: BulkAction,
  { condition, values, statuses, limit }: Selected,
  who: string,
): Promise<BulkOutcome> {
  const at = values.length;
  const bind = (offset: number) => `$${at + offset}`;
  const text = `with found as materialized (
      select t.id, t.status from webhook_delivery t where (${condition}) and t.status = any(${bind(1)}::text[]) order by t.id limit ${bind(2)}::int + 1 for update of t
    ), meant as materialized (select id, status from found order by id limit ${bind(2)}::int),
    ${invalidation('select from meant')},
    steered as (
      update webhook_delivery d set ${orders[order].replaceAll('$who', `${bind(3)}::text`)}, changed = pg_current_xact_id() from meant where d.id = meant.id
      returning d.id, pg_notify('${deliveryChannel}', case when meant.status = 'running' then d.id::text else '' end)
    )
    select coalesce((select array_agg(id::int order by id) from steered), '{}') as ids, (select count(*) from found) > ${bind(2)}::int as more, ${bind(3)}::text as who`;
  const { rows } = await executor.query<BulkOutcome>(text, [...values, statuses, limit, who]);
  return { ids: rows[0]?.ids ?? [], more: rows[0]?.more ?? false };
}

const removal = `with found as materialized (select id, status from webhook_delivery where id = $1 for update), ${invalidation('select from found')},
  gone as (delete from webhook_delivery d using found where d.id = found.id returning d.id, pg_notify('${deliveryChannel}', case when found.status = 'running' then d.id::text else '' end))
  select count(*)::int as number from gone`;

/** Removes a delivery with its attempts; one that is under way is stopped. Whether there was one. */
export const removeDelivery = async (executor: Executor, id: string): Promise<boolean> =>
  ((await executor.query<{ number: number }>(removal, [id])).rows[0]?.number ?? 0) > 0;
