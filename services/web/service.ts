import { fileURLToPath } from 'node:url';
import { bodiesWithin, bodyLimitsOf } from '@cadastre/service/bodies';
import { createHttpServer } from '@cadastre/service/http';
import type { Service } from '@cadastre/service/host/service';
import { askAuth } from '@cadastre/service/models';
import { peerListenerTls } from '@cadastre/service/tls';
import { limitsFrom } from '@cadastre/service/templates';
import { poolMb } from '@cadastre/templates/memory';
import { createReader } from './features/import/reading/reader.ts';
import { importsFrom } from './features/import/reading/settings.ts';
import { loadParts } from './router/parts.ts';
import { webRoutes } from './router/routes.ts';

/** The web pages: this service renders the data of other services, and has none of its own. */
export const service: Service = {
  name: 'web',
  memory: ({ config, env }) => [
    { what: 'processes for templates', mb: poolMb(limitsFrom(env)) },
    { what: 'processes that read imports', mb: poolMb(importsFrom(env, config)) },
  ],
  async start(context) {
    const { config, log, registry, peers, calls, serve } = context;
    const services = fileURLToPath(new URL('..', import.meta.url));
    const catalogue = await context.catalogue(services);
    const reader = createReader(importsFrom(context.env, config));
    context.onClose('import readers', reader.close);
    const http = createHttpServer({
      log,
      registry,
      tls: peerListenerTls(config, ['gateway']),
      routes: webRoutes({
        log,
        config,
        catalogue,
        fetch: peers.fetch,
        permissionsOf: askAuth(calls).permissions,
        bodies: bodiesWithin(bodyLimitsOf(config), context.room),
        parts: await loadParts(services),
        renderer: context.renderer(limitsFrom(context.env)),
        imports: reader,
      }),
    });
    await serve({ http, grpc: [], check: async () => undefined });
  },
};
