import { buildRequest, type OutgoingRequest, RequestError } from '../delivery/request.ts';
import { secretValues } from '../delivery/secrets.ts';
import { type RetryOptions, retryDelay } from '../delivery/retry.ts';
import { type Outcome, send, type SendOptions } from '../delivery/send.ts';
import type { Renderer } from '@cadastre/templates';
import type { Claimed } from './claim.ts';
import type { Finished } from './finish.ts';
import { secretsOf } from './masked.ts';
import type { Rules } from './registry.ts';

/** Attempts one delivery with the webhooks as they are; never rejects. */
export type Attempt = (delivery: Claimed, rules: Rules, signal?: AbortSignal) => Promise<Finished>;

export interface AttemptOptions {
  renderer: Renderer;
  send: SendOptions;
  retry: RetryOptions;
  /** Whether requests have the headers of Standard Webhooks. */
  standardHeaders: boolean;
}

/** Makes the request of a delivery and sends it. */
export const createAttempt =
  ({ renderer, send: sending, retry, standardHeaders }: AttemptOptions): Attempt =>
  async (delivery, rules, signal) => {
    const started = new Date();
    const begun = performance.now();
    let request: OutgoingRequest | null = null;
    let outcome: Outcome;
    const webhook = rules.webhook(delivery.webhookId);
    try {
      if (!webhook) throw new RequestError('webhook', 'The webhook does not exist any more');
      request = await buildRequest(
        webhook,
        delivery.payload,
        renderer,
        standardHeaders ? { id: `msg_${delivery.eventId}_${delivery.id}`, time: started } : null,
      );
      outcome = await send(request, { ...sending, ...(signal ? { signal } : {}) });
    } catch (error) {
      const kind = error instanceof RequestError ? error.kind : 'worker';
      outcome = {
        status: null,
        headers: {},
        body: '',
        error: { kind, text: (error as Error).message },
        durationMs: Math.round(performance.now() - begun),
        retryAfterMs: null,
      };
    }
    return {
      delivery,
      request,
      outcome,
      started,
      retryInMs: retryDelay(outcome, delivery.tries, retry),
      secrets: secretsOf(request, webhook ? secretValues(webhook) : []),
    };
  };
