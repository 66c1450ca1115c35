/** proto/operations.proto. */
export type OperationsApi = ParkedApi & ReplicasApi;

export const OPERATIONS = { proto: 'operations.proto', service: 'cadastre.operations.Operations' } as const;

/** A parked event in messages; proto/operations.proto says what the fields mean. */
export interface WireParked {
  id: number;
  group: string;
  topic: string;
  partition: number;
  position: string;
  key: string;
  error: string;
  parked: string;
  replays: number;
  last_replay: string;
  size: number;
}

/** About events that could not be handled. */
export interface ParkedApi {
  ParkedEvents(request: { offset: number; limit: number }): { count: number; events: WireParked[] };
  ParkedEvent(request: { id: number }): { event: WireParked; value: string; trace: string };
  ReplayParked(request: { id: number }): { error: string };
  DiscardParked(request: { id: number }): Record<string, never>;
}

/** A replica in messages; proto/operations.proto says what the fields mean. */
export interface WireReplica {
  type: string;
  owner: string;
  rows: number;
  lag: number;
  state: string;
  reason: string;
  error: string;
  filled: string;
  written: number;
  removed: number;
  stuck: number;
  seconds: number;
  in_part: boolean;
}

export interface WireReport {
  type: string;
  rows: number;
  kept: number;
  missing: number;
  extra: number;
  different: number;
  partial: boolean;
  examples: {
    id: number;
    problem: string;
    kept_in: string;
    version: number;
    kept_version: number;
    columns: string[];
  }[];
}

/** About a service's replicas of other services' objects. */
export interface ReplicasApi {
  Replicas(request: Record<string, never>): { replicas: WireReplica[] };
  VerifyReplica(request: { type: string }): WireReport;
  RebuildReplica(request: { type: string }): Record<string, never>;
}
