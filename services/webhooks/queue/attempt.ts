import { buildRequest, type OutgoingRequest, RequestError } from '../delivery/request.ts';
import { type RetryOptions, retryDelay } from '../delivery/retry.ts';
import { type Outcome, send, type SendOptions } from '../delivery/send.ts';
import type { Renderer } from '../templates/renderer.ts';
import type { Claimed } from './claim.ts';
import type { Finished } from './finish.ts';
import type { Registry } from './registry.ts';

/** Attempts one delivery; never rejects. */
export type Attempt = (delivery: Claimed) => Promise<Finished>;

export interface AttemptOptions {
  registry: Registry;
  renderer: Renderer;
  send: SendOptions;
  retry: RetryOptions;
}

/** Makes the request of a delivery and sends it. */
export const createAttempt = ({ registry, renderer, send: sending, retry }: AttemptOptions): Attempt => async (delivery) => {
  const started = new Date();
  const begun = performance.now();
  let request: OutgoingRequest | null = null;
  let outcome: Outcome;
  try {
    const webhook = (await registry.current()).webhook(delivery.webhookId);
    if (!webhook) throw new RequestError('webhook', 'The webhook does not exist any more');
    request = await buildRequest(webhook, delivery.payload, renderer);
    outcome = await send(request, sending);
  } catch (error) {
    const kind = error instanceof RequestError ? error.kind : 'worker';
    outcome = { status: null, headers: {}, body: '', error: { kind, text: (error as Error).message }, durationMs: Math.round(performance.now() - begun), retryAfterMs: null };
  }
  return { delivery, request, outcome, started, retryInMs: retryDelay(outcome, delivery.number, retry) };
};
