import { bodyLimits, type FairLimits } from '@cadastre/body';
import type { Config } from '@cadastre/service/config';
import { type Environment, readSettings } from '@cadastre/service/read-settings';
import { whole } from '@cadastre/service/setting-kinds';
import type { FileLimits } from '../files/zip.ts';
import type { ImportLimits } from './rows.ts';

/** The settings that only import pages use. */
export const importSettings = {
  IMPORT_MAX_FIELDS: whole(1).default(500),
  IMPORT_MAX_VALUES: whole(1).default(1_000_000),
  IMPORT_MAX_LENGTH: whole(1).default(1_000_000),
  IMPORT_INLINE_BYTES: whole(0).default(131_072),
  IMPORT_CONCURRENCY: whole(1, 64).default(2),
  IMPORT_CONCURRENCY_PER_USER: whole(1, 64).default(1),
  IMPORT_QUEUE: whole(0).default(10),
  IMPORT_QUEUE_PER_USER: whole(0).default(2),
  IMPORT_WAIT_MS: whole(1).default(20_000),
  IMPORT_TIMEOUT_MS: whole(1).default(20_000),
  IMPORT_MEMORY_MB: whole(8).default(256),
  IMPORT_MAX_FILES: whole(1).default(2_000),
  IMPORT_MAX_UNPACKED_BYTES: whole(1).default(50 * 1024 * 1024),
};

/** How texts are read, and how many at the same time. */
export interface ReaderLimits {
  limits: ImportLimits;
  /** The largest JSON text that is read in this process; for other formats, the size that takes as long. */
  inlineBytes: number;
  /** The number of processes that read, and the limits of one text there. */
  size: number;
  timeoutMs: number;
  memoryMb: number;
  turns: FairLimits;
  files: FileLimits;
}

/** The nesting depth that the API accepts. */
const DEPTH = 100;

/** @throws ConfigError */
export function importsFrom(env: Environment, config: Pick<Config, 'maxBulkItems' | 'maxBodyBytes'>): ReaderLimits {
  const given = readSettings(importSettings, env);
  return {
    limits: {
      rows: config.maxBulkItems,
      fields: given.importMaxFields,
      values: given.importMaxValues,
      depth: DEPTH,
      length: given.importMaxLength,
      size: config.maxBodyBytes,
    },
    inlineBytes: given.importInlineBytes,
    size: given.importConcurrency,
    timeoutMs: given.importTimeoutMs,
    files: { files: given.importMaxFiles, bytes: given.importMaxUnpackedBytes, ratio: bodyLimits.size.ratio },
    memoryMb: given.importMemoryMb,
    turns: {
      running: given.importConcurrency,
      runningPerUser: given.importConcurrencyPerUser,
      waiting: given.importQueue,
      waitingPerUser: given.importQueuePerUser,
      waitMs: given.importWaitMs,
    },
  };
}
