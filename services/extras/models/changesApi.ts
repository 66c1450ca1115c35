/** proto/changes.proto: the change records, for other services. */
export interface ChangesApi {
  List(request: ChangesWanted): { changes: ChangeRecord[] };
}

export interface ChangesWanted {
  since: string;
  until: string;
  types: string[];
  after_time: string;
  after_id: number;
  limit: number;
}

export interface ChangeRecord {
  id: number;
  time: string;
  event_id: string;
  request_id: string;
  user: string;
  action: 'create' | 'update' | 'delete';
  type: string;
  object_id: number;
  display: string;
  message: string;
  /** JSON texts. */
  prechange: string;
  postchange: string;
}

export const CHANGES = { proto: 'changes.proto', service: 'cadastre.changes.Changes' } as const;
