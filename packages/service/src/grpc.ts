export { status as GrpcStatus, type ServiceError } from '@grpc/grpc-js';
export { type CallOptions, type GrpcClient, type GrpcClientOptions, grpcClient, isUnreachable } from './grpc-client.ts';
export { type Calls, callsOf } from './host/calls.ts';
export type { ServiceName } from './grpc-proto.ts';
export { type GrpcServer, type GrpcServerOptions, startGrpcServer } from './grpc-server.ts';
export {
  type CallContext,
  type Callers,
  GrpcError,
  type GrpcService,
  grpcService,
  type Handlers,
} from './grpc-service.ts';
