import type { Calls } from '@cadastre/service/calls';
import { type ExternalApi, externalService } from '@cadastre/service/external';
import type { GrpcClient } from '@cadastre/service/grpc';

export type ExternalClient = GrpcClient<ExternalApi>;

/** A client of the part of the auth service that knows other systems. */
export const externalClient = (calls: Calls): ExternalClient => calls.to<ExternalApi>('auth', externalService);
