export { differences } from './difference.ts';
export { uniqueNames } from './indexes.ts';
export { migrationsOf } from './migrations.ts';
export { migrationText } from './migration-text.ts';
