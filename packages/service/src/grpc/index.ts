export { status as GrpcStatus } from '@grpc/grpc-js';
export { type GrpcClient, grpcClient, isUnreachable } from './client.ts';
export { type GrpcServer, startGrpcServer } from './server.ts';
export {
  type Callers,
  GrpcError,
  type GrpcService,
  grpcService,
} from './service.ts';
