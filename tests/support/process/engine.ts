import type { EngineSettings, Peers, Requester } from '@cadastre/rest';

// What an engine needs, without the other services, when a test counts its statements.

/** A superuser. */
export const admin: Requester = {
  userId: 1,
  username: 'admin',
  grants: { superuser: true, userId: 1, byAction: new Map() },
};

export const settings: EngineSettings = {
  paginateCount: 50,
  maxPageSize: 1000,
  maxRegexLength: 200,
  maxBulkItems: 10_000,
  maxExportRows: 10_000,
  maxFileBytes: 10_000,
  rowTextBytes: 4_000_000,
};

/** Stubs of other services that answer about references as given, and have no other data. */
export const peersWith = (resolve: Peers['resolve']): Peers => ({
  resolve,
  briefs: async () => new Map(),
  viewable: async (_service, questions) => questions.map(() => []),
  rows: async () => [],
  prepareDeletion: async () => ({ count: 0, names: [] }),
  preview: async () => ({ deleted: [], protecting: [], changed: [], clashing: [] }),
  releaseMarks: async () => undefined,
});
