import type { Calls } from '@cadastre/service/calls';
import { type ExternalApi, externalService } from '@cadastre/service/external';
import type { GrpcClient } from '@cadastre/service/grpc';

export type ExternalClient = GrpcClient<ExternalApi>;

/** A client for the auth service's calls about logins by other systems. */
export const externalClient = (calls: Calls): ExternalClient => calls.to<ExternalApi>('auth', externalService);
