import { type GrpcService, grpcService } from '../grpc-server.ts';
import { OPERATIONS, type OperationsApi } from './api.ts';
import { type ParkedParts, parkedHandlers } from './parked.ts';
import { type ReplicaParts, replicaHandlers } from './replicas.ts';

/** What a service lets administrators ask of it, through the gateway: one set of handlers for each subject. */
export const operationsGrpc = (parts: ParkedParts & ReplicaParts): GrpcService => grpcService<OperationsApi>(OPERATIONS, { ...parkedHandlers(parts), ...replicaHandlers(parts) });
