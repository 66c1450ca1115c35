import type { Outcome } from './send.ts';

export interface RetryOptions {
  /** How often a failed delivery is tried again by itself. */
  retries: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

const passing = new Set([408, 425, 429, 500, 502, 503, 504]);
const lasting = new Set(['template', 'url', 'headers', 'policy', 'webhook']);

/**
 * How long to wait before the next attempt; null when there is none. The pause doubles with each attempt and is spread
 * over its upper half, so that many failures at once do not come back at once; the receiver's Retry-After is honoured
 * when it is longer.
 */
export function retryDelay(
  outcome: Pick<Outcome, 'status' | 'error' | 'retryAfterMs'>,
  attempts: number,
  options: RetryOptions,
  random: () => number = Math.random,
): number | null {
  if (!outcome.error || attempts > options.retries || lasting.has(outcome.error.kind)) return null;
  if (outcome.error.kind === 'status' && !passing.has(outcome.status ?? 0)) return null;
  const pause = Math.min(options.firstDelayMs * 2 ** Math.min(attempts - 1, 30), options.maxDelayMs);
  return Math.min(Math.max(pause * (0.5 + random() / 2), outcome.retryAfterMs ?? 0), options.maxDelayMs);
}
