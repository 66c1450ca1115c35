import type { Renderer } from '@cadastre/templates';
import { buildRequest, type OutgoingRequest, RequestError } from '../http/request.ts';
import { type RetryOptions, retryDelay } from '../http/retry.ts';
import { secretValues } from '../http/secrets.ts';
import { type Outcome, type SendOptions, send } from '../http/send.ts';
import type { Claimed } from '../queue/claim.ts';
import type { Finished } from '../queue/finish.ts';
import { secretsOf } from '../http/masked.ts';
import { type RuleVersions, webhookOf } from '../rules/rules.ts';

/** Attempts one delivery; never rejects. */
export type Attempt = (delivery: Claimed, history: RuleVersions, signal?: AbortSignal) => Promise<Finished>;

export interface AttemptOptions {
  renderer: Renderer;
  send: SendOptions;
  retry: RetryOptions;
  /** Whether requests have the headers of Standard Webhooks. */
  standardHeaders: boolean;
}

/** Makes the request of a delivery and sends it: the webhook, the request, the answer, and what follows from it. */
export const createAttempt =
  ({ renderer, send: sending, retry, standardHeaders }: AttemptOptions): Attempt =>
  async (delivery, history, signal) => {
    const started = new Date();
    const begun = performance.now();
    let request: OutgoingRequest | null = null;
    let outcome: Outcome;
    const webhook = webhookOf(history, delivery);
    try {
      if (!webhook) throw new RequestError('webhook', 'The webhook does not exist any more');
      const marked = standardHeaders ? { id: `msg_${delivery.eventId}_${delivery.id}`, time: started } : null;
      request = await buildRequest(webhook, delivery.payload, renderer, marked);
      outcome = await send(request, { ...sending, ...(signal ? { signal } : {}) });
    } catch (error) {
      outcome = unsent(error as Error, begun);
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

/** The outcome of an attempt whose request could not be made. */
const unsent = (error: Error, begun: number): Outcome => ({
  status: null,
  headers: {},
  body: '',
  error: { kind: error instanceof RequestError ? error.kind : 'worker', text: error.message },
  durationMs: Math.round(performance.now() - begun),
  retryAfterMs: null,
});
