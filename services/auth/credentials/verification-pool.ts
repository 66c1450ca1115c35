import { type Config, serviceDatabaseUrl } from '@cadastre/service/config';
import pg from 'pg';

/**
 * Connections on which tokens and sessions are verified, and nothing else: every request waits for that once its
 * gateway has forgotten them, so it must not stand in line behind what somebody writes to this service.
 */
export function verificationPool(config: Config): pg.Pool {
  const pool = new pg.Pool({
    connectionString: serviceDatabaseUrl(config, 'auth'),
    application_name: 'auth (tokens)',
    max: config.tokenDatabasePool,
    statement_timeout: config.statementTimeoutMs,
    connectionTimeoutMillis: config.statementTimeoutMs,
    idleTimeoutMillis: config.databaseIdleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  });
  // An idle connection that breaks is replaced by the next that is needed; the caller then hears of a database that
  // is away.
  pool.on('error', () => undefined);
  return pool;
}
