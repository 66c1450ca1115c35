import { bodiesWithin, bodyLimitsOf } from '../http/bodies.ts';
import { createFollowers, type Relay, startRelay } from '@cadastre/events';
import {
  Api,
  applyEvents,
  relevanceFilter,
  countMatching,
  isRecorded,
  openApiOf,
  objectSnapshots,
} from '@cadastre/rest';
import { databaseVariable, serviceDatabaseUrl } from '../settings/config.ts';
import { openDatabase } from '../database/database.ts';
import { executor } from '../database/executor.ts';
import type { Service, ServiceContext } from '../host/service.ts';
import { createHttpServer } from '../http/server.ts';
import { operationsGrpc } from '../operations/grpc.ts';
import { startReplicas } from '../replicas/start.ts';
import { migrationsOf } from '../database/schema/migrations.ts';
import { peerListenerTls } from '../security/tls.ts';
import { webService } from '../http/web.ts';
import { askAuth } from '../permissions/auth.ts';
import { withoutPendingWrites } from '../request/request-context.ts';
import { catchUp, followAll } from '../events/catchUp.ts';
import { confirmBy, changeLogOwner } from '../events/confirm.ts';
import { engineOf, exportMemory } from './engine.ts';
import { registerEventMetrics } from '../events/eventMetrics.ts';
import { groupOf, startFollowing } from './following.ts';
import { exemptTypes, requesters } from '../permissions/grants.ts';
import { modelsGrpc } from './grpc.ts';
import { modelRoutes } from './http.ts';
import { openEventLog } from '../events/log.ts';
import type { ModelService, ModelServiceOptions } from './options.ts';
import { grpcPeers, type Show } from '../peers/models.ts';
import { reseal, sealOf } from './sealing.ts';
import { readAfterWrite } from './consistency/readAfterWrite.ts';
import { startUpkeep } from './upkeep.ts';
import { viewersOf } from '../permissions/viewers.ts';

/**
 * A service that owns models. `options` is called at each start, since what a service keeps in memory belongs to one
 * run of it.
 */
export const modelService = (name: string, options: () => ModelServiceOptions): Service => ({
  name,
  memory: ({ config }) => [exportMemory(config)],
  start: (context) => start(context, options()),
});

/** Database, migrations, API, gRPC, relay, followers. */
async function start(context: ServiceContext, options: ModelServiceOptions): Promise<void> {
  const { name, config, log, onClose, calls, connections, registry } = context;
  const url = serviceDatabaseUrl(config, name);
  const catalogue = await context.catalogue(options.services);
  const database = await openDatabase({
    url,
    variable: databaseVariable(config, name),
    migrations: migrationsOf(options.services, name),
    config,
    log,
    name,
    connections,
  });
  onClose('database', database.close);
  const { pool } = database;
  const db = executor(pool);
  const events = await openEventLog(name, config, log, connections);
  onClose('event log', events.close);
  const session = connections.session(url, name);
  const {
    peers,
    owners,
    neighbours,
    show: showElsewhere,
    matchingAt,
    published,
    written,
    unrecorded,
  } = grpcPeers(calls);
  const seal = sealOf(catalogue.ownedBy(name), config);
  const following = { name, group: groupOf(name), events, pool, published };
  const relays: { own?: Relay } = {};
  const engine = engineOf({
    context,
    options,
    catalogue,
    pool,
    seal,
    peers,
    neighbours,
    wakeRelay: () => relays.own?.wake() ?? false,
    caughtUp: catchUp({
      ...following,
      services: catalogue.services(),
      withinMs: config.changelogWaitMs,
      onLate: (err) => log.info({ err }, 'answering without changes that are still on their way'),
    }),
  });
  const auth = askAuth(calls);
  const requesterOf = requesters(
    config,
    catalogue.models.values(),
    options.permissions?.({ db, config }) ?? auth.permissions,
  );
  const followers = createFollowers(events, pool);
  const show: Show = (type, ids, who) =>
    engine.tables.owns(type)
      ? objectSnapshots(engine, catalogue.get(type), ids, who)
      : showElsewhere(catalogue.serviceOf(type)!, type, ids, who);
  const matching: ModelService['matching'] = async (wanted) => {
    const byOwner = Map.groupBy(wanted.types, (type) => catalogue.serviceOf(type)!);
    const counted = await Promise.all(
      [...byOwner].map(async ([owner, types]) => {
        const counts = await (owner === name
          ? countMatching(engine.tables, { ...wanted, types }, pool)
          : matchingAt(owner, { ...wanted, types }));
        return types.map((type, i) => [type, counts[i]!] as const);
      }),
    );
    const counts = new Map(counted.flat());
    return wanted.types.map((type) => counts.get(type) ?? 0);
  };
  const viewers = viewersOf(engine, auth.rights, exemptTypes(config.exemptViewPermissions, catalogue.models.values()));
  const service: ModelService = {
    ...context,
    catalogue,
    engine,
    pool,
    db,
    session,
    events,
    followers,
    show,
    matching,
    viewers,
    handled: (group, withinMs) =>
      followAll({
        ...following,
        group,
        services: catalogue.services(),
        withinMs,
        onLate: (err) => log.debug({ err, group }, 'what services had changed has not been handled in time'),
      }),
  };

  const actions = options.actions?.(service) ?? {};
  const api = new Api(engine, actions, options.aliases);
  const followed = options.onEvents ? catalogue.services() : engine.tables.followed();
  const { onFilled } = options;
  const followLog = (services: readonly string[], withinMs: number): Promise<boolean> =>
    followAll({
      ...following,
      services,
      withinMs,
      onLate: (err) => log.debug({ err }, 'what others had written is not known here in time'),
    });
  const seen = readAfterWrite({
    engine,
    registry,
    withinMs: config.readAfterWriteMs,
    followsItself: followed.includes(name),
    relevance: relevanceFilter(engine),
    written,
    // Without the request's pending writes: otherwise two services that follow each other would wait for each other.
    // Also, applying events holds locks that followers of the log wait for.
    apply: (some) => withoutPendingWrites(() => applyEvents(engine, some)),
    followOwner: (owner, withinMs) => withoutPendingWrites(() => followLog([owner], withinMs)),
    followAll: followLog,
  });
  const http = createHttpServer({
    log,
    registry,
    tls: peerListenerTls(config, ['gateway', webService]),
    ...modelRoutes({
      config,
      api,
      engine,
      requesterOf,
      consistency: seen,
      bodies: bodiesWithin(bodyLimitsOf(config), context.room),
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
    after: context.together,
    told: onFilled && ((type, ids, gone) => onFilled(service, type, ids, gone)),
  });
  onClose('replicas', replicas.stop);
  startFollowing(service, options, followed, replicas, seen);
  if (seal) await reseal(engine, seal, log);
  await options.started?.(service, registry);

  const own = options.unrecorded && ((ids: readonly string[]) => options.unrecorded!(service, ids));
  const keeper = changeLogOwner(catalogue);
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
  const relay = (relays.own = startRelay({
    service: name,
    connection: session,
    log: events,
    retention: config.eventRetentionHours * 3_600_000,
    ...confirm,
    onError: (error) => log.warn({ err: error }, 'the relay failed; trying again'),
  }));
  onClose('relay', () => relay.stop());
  onClose('upkeep', startUpkeep(engine, replicas, config, log));
  await context.serve({
    http,
    grpc: [
      modelsGrpc(engine, requesterOf, seen, own),
      operationsGrpc({ ...service, replicas: replicas.parts }),
      ...(options.grpc?.(service) ?? []),
    ],
    check: database.check,
  });
}
