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
  /** To its database, for what listens there. */
  readonly session: Session;
  readonly events: EventLog;
  readonly followers: Followers;
  readonly show: Show;
  /** How many objects of several types a permission would be about, in order; each owner is asked once. */
  readonly matching: (matching: Matching) => Promise<number[]>;
  readonly viewers: Viewers;
  /**
   * Waits until a group of this service has handled all that the services had committed by now. False where that took
   * longer, or one of them could not be asked.
   */
  readonly handled: (group: string, withinMs: number) => Promise<boolean>;
}

/** The parts of a service beside its models. */
export interface ModelServiceOptions {
  /** Folder that holds all services; their models are one catalogue. */
  services: string;
  /** Facilities that rules of the models ask for by name. */
  facilities?(config: Config, catalogue: Catalogue, seal: Seal | undefined, log: Log): Record<string, unknown>;
  baseChoices?: BaseChoices;
  /** Answers below the addresses of models. */
  actions?(service: ModelService): Record<string, ActionHandler>;
  /** Further paths of models, `<app>/<path>` to type. */
  aliases?: Record<string, string>;
  grpc?(service: ModelService): GrpcService[];
  /** What the auth service knows by itself and others ask it for. */
  permissions?(service: Pick<ModelService, 'db' | 'config'>): (userId: number) => Promise<PermissionSet>;
  /**
   * Handles change events of all services, after this service's replicas have followed them. It may see an event twice.
   */
  onEvents?(service: ModelService, events: ChangeEvent[]): Promise<void>;
  /**
   * Makes something of objects that came, or went, with a fill of replicas, as `onEvents` does of their events. It may
   * see an object twice.
   */
  onFilled?(
    service: Pick<ModelService, 'catalogue' | 'pool'>,
    type: string,
    ids: readonly number[],
    gone: boolean,
  ): Promise<void>;
  /** Where the change records are kept: of which of these events there is none. */
  unrecorded?(service: ModelService, ids: readonly string[]): Promise<Unrecorded>;
  /** Answers for neighbours, below `/internal/`; the gateway lets no client there. */
  internal?: Record<string, () => unknown>;
  /** Runs when everything else is up, before the service is ready. It may add to the service's metrics. */
  started?(service: ModelService, metrics: Registry): Promise<void>;
}
