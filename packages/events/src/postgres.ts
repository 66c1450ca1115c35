export { createPostgresLog } from './postgres/log.ts';
