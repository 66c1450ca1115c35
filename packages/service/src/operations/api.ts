/** proto/operations.proto. */
export type OperationsApi = ParkedApi;

export const OPERATIONS = { proto: 'operations.proto', service: 'cadastre.operations.Operations' } as const;

/** A parked event as it travels; proto/operations.proto says what the fields mean. */
export interface WireParked {
  id: number; group: string; topic: string; partition: number; position: string; key: string; error: string; parked: string;
  replays: number; last_replay: string; size: number;
}

/** About events that could not be handled. */
export interface ParkedApi {
  ParkedEvents(request: { offset: number; limit: number }): { count: number; events: WireParked[] };
  ParkedEvent(request: { id: number }): { event: WireParked; value: string; trace: string };
  ReplayParked(request: { id: number }): { error: string };
  DiscardParked(request: { id: number }): Record<string, never>;
}
