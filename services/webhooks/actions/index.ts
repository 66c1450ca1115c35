import type { ActionHandler } from '@cadastre/rest';
import type { ModelService } from '@cadastre/service/models';
import type { WebhookSettings } from '../settings.ts';
import type { Delivery } from '../delivery/start.ts';
import type { TailSlots } from '../intake/tail/slots.ts';
import { background } from './background/index.ts';
import { steering } from './deliveries.ts';
import { replays } from './replay.ts';
import { statistics } from './statistics.ts';
import { tail } from './tail.ts';
import { test } from './test.ts';

export interface ActionsOptions extends Pick<ModelService, 'engine' | 'show'> {
  settings: WebhookSettings;
  delivery(): Delivery;
  places: TailSlots;
}

/** What can be done with webhooks and deliveries beside reading and writing them. */
export const actions = ({
  engine,
  show,
  settings,
  delivery,
  places,
}: ActionsOptions): Record<string, ActionHandler> => ({
  ...background(engine, settings.webhookLeaseMs),
  ...steering(engine, settings.webhookBulkLimit),
  'extras/webhook-deliveries/tail': tail({
    engine,
    places,
    heartbeatMs: settings.webhookTailHeartbeatMs,
    maxSeconds: settings.webhookTailMaxSeconds,
  }),
  ...replays(engine, () => delivery().replayer),
  'extras/webhooks/*/statistics': statistics(engine),
  'extras/webhooks/*/test': test({ engine, show, registry: () => delivery().registry }),
});
