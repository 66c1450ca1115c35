export { status as GrpcStatus, type ServiceError } from '@grpc/grpc-js';
export { type CallOptions, type GrpcClient, type GrpcClientOptions, grpcClient, isUnreachable } from './grpc-client.ts';
export { type GrpcClients, grpcClients } from './grpc-clients.ts';
export type { ServiceName } from './grpc-proto.ts';
export {
  type CallContext,
  type Callers,
  GrpcError,
  type GrpcServer,
  type GrpcServerOptions,
  type GrpcService,
  grpcService,
  type Handlers,
  startGrpcServer,
} from './grpc-server.ts';
