import { type Config, needed, peerGrpcAddress, peerHttpUrl } from '@cadastre/service/config';
import { refusalComponents } from '@cadastre/rest/response/refusals';
import { createHttpServer, type HttpServer } from '@cadastre/service/http';
import { createIdentitySigner } from '@cadastre/service/identity';
import { identitySigningKey } from '@cadastre/service/key-pairs';
import type { Log } from '@cadastre/service/log';
import { type PeerFetch, peerHttp } from '@cadastre/service/peer-http';
import { doorTls } from '@cadastre/service/tls';
import { LRUCache } from 'lru-cache';
import { admission } from './admission.ts';
import { authClient, verifyWith } from './auth-client.ts';
import { bodies } from './bodies.ts';
import { limitConnections } from './connections.ts';
import { forms } from './forms.ts';
import { gateway } from './gateway.ts';
import { type Identities, identities } from './identities.ts';
import { invalidationFor } from './invalidation.ts';
import { apiOf } from './pages/api.ts';
import { pages } from './pages/pages.ts';
import { places } from './places.ts';
import { forwarder } from './proxy.ts';
import { allOperations } from './operations/all.ts';
import { operationsClients } from './operations/clients.ts';
import { operationsBy, operationsDocument } from './operations/operation.ts';
import { router, routes, type Served, type ServedFiles } from './routes.ts';
import { positionHeader, positions } from './position.ts';
import { schemaSource } from './schema.ts';
import { sessions } from './sessions.ts';
import { streams } from './streams.ts';
import { takeNote, unseen } from './unseen.ts';
import { views, viewsDocument } from './views.ts';

export interface GatewayParts {
  http: HttpServer;
  invalidate: Identities['invalidate'];
  /** Hears of every change in the auth service, and forgets the tokens that it concerns. */
  changed(event: { objectType: string; objectId: number }): void;
  close(): void;
}

