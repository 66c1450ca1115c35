import { type Callers, type GrpcService, grpcService } from '../grpc/service.ts';
import { OPERATIONS, type OperationsApi } from './api.ts';
import { type ParkedParts, parkedHandlers } from './parked.ts';
import { type ReplicaParts, replicaHandlers } from './replicas.ts';

/** The gateway sees to it that only superusers ask. */
const GATEWAY = ['gateway'] as const;
const CALLERS: Callers<OperationsApi> = {
  ParkedEvents: GATEWAY,
  ParkedEvent: GATEWAY,
  ReplayParked: GATEWAY,
  DiscardParked: GATEWAY,
  Replicas: GATEWAY,
  VerifyReplica: GATEWAY,
  RebuildReplica: GATEWAY,
};

/** What a service lets administrators ask of it, through the gateway: one set of handlers for each subject. */
export const operationsGrpc = (parts: ParkedParts & ReplicaParts): GrpcService =>
  grpcService<OperationsApi>(OPERATIONS, CALLERS, { ...parkedHandlers(parts), ...replicaHandlers(parts) });
