import type { Pool } from 'pg';
import { maskedHeaders, maskedUrl } from '../delivery/mask.ts';
import type { OutgoingRequest } from '../delivery/request.ts';
import type { Outcome } from '../delivery/send.ts';
import type { Claimed } from './claim.ts';

/** An attempt that has come to its end. */
export interface Finished {
  delivery: Claimed;
  /** Absent when the request could not even be made. */
  request: OutgoingRequest | null;
  outcome: Outcome;
  started: Date;
  /** When the next attempt is due; null when this was the last. */
  retryInMs: number | null;
}

// Enough of a templated body to see what went wrong.
const maxKeptBody = 65_536;

const statement = `with o as (
    select * from jsonb_to_recordset($1::jsonb) as o (id bigint, number int, status text, "retryInMs" float8, started timestamptz, "durationMs" int, method text, url text,
      "requestHeaders" jsonb, "requestBody" text, "responseStatus" int, "responseHeaders" jsonb, "responseBody" text, "errorKind" text, error text)
  ), kept as (
    insert into webhook_attempt (delivery_id, number, started, duration_ms, method, url, request_headers, request_body, response_status, response_headers, response_body, error_kind, error)
    select o.id, o.number, o.started, o."durationMs", o.method, o.url, o."requestHeaders", o."requestBody", o."responseStatus", o."responseHeaders", o."responseBody", o."errorKind", o.error
    from o where exists (select from webhook_delivery d where d.id = o.id)
    on conflict (delivery_id, number) do nothing
  )
  update webhook_delivery d set status = o.status, lease = null, method = o.method, url = o.url, response_status = o."responseStatus", error = o.error,
    finished = case when o.status = 'pending' then null else clock_timestamp() end,
    scheduled = case when o.status = 'pending' then clock_timestamp() + o."retryInMs" * interval '1 millisecond' else d.scheduled end
  from o where d.id = o.id and d.attempts = o.number and d.status = 'running'`;

/** Writes the outcomes of many attempts by one statement. What has been taken from this process meanwhile keeps its state. */
export async function finish(pool: Pool, finished: readonly Finished[]): Promise<void> {
  if (finished.length > 0) await pool.query(statement, [JSON.stringify(finished.map(row))]);
}

function row({ delivery, request, outcome, started, retryInMs }: Finished): Record<string, unknown> {
  const body = request?.body.toString('utf8') ?? null;
  return {
    id: delivery.id,
    number: delivery.number,
    status: outcome.error === null ? 'succeeded' : retryInMs === null ? 'failed' : 'pending',
    retryInMs,
    started,
    durationMs: outcome.durationMs,
    method: request?.method ?? null,
    url: request ? clean(maskedUrl(request.url.href)) : null,
    requestHeaders: request ? cleanHeaders(maskedHeaders(request.headers)) : null,
    // The default body is the delivery's payload; it is kept once.
    requestBody: body === null || body === delivery.payload ? null : clean(body.slice(0, maxKeptBody)),
    responseStatus: outcome.status,
    responseHeaders: outcome.status === null ? null : cleanHeaders(outcome.headers),
    responseBody: outcome.status === null ? null : clean(outcome.body),
    errorKind: outcome.error?.kind ?? null,
    error: outcome.error ? clean(outcome.error.text.slice(0, 2000)) : null,
  };
}

/** PostgreSQL's texts have no NUL and no half surrogate pairs. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
const cleanHeaders = (headers: Record<string, string>) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)]));
