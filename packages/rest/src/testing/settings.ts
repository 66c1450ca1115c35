import type { EngineSettings } from '../engine.ts';

/** The limits of an engine in the tests of a service. */
export const engineSettings: EngineSettings = {
  paginateCount: 50,
  maxPageSize: 1000,
  maxRegexLength: 200,
  maxBulkItems: 10_000,
  maxExportRows: 10_000,
  maxFileBytes: 10_000,
  rowTextBytes: 4_000_000,
};
