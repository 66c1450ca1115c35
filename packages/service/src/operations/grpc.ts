import { type Callers, type GrpcService, grpcService } from '../grpc/service.ts';
import { OPERATIONS, type OperationsApi } from './api.ts';
import { type ParkedParts, parkedHandlers } from './parked.ts';
import { type ReplicaParts, replicaHandlers } from './replicas.ts';

/** The gateway makes sure that only superusers reach these methods. */
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

/** What administrators can do with a service through the gateway: one set of handlers for each subject. */
export const operationsGrpc = (parts: ParkedParts & ReplicaParts): GrpcService =>
  grpcService<OperationsApi>(OPERATIONS, CALLERS, { ...parkedHandlers(parts), ...replicaHandlers(parts) });
