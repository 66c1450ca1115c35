import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import {
  type ChangeEvent,
  createFollowers,
  type EventLog,
  type Followers,
  startRelay,
  topicOf,
  trimParked,
} from '@cadastre/events';
import { type Catalogue, loadCatalogue, type Seal } from '@cadastre/model';
import {
  type ActionHandler,
  Api,
  applyEvents,
  asideFor,
  type BaseChoices,
  concerns,
  Engine,
  type EngineSettings,
  isRecorded,
  openApiOf,
  pictures,
  pointedAt,
  type Render,
  trimMarks,
  trimTouched,
} from '@cadastre/rest';
import { environmentOf, lazyRenderer } from '@cadastre/templates';
import { type Config, databaseVariable, peerGrpcAddress, serviceDatabaseUrl } from '../config.ts';
import { openDatabase } from '../database.ts';
import { type Executor, executor } from '../executor.ts';
import { type GrpcService, startGrpcServer } from '../grpc-server.ts';
import { grpcClient } from '../grpc-client.ts';
import { createHttpServer } from '../http.ts';
import { runService, type ServiceContext } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { peerListenerTls } from '../tls.ts';
import { entitiesFor } from '../schema/entities.ts';
import { openMedia } from '../media/open.ts';
import { operationsGrpc } from '../operations/grpc.ts';
import { type Replicas, startReplicas } from '../replicas/start.ts';
import { migrationsOf } from '../schema/migrations.ts';
import { registerEventMetrics } from './eventMetrics.ts';
import { catchUp, followAll } from './catchUp.ts';
import { confirmBy, keeperOf } from './confirm.ts';
import { exemptTypes, type PermissionSet, requesters } from './grants.ts';
import { modelsGrpc } from './grpc.ts';
import { modelRoutes } from './http.ts';
import { openEventLog } from './log.ts';
import { grpcPeers, type Show, type Unrecorded } from './peers.ts';
import { reseal, sealOf } from './sealing.ts';
import { type Seeing, seeing } from './seeing.ts';
import { type Rights, type Viewers, viewersOf } from './viewers.ts';

/** What a service that owns models is made of, while it starts. */
export interface ModelService {
  name: string;
  config: Config;
  log: Log;
  catalogue: Catalogue;
  engine: Engine;
  pool: Pool;
  db: Executor;
  events: EventLog;
  followers: Followers;
  show: Show;
  viewers: Viewers;
  onClose: ServiceContext['onClose'];
}

/** The parts of a service beside its models. */
export interface ModelServiceOptions {
  /** Folder that holds all services; their models are one catalogue. */
  services: string;
  /** Facilities that rules of the models ask for by name. */
  facilities?(config: Config, catalogue: Catalogue, seal: Seal | undefined): Record<string, unknown>;
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
  /** Runs when everything else is up, before the service is ready. It may add to the metrics of the process. */
  started?(service: ModelService, metrics: Registry): Promise<void>;
}

/**
 * Runs a service that owns models: database, migrations, API, gRPC, relay, followers. Does not return before it
 * listens.
 */
