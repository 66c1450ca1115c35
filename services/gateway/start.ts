import type { Collection } from '@cadastre/service/collections';
import { needed } from '@cadastre/service/config';
import type { ServiceContext } from '@cadastre/service/host/service';
import { refusalComponents } from '@cadastre/rest/openapi/refusals';
import { bodyLimitsOf } from '@cadastre/service/bodies';
import { createHttpServer, type HttpServer } from '@cadastre/service/http';
import { createIdentitySigner } from '@cadastre/service/identity';
import { identitySigningKey } from '@cadastre/service/key-pairs';
import type { PeerFetch } from '@cadastre/service/peer-http';
import { publicTls } from '@cadastre/service/tls';
import { LRUCache } from 'lru-cache';
import { admission } from './admit/admission.ts';
import { authClient, verifyWith } from './identify/auth-client.ts';
import { bodies } from './admit/bodies.ts';
import { limitConnections } from './arrive/connections.ts';
import { externalClient } from './identify/external-client.ts';
import { oidcStates } from './identify/oidc-states.ts';
import { csrfTokens } from './identify/csrf-tokens.ts';
import { gateway } from './gateway.ts';
import { limitLog } from './admit/limit-log.ts';
import { type Identities, identities } from './identify/identities.ts';
import { invalidationFor } from './identify/invalidation.ts';
import { pages } from './pages/pages.ts';
import { concurrencyLimiter } from './admit/concurrency.ts';
import { forwarder } from './forward/forward.ts';
import { allOperations } from './operations/all.ts';
import { operationsClients } from './operations/clients.ts';
import { operationsBy, operationsDocument } from './operations/operation.ts';
import { refusals } from './admit/refusals.ts';
import { routes, type ServedFiles } from './forward/routes.ts';
import { positionHeader, positions } from './forward/position.ts';
import { schemaSource } from './answer/schema.ts';
import { sessions } from './identify/sessions.ts';
import { pendingForms } from './web/pending-forms.ts';
import { factorChallenges } from './identify/factor-challenges.ts';
import { streams, userKept } from './admit/streams.ts';
import { recordAnswer, pendingWrites } from './forward/pending-writes.ts';
import { views, viewsDocument } from './answer/views.ts';
import { web, webService } from './web/web.ts';

export interface GatewayParts {
  http: HttpServer;
  invalidate: Identities['invalidate'];
  /** Has to be called for every change in the auth service: forgets the tokens concerned. */
  changed(event: { objectType: string; objectId: number }): void;
  close(): void;
}

export interface GatewayContext extends Pick<ServiceContext, 'config' | 'log' | 'calls' | 'peers'> {
  registry?: ServiceContext['registry'];
}

/** What there is behind the gateway. */
export interface Behind {
  served: readonly Collection[];
  files?: readonly ServedFiles[];
  /** All services that own models. */
  services?: readonly string[];
  /** Whether the second service follows the first. */
  follows?: (owner: string, service: string) => boolean;
  /** The first parts of the addresses of web pages, where there is a service for these. */
  web?: ReadonlySet<string>;
}

