import { fileURLToPath } from 'node:url';
import { ANYBODY, Unreachable } from '@cadastre/rest';
import { isUnreachable } from '@cadastre/service/grpc';
import { modelService } from '@cadastre/service/models';
import { needing } from '@cadastre/service/host/memory';
import { limitsFrom } from '@cadastre/service/templates';
import { poolMb } from '@cadastre/templates/memory';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';
import { CHANGES, type ChangesApi } from '../extras/models/changesApi.ts';
import { actions } from './actions/index.ts';
import { concealStored } from './rules/concealing.ts';
import { disabling } from './delivery/disabling.ts';
import { facilities } from './rules/facilities.ts';
import { deliveryMetrics } from './delivery/metrics.ts';
import { internalEndpoints, configuredEndpoints } from './http/connect/internalEndpoints.ts';
import { resealHistory } from './rules/resealing.ts';
import { loadWebhookSettings } from './settings.ts';
import { type Delivery, startDelivery } from './delivery/start.ts';
import { TailSlots } from './intake/tail/slots.ts';

/** How long removing old versions may wait for events that are still on their way. */
const CAUGHT_UP_MS = 5_000;

const models = modelService('webhooks', () => {
  // Set once the service has started; no requests come earlier.
  const running: { delivery?: Delivery; places: TailSlots } = { places: new TailSlots() };
  const delivery = (): Delivery => running.delivery!;
  return {
    services: fileURLToPath(new URL('..', import.meta.url)),
    baseChoices,
    facilities: (config, _catalogue, seal) => facilities(config.maxRegexLength, seal!),
    actions(service) {
      const settings = loadWebhookSettings(service.env);
      const most = settings.webhookTailListeners;
      running.places.limits = { most, mostPerUser: settings.webhookTailListenersPerUser || most };
      return actions({ ...service, settings, delivery, places: running.places });
    },
    // One process counts as one worker, although it has many attempts under way at once.
    internal: { workers: () => ({ running: 1 }) },
    async started(
      { calls, env, pool, session, followers, catalogue, config, engine, show, log, onClose, handled },
      metrics,
    ) {
      await concealStored(engine);
      await resealHistory(pool, engine.seal!);
      const past = calls.to<ChangesApi>('extras', CHANGES);
      const settings = loadWebhookSettings(env);
      const { attempted } = deliveryMetrics(metrics, pool, running.places);
      running.delivery = await startDelivery({
        pool,
        connection: session,
        followers,
        services: catalogue.services(),
        config: { ...settings, maxRegexLength: config.maxRegexLength },
        own: internalEndpoints(configuredEndpoints(env, config.operationsPort, settings.webhookOwnAddresses)),
        logger: log,
        seal: engine.seal,
        eventTypeOf: (type) => catalogue.models.get(type)?.eventType,
        past: {
          changes: async (wanted) =>
            (
              await past.List(wanted, { failFast: true }).catch((error: unknown) => {
                throw isUnreachable(error) ? new Unreachable('extras', error) : error;
              })
            ).changes,
          show: (type, ids) => show(type, ids, ANYBODY),
        },
        caughtUp: (group) => handled(group, CAUGHT_UP_MS),
        disable: disabling(engine, log),
        onFinished: attempted,
      });
      onClose('delivery', running.delivery.stop);
    },
  };
});

export const service = needing(models, ({ env }) => [
  { what: 'processes for the templates of webhooks', mb: poolMb(limitsFrom(env)) },
]);
