import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { keepFollowing } from '@cadastre/events';
import { collectionsOf } from '@cadastre/service/collections';
import type { Service, ServiceContext } from '@cadastre/service/host/service';
import { openEventLog } from '@cadastre/service/models';
import { filesServedBy, pagesOf } from './forward/served.ts';
import { schemaThreadMb } from './answer/schema-thread.ts';
import { createGateway } from './start.ts';

export const service: Service = {
  name: 'gateway',
  facesClients: true,
  memory: () => [{ what: 'the thread that writes the API document', mb: schemaThreadMb }],
  start,
};

async function start(context: ServiceContext): Promise<void> {
  const { config, log, onClose, connections } = context;
  const catalogue = await context.catalogue(fileURLToPath(new URL('..', import.meta.url)));
  const { http, changed, invalidate, close } = createGateway(context, {
    served: collectionsOf(catalogue),
    files: filesServedBy(catalogue),
    services: catalogue.services(),
    follows: (owner, service) => owner !== service || catalogue.keepsAnyObject(service),
    web: pagesOf(catalogue),
  });
  onClose('connections to services', close);
  const events = await openEventLog('gateway', config, log, connections);
  onClose('event log', events.close);
  // Every gateway has its own cache to invalidate, so each is a consumer group of its own.
  const consumer = keepFollowing({
    log: events,
    services: ['auth'],
    group: `gateway.${hostname()}`,
    fromBeginning: false,
    handle: async (batch) => batch.forEach(changed),
    // The gateway has no database to park an event in, and needs none: it empties its cache instead.
    park: async () => invalidate('all'),
    onError: (error) =>
      log.warn(
        { err: error },
        'changes of tokens and users cannot be followed; they count when the kept answers expire',
      ),
  });
  onClose('follower', () => consumer.stop());
  onClose('HTTP', http.close);
  await http.open(config);
}