export const runModelService = (name: string, options: ModelServiceOptions): Promise<void> =>
  runService(name, async (context) => {
    const { config, log, onClose } = context;
    const catalogue = await loadCatalogue(options.services);
    const database = await openDatabase({
      url: serviceDatabaseUrl(config, name),
      variable: databaseVariable(config, name),
      entities: entitiesFor(catalogue, name),
      migrations: migrationsOf(options.services, name),
      config,
      log,
      name,
    });
    onClose('database', database.close);
    const { pool } = database,
      db = executor(pool);
    const events = await openEventLog(name, config, log);
    onClose('event log', events.close);
    const {
      peers,
      owners,
      neighbours,
      show: showElsewhere,
      published,
      written,
      unrecorded,
      close,
    } = grpcPeers(name, config);
    onClose('connections to services', close);
    const seal = sealOf(catalogue.ownedBy(name), config);
    const following = { name, group: groupOf(name), events, pool, published };
    const engine = new Engine({
      catalogue,
      service: name,
      pool,
      peers,
      facilities: options.facilities?.(config, catalogue, seal) ?? {},
      settings: {
        ...longWork(config),
        paginateCount: config.paginateCount,
        maxPageSize: config.maxPageSize,
        maxRegexLength: config.maxRegexLength,
        maxBulkItems: config.maxBulkItems,
        maxExportRows: config.exportMaxRows,
        maxRelatedObjects: config.templateMaxRelated,
        maxFileBytes: config.mediaMaxBytes,
        cacheEntries: config.briefCacheEntries,
        rowTextBytes: config.rowCacheMb * 2 ** 20,
      },
      render: exporting(config, onClose),
      neighbours,
      caughtUp: catchUp({
        ...following,
        services: catalogue.services(),
        withinMs: config.changelogWaitMs,
        onLate: (err) => log.info({ err }, 'answering without changes that are still on their way'),
      }),
      ...(seal ? { seal } : {}),
      ...(hasFiles(catalogue, name) ? { media: openMedia(config) } : {}),
      ...(options.baseChoices ? { baseChoices: options.baseChoices } : {}),
    });
    const auth = askAuth(name, config, onClose),
      requesterOf = requesters(
        config,
        catalogue.models.values(),
        options.permissions?.({ db, config }) ?? auth.permissions,
      );
    const state = { ready: false };
    const check = async () => {
      if (!state.ready) throw new Error('starting');
      await database.check();
    };
    const followers = createFollowers(events, pool);
    const show: Show = (type, ids, who) =>
      engine.tables.owns(type)
        ? pictures(engine, catalogue.get(type), ids, who)
        : showElsewhere(catalogue.serviceOf(type)!, type, ids, who);
    const service: ModelService = {
      name,
      config,
      log,
      catalogue,
      engine,
      pool,
      db,
      events,
      followers,
      show,
      viewers: viewersOf(engine, auth.rights, exemptTypes(config.exemptViewPermissions, catalogue.models.values())),
      onClose,
    };
    const actions = options.actions?.(service) ?? {},
      api = new Api(engine, actions, options.aliases);
    const followed = options.onEvents ? catalogue.services() : engine.tables.followed(),
      { onFilled } = options,
      registry = new Registry();
    const seen = seeing({
      engine,
      registry,
      withinMs: config.readAfterWriteMs,
      followsItself: followed.includes(name),
      aside: asideFor(engine),
      written,
      apply: (some) => applyEvents(engine, some),
      followAll: (services, withinMs) =>
        followAll({
          ...following,
          services,
          withinMs,
          onLate: (err) => log.debug({ err }, 'what others had written is not known here in time'),
        }),
    });
    const http = createHttpServer({
      name,
      config,
      log,
      check,
      registry,
      tls: peerListenerTls(config, ['gateway']),
      routes: modelRoutes({
        config,
        api,
        engine,
        requesterOf,
        seeing: seen,
        openApi: openApiOf(catalogue, catalogue.ownedBy(name), actions),
        internal: options.internal ?? {},
      }),
    });
    registerEventMetrics(registry, pool);
    const replicas = startReplicas({
      engine,
      events,
      log,
      registry,
      owners,
      published,
      group: groupOf(name),
      followed,
      told: onFilled && ((type, ids, gone) => onFilled(service, type, ids, gone)),
    });
    onClose('replicas', replicas.stop);
    startFollowing(service, options, followed, replicas, seen);
    if (seal) await reseal(engine, seal, log);
    await options.started?.(service, registry);
    const own = options.unrecorded && ((ids: readonly string[]) => options.unrecorded!(service, ids)),
      keeper = keeperOf(catalogue);
    const confirm =
      keeper === undefined
        ? {}
        : {
            confirm: confirmBy({
              name,
              group: groupOf(keeper),
              events,
              unrecorded: keeper === name && own ? own : (ids) => unrecorded(keeper, ids),
              isRecorded: (event) => isRecorded(catalogue, event),
            }),
          };
    const relay = startRelay({
      service: name,
      connection: serviceDatabaseUrl(config, name),
      log: events,
      retention: config.eventRetentionHours * 3_600_000,
      ...confirm,
      onError: (error) => log.warn({ err: error }, 'the relay failed; trying again'),
    });
    onClose('relay', () => relay.stop());
    const grpc = await startGrpcServer({
      name,
      port: config.grpcPort,
      ...host(config),
      services: [
        modelsGrpc(engine, requesterOf, seen, own),
        operationsGrpc({ ...service, replicas: replicas.parts }),
        ...(options.grpc?.(service) ?? []),
      ],
      config,
      log,
      check,
    });
    onClose('gRPC', grpc.close);
    onClose('HTTP', http.close);
    onClose('upkeep', startUpkeep(engine, replicas, config, log));
    await http.open(config);
    state.ready = true;
  });

const hasFiles = (catalogue: Catalogue, name: string): boolean =>
  catalogue.ownedBy(name).some((model) => Object.values(model.fields).some((field) => field.upload));

