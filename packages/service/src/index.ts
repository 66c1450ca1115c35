export {
  type Config,
  ConfigError,
  peerGrpcAddress,
  peerHttpUrl,
  readSettings,
  serviceDatabaseUrl,
  withDatabase,
} from './settings/config.ts';
export { type Database, openDatabase } from './database/database.ts';
export * from './http/errors.ts';
export * from './grpc/index.ts';
export { createHttpServer } from './http/server.ts';
export { configExitCode, newerSchemaExitCode } from './host/exit-codes.ts';
export { host } from './host/host.ts';
export type { Service } from './host/service.ts';
export { createLog, type Log } from './observe/log.ts';
export { Secret } from './settings/secret.ts';
export { countStatements, type StatementCounter } from './database/statements.ts';
export { connectWhenReady } from './database/wait-for-database.ts';
