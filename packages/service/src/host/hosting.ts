import { webService } from '../http/web.ts';
import { roomLimitsOf } from '../http/bodies.ts';
import { Room } from '@cadastre/body';
import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { openRenderer, type RendererOptions } from '@cadastre/templates';
import type { Config } from '../settings/config.ts';
import { startGrpcServer } from '../grpc/server.ts';
import { closed, listening } from '../http/server.ts';
import type { Log } from '../observe/log.ts';
import { peerHttp } from '../peers/peer-http.ts';
import { type Closing, createClosing } from './shutdown.ts';
import { callsOf } from '../peers/calls.ts';
import type { Settings } from './configs.ts';
import { createConnections } from '../database/connections.ts';
import { monitoring } from '../observe/monitoring.ts';
import { localServices } from '../peers/local-services.ts';
import type { Offer, Service, ServiceContext } from './service.ts';
import { watchTurns } from '../observe/watchdog.ts';

export interface Hosting {
  /** Opens what belongs to the process, before any service. */
  open(): Promise<void>;
  start(service: Service, settings: Settings, log: Log): Promise<void>;
  /** All services have started. */
  started(): void;
}

/** Things that belong to a process, created once and handed to each of its services. */
export function hosting(names: readonly string[], config: Config, closing: Closing, log: Log): Hosting {
  const alone = names.length === 1;
  const near = localServices(names);
  const watched = monitoring(names);
  const connections = createConnections();
  const renderers = once((limits: RendererOptions) => openRenderer(limits), JSON.stringify);
  const catalogues = once((folder: string): Promise<Catalogue> => loadCatalogue(folder), String);
  // Pages call the API while their own request is under way, so neither must wait for room that the other holds.
  const rooms = once((_pages: boolean) => new Room(roomLimitsOf(config)), String);
  const together = Promise.withResolvers<void>();
  // Each service has a closing order of its own. Those that clients reach are closed first.
  const clientFacing: Closing[] = [];
  const others: Closing[] = [];
  const closeAll = async (some: readonly Closing[]) => {
    await Promise.all(some.map((one) => one.close(config.shutdownTimeoutMs)));
  };

  async function start(service: Service, { config: own, env }: Settings, log: Log): Promise<void> {
    const { name } = service;
    const end = createClosing(log);
    (service.facesClients ? clientFacing : others).push(end);
    const calls = callsOf(name, own, near);
    const peers = peerHttp(own, near);
    const checks: (() => Promise<void>)[] = [];
    end.onClose('calls to services', calls.close);
    // If a process hosts several services, only those listen whose ports services in other processes call.
    const serve = async ({ http, grpc, check }: Offer): Promise<void> => {
      if (alone || env.GRPC_PORT) {
        const host = own.listenHost === undefined ? {} : { host: own.listenHost };
        const server = await startGrpcServer({
          name,
          port: own.grpcPort,
          ...host,
          services: grpc,
          config: own,
          log,
          check,
        });
        end.onClose('gRPC', server.close);
      }
      end.onClose('HTTP', http.close);
      if (alone || env.HTTP_PORT) await http.open(own);
      const withdraw = near.offer(name, { http: http.listener, grpc, log });
      end.onClose('neighbours', withdraw);
      checks.push(check);
    };
    const context: ServiceContext = {
      name,
      config: own,
      env,
      log,
      onClose: end.onClose,
      closing: closing.signal,
      calls,
      peers,
      connections,
      registry: watched.registryOf(name),
      serve,
      together: together.promise,
      catalogue: catalogues.of,
      renderer: renderers.of,
      room: rooms.of(name === webService),
    };
    await service.start(context);
    watched.started(name, async () => {
      for (const check of checks) await check();
    });
  }

  return {
    async open() {
      closing.onClose('health and metrics', () => (watched.server.listening ? closed(watched.server) : undefined));
      closing.onClose('renderers', () => Promise.all(renderers.all().map((one) => one.close())));
      closing.onClose('services', () => closeAll(others));
      closing.onClose('services for clients', () => closeAll(clientFacing));
      closing.signal.addEventListener('abort', watched.ending);
      await listening(watched.server, config.operationsPort, config.operationsHost ?? config.listenHost);
    },
    start,
    started() {
      together.resolve();
      if (config.eventLoopMaxMs === 0) return;
      const watchdog = watchTurns({ log, registry: watched.registry, turnMs: config.eventLoopMaxMs });
      closing.onClose('watchdog', watchdog.stop);
    },
  };
}

/** Creates a thing once for each key. */
function once<Given, Made>(make: (given: Given) => Made, keyOf: (given: Given) => string) {
  const made = new Map<string, Made>();
  return {
    of(given: Given): Made {
      const key = keyOf(given);
      if (!made.has(key)) made.set(key, make(given));
      return made.get(key)!;
    },
    all: (): Made[] => [...made.values()],
  };
}