/** How much of what takes long runs and waits. */
const longWork = (config: Config): Pick<EngineSettings, 'regex' | 'exports'> => ({
  regex: {
    maxSize: config.maxRegexSize,
    timeoutMs: config.regexTimeoutMs,
    running: config.regexConcurrency,
    runningPerUser: config.regexConcurrencyPerUser,
    waiting: config.regexQueue,
    waitingPerUser: config.regexQueuePerUser,
    waitMs: config.regexWaitMs,
  },
  exports: {
    fromRows: config.exportFromRows,
    running: config.exportConcurrency,
    runningPerUser: config.exportConcurrencyPerUser,
    waiting: config.exportQueue,
    waitingPerUser: config.exportQueuePerUser,
    waitMs: config.exportWaitMs,
  },
});

/** Renders export templates; they see whole lists, so they may take longer than others. */
function exporting(config: Config, onClose: ServiceContext['onClose']): Render {
  const {
    exportConcurrency: size,
    exportTimeoutMs: timeoutMs,
    exportMemoryMb: memoryMb,
    exportMaxBytes: maxOutput,
  } = config;
  const renderer = lazyRenderer({ size, timeoutMs, memoryMb, maxOutput });
  onClose('exports', renderer.close);
  return async (template, context, environment, models, gone) =>
    models === undefined
      ? { text: (await renderer.render({ template }, context, environmentOf(environment), gone)).template }
      : renderer.explore(template, context, models, environmentOf(environment), gone);
}

const host = (config: Config) => (config.listenHost === undefined ? {} : { host: config.listenHost });

/** The group of consumers by which a service follows the others. */
const groupOf = (name: string): string => `${name}.replicas`;

/** Follows the changes of all services: replicas first, then what the service itself makes of them. */
function startFollowing(
  service: ModelService,
  options: ModelServiceOptions,
  followed: readonly string[],
  replicas: Replicas,
  seen: Pick<Seeing, 'has'>,
): void {
  const { name, config, followers, engine, log, onClose } = service;
  if (!followed.length) return;
  const known = new Map<string, boolean>();
  const wanted = (type: string): boolean => {
    const is = known.get(type) ?? concerns(engine, type);
    known.set(type, is);
    return is;
  };
  const consumer = followers.follow({
    services: followed,
    group: groupOf(name),
    linger: config.eventLingerMs,
    batchSize: config.eventBatch,
    aside: asideFor(engine),
    ...(options.onEvents || engine.tables.keepsAnyObject
      ? {}
      : {
          wants: async () => {
            const pointed = await pointedAt(engine);
            return (type: string) => wanted(type) || pointed.has(type);
          },
        }),
    handle: async (batch) => {
      await applyEvents(
        engine,
        batch.filter((event) => !seen.has(event)),
      );
      replicas.followed(batch);
      await options.onEvents?.(service, batch);
    },
    onMissed: (topics) => replicas.missed(followed.filter((service) => topics.includes(topicOf(service)))),
    onError: (error, where) =>
      log.warn({ err: error, ...where, message: undefined, key: where.message?.key }, 'an event could not be handled'),
  });
  onClose('follower', () => consumer.stop());
}

function askAuth(
  name: string,
  config: Config,
  onClose: ServiceContext['onClose'],
): { permissions(userId: number): Promise<PermissionSet>; rights: Rights } {
  const auth = grpcClient<AuthApi>({
    proto: 'auth.proto',
    service: 'cadastre.auth.Auth',
    to: 'auth',
    address: peerGrpcAddress(config, 'auth'),
    from: name,
    config,
  });
  onClose('connection to auth', auth.close);
  return {
    permissions: (userId) => auth.Permissions({ user_id: userId }),
    rights: async (userIds) => (await auth.Rights({ user_ids: userIds })).users,
  };
}

/** What services ask the auth service. */
interface AuthApi {
  Permissions(request: { user_id: number }): PermissionSet;
  Rights(request: { user_ids: readonly number[] }): { users: Awaited<ReturnType<Rights>> };
}

/** How often old rows of `touched` are removed. */
const UPKEEP_MS = 60_000;
const DAY_MS = 86_400_000;

function startUpkeep(engine: Engine, replicas: Replicas, config: Config, log: Log): () => void {
  const timer = setInterval(() => {
    Promise.all([
      trimTouched(engine.pool),
      trimMarks(engine.pool),
      replicas.trim(config.replicaGoneDays),
      engine.files?.sweep(),
      config.parkedRetentionDays && trimParked(engine.pool, config.parkedRetentionDays * DAY_MS),
    ]).catch((error: unknown) => log.warn({ err: error }, 'upkeep failed'));
  }, UPKEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
}
