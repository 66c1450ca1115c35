export { createPostgresLog, type PostgresLogOptions } from './postgres/log.ts';
