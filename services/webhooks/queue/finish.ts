import type { Pool } from 'pg';
import { maskedHeaders, maskedUrl } from '../http/mask.ts';
import type { OutgoingRequest } from '../http/request.ts';
import type { Outcome } from '../http/send.ts';
import type { Claimed } from './claim.ts';
import { lockedInOrder } from './lockOrder.ts';
import { maskedText } from '../http/masked.ts';
import { invalidation } from './invalidation.ts';

/** An attempt that has come to its end. */
export interface Finished {
  delivery: Claimed;
  /** Absent when the request could not even be made. */
  request: OutgoingRequest | null;
  outcome: Outcome;
  started: Date;
  /** When the next attempt is due; null when this was the last. */
  retryInMs: number | null;
  /** Secrets that must not be stored, longest first. */
  secrets: readonly string[];
}

/** How an attempt is kept. */
export interface Keeping {
  worker: string;
  /** How much of a templated body is kept. */
  maxBody: number;
}

// A secret that is cut in two is no longer recognised, so the text is masked before it is cut; text far beyond the cut
// does not matter.
const margin = 4_096;

const statement = `with o as materialized (
    select * from jsonb_to_recordset($1::jsonb) as o (id bigint, number int, status text, "retryInMs" float8, started timestamptz, "durationMs" int, method text, url text,
      "requestHeaders" jsonb, "requestBody" text, "responseStatus" int, "responseHeaders" jsonb, "responseBody" text, "errorKind" text, error text)
  ), ${lockedInOrder('select id from o')}, kept as (
    insert into webhook_attempt (delivery_id, number, started, duration_ms, method, url, request_headers, request_body, response_status, response_headers, response_body, error_kind, error, worker)
    select o.id, o.number, o.started, o."durationMs", o.method, o.url, o."requestHeaders", o."requestBody", o."responseStatus", o."responseHeaders", o."responseBody", o."errorKind", o.error, $2::text
    from o join mine using (id)
    on conflict (delivery_id, number) do nothing
  ), ended as (
    select distinct d.rule_id, bool_or(o.status = 'succeeded') over (partition by d.rule_id) as well
    from o join webhook_delivery d on d.id = o.id where o.status <> 'pending' and d.rule_id is not null
  ), recovered as (
    delete from webhook_failing_rule f using ended where f.rule_id = ended.rule_id and ended.well
  ), failing as (
    insert into webhook_failing_rule as f (rule_id, since, last) select rule_id, clock_timestamp(), clock_timestamp() from ended where not well order by rule_id
    on conflict (rule_id) do update set last = excluded.last where f.last < excluded.last - interval '1 minute'
  ), ${invalidation('select from o')}
  update webhook_delivery d set status = o.status, lease = null, method = o.method, request_url = o.url, response_status = o."responseStatus", error_kind = o."errorKind", error = o.error, changed = pg_current_xact_id(),
    finished = case when o.status = 'pending' then null else clock_timestamp() end,
    scheduled = case when o.status = 'pending' then clock_timestamp() + o."retryInMs" * interval '1 millisecond' else d.scheduled end
  from o join mine using (id) where d.id = o.id and d.attempts = o.number and d.status = 'running'`;

/**
 * Writes the outcomes of many attempts by one statement. Deliveries that this process has lost in the meantime keep
 * their state.
 */
export async function finish(pool: Pool, finished: readonly Finished[], keeping: Keeping): Promise<void> {
  if (finished.length > 0)
    await pool.query(statement, [JSON.stringify(finished.map((one) => row(one, keeping))), keeping.worker]);
}

/** The state of a delivery after an attempt. */
export const statusAfter = ({
  outcome,
  retryInMs,
}: Pick<Finished, 'outcome' | 'retryInMs'>): 'succeeded' | 'failed' | 'pending' =>
  outcome.error === null ? 'succeeded' : retryInMs === null ? 'failed' : 'pending';

function row(one: Finished, { maxBody }: Keeping): Record<string, unknown> {
  const { delivery, request, outcome, started, retryInMs, secrets } = one;
  const kept =
    request &&
    (request.shown ?? { url: request.url.href, headers: request.headers, body: request.body.toString('utf8') });
  const body = kept?.body ?? null;
  const masked = (text: string, most: number) =>
    clean(maskedText(text.slice(0, most + margin), secrets).slice(0, most));
  return {
    id: delivery.id,
    number: delivery.number,
    status: statusAfter(one),
    retryInMs,
    started,
    durationMs: outcome.durationMs,
    method: request?.method ?? null,
    url: kept ? clean(maskedText(maskedUrl(kept.url), secrets)) : null,
    requestHeaders: kept ? cleanHeaders(maskedHeaders(kept.headers)) : null,
    // The default body is the delivery's payload; it is kept once.
    requestBody: body === null || body === delivery.payload ? null : masked(body, maxBody),
    responseStatus: outcome.status,
    responseHeaders:
      outcome.status === null
        ? null
        : cleanHeaders(
            maskedHeaders(Object.entries(outcome.headers).map(([name, value]) => [name, maskedText(value, secrets)])),
          ),
    responseBody: outcome.status === null ? null : masked(outcome.body, outcome.body.length),
    errorKind: outcome.error?.kind ?? null,
    error: outcome.error ? masked(outcome.error.text, 2_000) : null,
  };
}

/** PostgreSQL's texts have no NUL and no half surrogate pairs. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
const cleanHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)]));
