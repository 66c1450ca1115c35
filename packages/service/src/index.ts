export {
  type Config,
  ConfigError,
  databaseVariable,
  loadConfig,
  type Peer,
  peerGrpcAddress,
  peerHttpUrl,
  readSettings,
  serviceDatabaseUrl,
  withDatabase,
} from './settings/config.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
export * from './http/errors.ts';
export { type Executor, executor, rawText, type Statement } from './database/executor.ts';
export * from './grpc/index.ts';
export { apiVersion, createHttpServer, type HttpOptions, type HttpServer } from './http/server.ts';
export {
  type AnonymousIdentity,
  anonymous,
  createIdentitySigner,
  createIdentityVerifier,
  type Identity,
  IdentityError,
  identityHeader,
  signIdentity,
  type UserIdentity,
} from './security/identity.ts';
export { configExitCode, newerSchemaExitCode } from './host/exit-codes.ts';
export { host } from './host/host.ts';
export type { Service, ServiceContext } from './host/service.ts';
export { createLog, currentRequestId, type Log, withRequestId } from './observe/log.ts';
export type { Metrics } from './observe/metrics.ts';
export { maskUrl, Secret } from './settings/secret.ts';
export { countStatements, type StatementCounter } from './database/statements.ts';
export { connectWhenReady } from './database/wait-for-database.ts';
