import { createSession, type EventLog, type Session, sharedLog } from '@cadastre/events';
import pg from 'pg';
import { Budget } from './budget.ts';
import { SharedPool } from './pool.ts';

interface PoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** How long a statement may take, and how long a request may wait for a connection. */
  readonly statementTimeoutMs: number;
  /** Connections that have been idle for this long are closed. */
  readonly idleMs: number;
  /** How long the answer to a statement may take to arrive before the connection is given up. */
  readonly answerTimeoutMs?: number;
  /** The most connections to a server, if configured. */
  readonly places?: number | undefined;
  /** How values are parsed, where it differs from what `pg` does. */
  readonly types?: pg.CustomTypesConfig;
}

/**
 * The connections of a process to PostgreSQL. A connection belongs to one database and every service has one of its own,
 * so there is a pool for each; but all pools of a server draw from one budget.
 */
export interface Connections {
  /** A pool on a database; the caller ends it. */
  pool(options: PoolOptions): pg.Pool;
  /** The long-lived connection to a database, which exists as long as something listens or leads on it. */
  session(url: string, name: string): Session;
  /** The event log in that database; the first caller opens it, and it closes when the last one has closed it. */
  log(where: string, open: () => Promise<EventLog>): Promise<EventLog>;
}

interface Server {
  readonly budget: Budget;
  readonly pools: Set<SharedPool>;
}

export function createConnections(): Connections {
  const servers = new Map<string, Server>();
  const sessions = new Map<string, Session>();
  const logs = new Map<string, () => Promise<EventLog>>();
  return {
    session(url, name) {
      const session =
        sessions.get(url) ?? createSession({ connectionString: url, application_name: `${name} (listening)` });
      sessions.set(url, session);
      return session;
    },
    log(where, open) {
      const shared = logs.get(where) ?? sharedLog(open);
      logs.set(where, shared);
      return shared();
    },
    pool(options) {
      const server = serverAt(servers, options);
      const pool: SharedPool = new SharedPool(poolConfig(options), {
        member: leaving(server.budget.join(), () => server.pools.delete(pool)),
        makeRoom: () => makeRoom(server, pool),
      });
      server.pools.add(pool);
      return pool;
    },
  };
}

function serverAt(servers: Map<string, Server>, { url, places }: PoolOptions): Server {
  const key = serverOf(url);
  const server = servers.get(key) ?? { budget: new Budget({ places }), pools: new Set() };
  servers.set(key, server);
  return server;
}

/** What URLs of the same server have in common. */
export function serverOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? ''} ${searchParams.get('port') ?? ''} ${host}`;
}

/** When the limit of connections is reached, closes an idle one of the pool that has most of them. */
function makeRoom({ budget, pools }: Server, asking: SharedPool): void {
  let open = 0;
  let richest: SharedPool | undefined;
  for (const pool of pools) {
    open += pool.totalCount;
    if (pool !== asking && pool.spare > 0 && pool.totalCount > (richest?.totalCount ?? 0)) richest = pool;
  }
  if (open >= budget.places) richest?.closeSpare();
}

const leaving = (member: ReturnType<Budget['join']>, left: () => void): ReturnType<Budget['join']> => ({
  ask: member.ask,
  leave() {
    left();
    member.leave();
  },
});

function poolConfig({ url, name, statementTimeoutMs, idleMs, answerTimeoutMs, types }: PoolOptions): pg.PoolConfig {
  return {
    connectionString: url,
    application_name: name,
    statement_timeout: statementTimeoutMs,
    // A transaction that hangs must not hold its row locks for ever.
    idle_in_transaction_session_timeout: 6 * statementTimeoutMs,
    connectionTimeoutMillis: statementTimeoutMs,
    idleTimeoutMillis: idleMs,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    // Statements that do not wait for the previous answer are sent at once: a transaction begins along with its first
    // statement, and commits along with its last.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    ...(types === undefined ? {} : { types }),
  };
}

const [DATES, ARRAYS_OF_DATES] = [
  [1082, 1114, 1184, 1186],
  [1182, 1115, 1185, 1187],
];
const ARRAY_OF_TEXT = 1009;

/** Dates, times and intervals as PostgreSQL writes them: a Date would lose their microseconds. */
export function timesAsSent(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  for (const type of DATES!) types.setTypeParser(type, (value: string) => value);
  for (const type of ARRAYS_OF_DATES!)
    types.setTypeParser(type, pg.types.getTypeParser(ARRAY_OF_TEXT as never) as never);
  return types as unknown as pg.CustomTypesConfig;
}
