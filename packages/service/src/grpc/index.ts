export { status as GrpcStatus, type ServiceError } from '@grpc/grpc-js';
export { type CallOptions, type GrpcClient, type GrpcClientOptions, grpcClient, isUnreachable } from './client.ts';
export type { ServiceName } from './proto.ts';
export { type GrpcServer, type GrpcServerOptions, startGrpcServer } from './server.ts';
export {
  type CallContext,
  type Callers,
  GrpcError,
  type GrpcService,
  grpcService,
  type Handlers,
} from './service.ts';
