import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type Verdict = 'valid' | 'wrong' | 'expired' | 'missing';

/** The result for one signature, by its header. */
export interface Checked {
  header: string;
  verdict: Exclude<Verdict, 'missing'>;
}

/** How long before and after its timestamp a message of Standard Webhooks is accepted. */
const toleranceMs = 5 * 60_000;

/** Checks every signature of a request. */
export const verify = (body: Buffer, headers: IncomingHttpHeaders, secret: string, now = Date.now()): Checked[] => [
  ...hook(body, headers, secret),
  ...standard(body, headers, secret, now),
];

/** The worst of the results; `missing` when there is no signature. */
export const verdictOf = (checked: readonly Checked[]): Verdict =>
  checked.find(({ verdict }) => verdict === 'wrong')?.verdict ??
  checked.find(({ verdict }) => verdict === 'expired')?.verdict ??
  checked[0]?.verdict ??
  'missing';

/** HMAC-SHA512 of the body, in hexadecimal digits. */
function hook(body: Buffer, headers: IncomingHttpHeaders, secret: string): Checked[] {
  const given = headers['x-hook-signature']?.toString();
  if (given === undefined) return [];
  return [
    {
      header: 'X-Hook-Signature',
      verdict: same(given.trim().toLowerCase(), createHmac('sha512', secret).update(body).digest('hex'))
        ? 'valid'
        : 'wrong',
    },
  ];
}

/**
 * Standard Webhooks: HMAC-SHA256 of id, timestamp and body; one of several signatures is enough. A secret that begins
 * with `whsec_` is a key in base64.
 */
function standard(body: Buffer, headers: IncomingHttpHeaders, secret: string, now: number): Checked[] {
  const header = 'webhook-signature';
  const given = headers[header]?.toString();
  if (given === undefined) return [];
  const id = headers['webhook-id']?.toString() ?? '';
  const timestamp = headers['webhook-timestamp']?.toString() ?? '';
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
  const right = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  if (
    !given
      .trim()
      .split(/\s+/)
      .some((one) => same(one, right))
  )
    return [{ header, verdict: 'wrong' }];
  return [{ header, verdict: Math.abs(now - Number(timestamp) * 1_000) <= toleranceMs ? 'valid' : 'expired' }];
}

function same(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