/** Everything that a gateway process consists of, not yet listening. */
export function createGateway(
  config: Config,
  log: Log,
  served: readonly Served[],
  files: readonly ServedFiles[] = [],
  services: readonly string[] = [],
  follows: (owner: string, service: string) => boolean = (owner, service) => owner !== service,
  types: ReadonlySet<string> = new Set(),
): GatewayParts {
  const { proxyTimeoutMs, proxyConnections, tokenCacheEntries } = config,
    secret = needed(config.serviceSecret, 'SERVICE_SECRET');
  const table = routes(served, files);
  const targets = new Map(
    [...new Set(table.map(({ service }) => service))].map((service) => [service, peerHttpUrl(config, service)]),
  );
  const connect = peerHttp(config);
  let counting: Promise<number> | undefined;
  // However many ask at the same time, one of them does.
  const workers = () =>
    (counting ??= workersAt(targets.get('webhooks'), connect.fetch).finally(() => {
      counting = undefined;
    }));
  const auth = authClient({ address: peerGrpcAddress(config, 'auth'), config });
  const ttlMs = config.tokenCacheSeconds * 1000;
  const loggedIn = sessions(secret, config.loginTimeout);
  const known = identities({
    verify: verifyWith(auth, loggedIn.open),
    ttlMs,
    refusalTtlMs: 1000,
    max: tokenCacheEntries,
  });
  const tokens: Identities = {
    ...known,
    invalidate(what) {
      known.invalidate(what);
      open.look();
    },
  };
  const memory = unseen(targets.keys(), follows, (written) => {
    if (written.some(({ service }) => service === 'auth')) tokens.invalidate('all');
  });
  const position = positions(secret),
    carried = new LRUCache<string, true>({ max: 10_000 });
  const forward = forwarder({
    streaming: (...answer) => open.watch(...answer),
    targets,
    agent: connect.agent,
    timeoutMs: proxyTimeoutMs,
    maxSockets: proxyConnections,
    answered(service, headers, req) {
      const written = takeNote(memory, service, headers);
      if (written.length)
        headers[positionHeader] = position.seal([
          ...position.open(String(req.headers[positionHeader] ?? '')),
          ...written,
        ]);
    },
    failed: (service, error, req) =>
      log.warn(
        { err: error, to: service, method: req.method, url: req.url, request_id: req.headers['x-request-id'] },
        'a service did not answer',
      ),
  });
  const admit = admission({
    identities: tokens,
    sign: createIdentitySigner(identitySigningKey(config), config.identityTtlSeconds),
    maintenance: config.maintenanceMode,
    anonymousReads: !config.loginRequired || config.exemptViewPermissions.length > 0,
  });
  const clients = operationsClients(services, config),
    operations = allOperations(clients),
    answered = operationsBy({ operations, admit, pages: config });
  const open = streams(admit);
  const { paths } = viewsDocument(views({ routes: table, workers }));
  const atServices = new Map(
    [...targets.keys(), 'gateway'].map((service) => [
      service,
      places({ each: config.clientRequests, queue: config.clientQueue, waitMs: config.clientWaitMs }),
    ]),
  );
  const placesAt = (service: string) => atServices.get(service)!;
  const document = schemaSource({
    targets,
    fetch: connect.fetch,
    own: { paths: { ...paths, ...operationsDocument(operations).paths }, components: refusalComponents() },
    freshMs: 10_000,
    timeoutMs: 5_000,
  });
  const http = createHttpServer({
    name: 'gateway',
    config,
    log,
    readBodies: false,
    acceptRequestId: false,
    limits: config,
    tls: doorTls(config),
    routes: gateway({
      routes: table,
      forward,
      placesAt,
      bodies: bodies({
        bufferBytes: config.bodyBufferBytes,
        timeoutMs: config.bodyTimeoutMs,
        minRate: config.bodyMinRate,
        places: places({ each: config.clientBodies, queue: 0, waitMs: 0 }),
      }),
      heed(said) {
        // Once for each: services say themselves what they have seen of it.
        const written = carried.has(said) ? [] : position.open(said);
        if (!written.length) return;
        carried.set(said, true);
        memory.heard(written);
      },
      unseen: memory.for,
      clientIpHeaders: config.httpClientIpHeaders,
      trustedProxies: config.trustedProxies,
      allowedHosts: config.allowedHosts,
      hstsSeconds: config.hstsSeconds,
      loginRequired: config.loginRequired,
      admit,
      operations: answered,
      pages: pages({
        admit,
        auth,
        sessions: loggedIn,
        forms: forms(secret, config.formTimeout),
        log,
        types,
        formMaxBytes: config.formMaxBytes,
        passwordTimeoutMs: config.grpcTimeoutMs * 4,
        forget: (userId) => tokens.invalidate({ userId }),
        apiFor: apiOf({
          find: router(table),
          targets,
          fetch: connect.fetch,
          operations: answered,
          timeoutMs: proxyTimeoutMs,
          unseen: memory,
        }),
      }),
      workers,
      schema: document.schema,
    }),
  });
  limitConnections(http.server, config.addressConnections, config.trustedProxies);
  const changed: GatewayParts['changed'] = (event) => {
    const what = invalidationFor(event);
    if (what !== null) tokens.invalidate(what);
  };
  return {
    http,
    invalidate: tokens.invalidate,
    changed,
    close: () => {
      forward.close();
      auth.close();
      clients.close();
      document.close();
    },
  };
}

/** How many workers the webhooks service runs; none when it does not answer. */
async function workersAt(webhooks: string | undefined, fetch: PeerFetch): Promise<number> {
  if (webhooks === undefined) return 0;
  try {
    const response = await fetch('webhooks', new URL('/internal/workers', webhooks), {
      signal: AbortSignal.timeout(1000),
    });
    const { running } = (await response.json()) as { running?: unknown };
    return response.ok && typeof running === 'number' ? running : 0;
  } catch {
    return 0;
  }
}