/** Everything that a gateway consists of, not yet listening. */
export function createGateway(context: GatewayContext, behind: Behind): GatewayParts {
  const { config, log, calls, peers } = context;
  const { served, files = [], services = [], follows = (owner, service) => owner !== service, web: begins } = behind;
  const { proxyTimeoutMs, proxyConnections, tokenCacheEntries } = config;
  const secret = needed(config.serviceSecret, 'SERVICE_SECRET');
  const table = routes(served, files);
  const ways = new Map(
    [...new Set([...table.map(({ service }) => service), ...(begins ? [webService] : [])])].map((service) => [
      service,
      peers.way(service),
    ]),
  );
  let counting: Promise<number> | undefined;
  // Concurrent requests share one call.
  const workers = () =>
    (counting ??= workersAt(ways.has('webhooks'), peers.fetch).finally(() => {
      counting = undefined;
    }));
  const auth = authClient(calls);
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
  const memory = pendingWrites(ways.keys(), follows, config.readAfterWriteObjects, (written) => {
    if (written.some(({ service }) => service === 'auth')) tokens.invalidate('all');
  });
  const position = positions(secret);
  const carried = new LRUCache<string, true>({ max: 10_000 });
  const forward = forwarder({
    streaming: (...answer) => open.watch(...answer),
    ways,
    timeoutMs: proxyTimeoutMs,
    maxSockets: proxyConnections,
    answered(service, headers, req) {
      const written = recordAnswer(memory, service, headers, userKept(req));
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
    reauthSeconds: config.reauthSeconds,
    anonymousReads: !config.loginRequired || config.exemptViewPermissions.length > 0,
  });
  const marks = csrfTokens(secret, config.formTimeout);
  const operations = allOperations(operationsClients(services, calls));
  const answered = operationsBy({ operations, admit, pages: config });
  const open = streams(admit);
  const { paths } = viewsDocument(views({ routes: table, workers }));
  const atServices = new Map(
    [...ways.keys(), 'gateway'].map((service) => [
      service,
      concurrencyLimiter({ each: config.clientRequests, queue: config.clientQueue, waitMs: config.clientWaitMs }),
    ]),
  );
  const limiterOf = (service: string) => atServices.get(service)!;
  const document = schemaSource({
    services: [...ways.keys()].filter((service) => service !== webService),
    fetch: peers.fetch,
    own: { paths: { ...paths, ...operationsDocument(operations).paths }, components: refusalComponents() },
    freshMs: 10_000,
    timeoutMs: 5_000,
  });
  const noted = refusals({ auth, log });
  const held = limitLog(log);
  const http = createHttpServer({
    log,
    ...(context.registry ? { registry: context.registry } : {}),
    acceptRequestId: false,
    limits: config,
    refused: (req, status) => (status === 403 ? noted.note(req) : held(req, status)),
    tls: publicTls(config),
    routes: gateway({
      routes: table,
      forward,
      limiterOf,
      bodies: bodies({
        bufferBytes: config.bodyBufferBytes,
        timeoutMs: config.bodyTimeoutMs,
        minRate: config.bodyMinRate,
        places: concurrencyLimiter({ each: config.clientBodies, queue: 0, waitMs: 0 }),
      }),
      anonymousBytes: config.anonymousBodyBytes,
      maxParameters: config.queryMaxParameters,
      recordPosition(said) {
        // Recorded only once: it is kept for each service until that service confirms it.
        const written = carried.has(said) ? [] : position.open(said);
        if (!written.length) return;
        carried.set(said, true);
        memory.record(written);
      },
      pendingWrites: memory.for,
      clientIpHeaders: config.httpClientIpHeaders,
      trustedProxies: config.trustedProxies,
      remote: config,
      allowedHosts: config.allowedHosts,
      hstsSeconds: config.hstsSeconds,
      hstsSubdomains: config.hstsSubdomains,
      loginRequired: config.loginRequired,
      admit,
      operations: answered,
      pages: pages({
        admit,
        auth,
        external: externalClient(calls),
        sessions: loggedIn,
        challenges: factorChallenges(secret, config.factorChallengeSeconds),
        csrf: marks,
        oidcStates: oidcStates(secret),
        pendingForms: pendingForms(secret, auth),
        log,
        formMaxBytes: config.formMaxBytes,
        form: bodyLimitsOf(config).form,
        passwordTimeoutMs: config.grpcTimeoutMs * 4,
        forget: (userId) => tokens.invalidate({ userId }),
      }),
      web: begins && web({ admit, sessions: loggedIn, csrf: marks, begins }),
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
      void noted.close();
      forward.close();
      document.close();
    },
  };
}

/** How many workers the webhooks service runs; 0 if it does not answer. */
async function workersAt(there: boolean, fetch: PeerFetch): Promise<number> {
  if (!there) return 0;
  try {
    const response = await fetch('webhooks', '/internal/workers', {
      signal: AbortSignal.timeout(1000),
    });
    const { running } = (await response.json()) as { running?: unknown };
    return response.ok && typeof running === 'number' ? running : 0;
  } catch {
    return 0;
  }
}
