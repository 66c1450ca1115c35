export { differences } from './difference.ts';
export { entitiesFor } from './entities.ts';
export { uniqueNames } from './indexes.ts';
export { migrationsOf } from './migrations.ts';
export { migrationText } from './migration-text.ts';
export { foreignKeyName, indexName, uniqueColumnName, uniqueSetName } from './names.ts';
