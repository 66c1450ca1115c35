import type { EngineSettings, Peers, Requester } from '@cadastre/rest';

// What an engine needs of which a test counts the statements, without the other services.

/** Who may do everything. */
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

/** Other services that find references as they are told to, and have nothing else to say. */
export const peersWith = (resolve: Peers['resolve']): Peers => ({
  resolve,
  briefs: async () => new Map(),
  viewable: async (_service, questions) => questions.map(() => []),
  rows: async () => [],
  prepareDeletion: async () => ({ count: 0, names: [] }),
  preview: async () => ({ deleted: [], protecting: [], changed: [], clashing: [] }),
  releaseMarks: async () => undefined,
});
