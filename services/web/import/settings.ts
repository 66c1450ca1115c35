import type { Config } from '@cadastre/service/config';
import { type Environment, readSettings } from '@cadastre/service/read-settings';
import { whole } from '@cadastre/service/setting-kinds';
import type { ImportLimits } from './rows.ts';

/** What only import pages go by. */
export const importSettings = {
  IMPORT_MAX_FIELDS: whole(1).default(500),
  IMPORT_MAX_VALUES: whole(1).default(1_000_000),
  IMPORT_MAX_LENGTH: whole(1).default(1_000_000),
};

export interface ImportOptions {
  limits: ImportLimits;
}

/** As deep as what the API takes. */
const DEPTH = 100;

/** @throws ConfigError */
export function importsFrom(env: Environment, config: Pick<Config, 'maxBulkItems' | 'maxBodyBytes'>): ImportOptions {
  const {
    importMaxFields: fields,
    importMaxValues: values,
    importMaxLength: length,
  } = readSettings(importSettings, env);
  return { limits: { rows: config.maxBulkItems, fields, values, depth: DEPTH, length, size: config.maxBodyBytes } };
}
