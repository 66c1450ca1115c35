import type { Room } from '@cadastre/body';
import type { Catalogue } from '@cadastre/model';
import type { Renderer, RendererOptions } from '@cadastre/templates';
import type { Registry } from 'prom-client';
import type { Config } from '../settings/config.ts';
import type { GrpcService } from '../grpc/service.ts';
import type { HttpServer } from '../http/server.ts';
import type { Log } from '../observe/log.ts';
import type { PeerHttp } from '../peers/peer-http.ts';
import type { Environment } from '../settings/read-settings.ts';
import type { Calls } from '../peers/calls.ts';
import type { Connections } from '../database/connections.ts';
import type { MemoryUser } from './memory.ts';

/** A service as a module: a process hosts it, alone or with others. It has no global state. */
export interface Service extends MemoryUser {
  /** Clients connect to this service: it starts after the others of its process, and closes before them. */
  readonly facesClients?: boolean;
  /** Returns once it serves. It registers what it opens with `onClose`. @throws ConfigError */
  start(context: ServiceContext): Promise<void> | void;
}

/** What a service offers to its callers. */
export interface Offer {
  readonly http: HttpServer;
  readonly grpc: readonly GrpcService[];
  /** Throws when the service cannot serve, for example because its database is away. */
  readonly check: () => Promise<void>;
}

/** What a service gets from the process that hosts it. */
export interface ServiceContext {
  readonly name: string;
  readonly config: Config;
  /** The variables that its settings were read from, for settings that only this service has. */
  readonly env: Environment;
  readonly log: Log;
  /** Registers what to close at the end; the last one added is closed first, so register in the order of opening. */
  readonly onClose: (name: string, close: () => unknown) => void;
  /** Aborted when the shutdown begins. */
  readonly closing: AbortSignal;
  /** The gRPC services of others. */
  readonly calls: Calls;
  /** The HTTP servers of others. */
  readonly peers: PeerHttp;
  /** The connections of the process to PostgreSQL. */
  readonly connections: Connections;
  /** The service's metrics, reported together with those of the process. */
  readonly registry: Registry;
  /**
   * Makes the service answer other services from now on: those in this process, and on its ports those in others, if
   * any.
   */
  serve(offer: Offer): Promise<void>;
  /** Resolves when all services of the process have started: work that can wait until then lets them start sooner. */
  readonly together: Promise<void>;
  /** All models of a folder of services, loaded once per process. */
  catalogue(folder: string): Promise<Catalogue>;
  /** The room for request bodies, shared by services of the process that do not wait for each other. */
  readonly room: Room;
  /** Renders templates in separate processes, which services with the same limits share. */
  renderer(limits: RendererOptions): Renderer;
}
