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
} from './config.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export * from './errors.ts';
export { type Executor, executor, rawText, type Statement } from './executor.ts';
export * from './grpc.ts';
export { apiVersion, createHttpServer, type HttpOptions, type HttpServer } from './http.ts';
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
} from './identity.ts';
export { configExitCode, newerSchemaExitCode } from './host/exit-codes.ts';
export { host } from './host/host.ts';
export type { Service, ServiceContext } from './host/service.ts';
export { createLog, currentRequestId, type Log, withRequestId } from './log.ts';
export type { Metrics } from './metrics.ts';
export { maskUrl, Secret } from './secret.ts';
export { countStatements, type StatementCounter } from './statements.ts';
export { connectWhenReady } from './wait-for-database.ts';
