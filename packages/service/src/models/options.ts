import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { ChangeEvent, EventLog, Followers, Session } from '@cadastre/events';
import type { Log } from '../observe/log.ts';
import type { Catalogue, Seal } from '@cadastre/model';
import type { ActionHandler, BaseChoices, Engine, Matching } from '@cadastre/rest';
import type { Config } from '../settings/config.ts';
import type { Executor } from '../database/executor.ts';
import type { GrpcService } from '../grpc/service.ts';
import type { ServiceContext } from '../host/service.ts';
import type { PermissionSet } from '../permissions/grants.ts';
import type { Show, Unrecorded } from '../peers/models.ts';
import type { Viewers } from '../permissions/viewers.ts';

/** What a service that owns models is made of, while it starts. */
export interface ModelService
  extends Pick<ServiceContext, 'name' | 'config' | 'env' | 'log' | 'onClose' | 'calls' | 'registry' | 'renderer'> {
  readonly catalogue: Catalogue;
  readonly engine: Engine;
  readonly pool: Pool;
  readonly db: Executor;
  /** The long-lived connection to its database, for code that listens there. */
  readonly session: Session;
  readonly events: EventLog;
  readonly followers: Followers;
  readonly show: Show;
  /** How many objects of several types a permission would apply to, in order; each owner is called once. */
  readonly matching: (matching: Matching) => Promise<number[]>;
  readonly viewers: Viewers;
  /**
   * Waits until a consumer group of this service has handled everything that the services have committed by now. False
   * if that took longer, or if one of them could not be reached.
   */
  readonly handled: (group: string, withinMs: number) => Promise<boolean>;
}

/** What a service consists of besides its models. */
export interface ModelServiceOptions {
  /** Folder that holds all services; their models are one catalogue. */
  services: string;
  /** Facilities that the models' rules request by name. */
  facilities?(config: Config, catalogue: Catalogue, seal: Seal | undefined, log: Log): Record<string, unknown>;
  baseChoices?: BaseChoices;
  /** Further handlers below the addresses of models. */
  actions?(service: ModelService): Record<string, ActionHandler>;
  /** Further paths of models, `<app>/<path>` to type. */
  aliases?: Record<string, string>;
  grpc?(service: ModelService): GrpcService[];
  /** What the auth service computes itself and other services call it for. */
  permissions?(service: Pick<ModelService, 'db' | 'config'>): (userId: number) => Promise<PermissionSet>;
  /**
   * Handles change events of all services, after this service's replicas have followed them. It may see an event twice.
   */
  onEvents?(service: ModelService, events: ChangeEvent[]): Promise<void>;
  /**
   * Does for objects that a fill of replicas has added or removed what `onEvents` does for their events. It may see an
   * object twice.
   */
  onFilled?(
    service: Pick<ModelService, 'catalogue' | 'pool'>,
    type: string,
    ids: readonly number[],
    gone: boolean,
  ): Promise<void>;
  /** For the service that keeps the change records: which of these events have no record. */
  unrecorded?(service: ModelService, ids: readonly string[]): Promise<Unrecorded>;
  /** Handlers for other services, below `/internal/`, which the gateway does not expose to clients. */
  internal?: Record<string, () => unknown>;
  /** Runs when everything else is up, before the service is ready. It may add to the service's metrics. */
  started?(service: ModelService, metrics: Registry): Promise<void>;
}
