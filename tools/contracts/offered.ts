import type { Catalogue } from '@cadastre/model';
import type { ServiceName } from '@cadastre/service/grpc-proto';
import { MODELS } from '@cadastre/service/models/peers';
import { OPERATIONS } from '@cadastre/service/operations';
import { CHANGES } from '../../services/extras/models/changesApi.ts';

/** The gRPC services that ours answer besides those that all owners of models answer. */
const FURTHER: Readonly<Record<string, readonly ServiceName[]>> = {
  auth: [
    { proto: 'auth.proto', service: 'cadastre.auth.Auth' },
    { proto: 'external.proto', service: 'cadastre.auth.External' },
  ],
  dcim: [{ proto: 'paths.proto', service: 'cadastre.paths.Paths' }],
  extras: [CHANGES],
};

/** The services of proto/ that one of our services answers. */
export const grpcServicesOf = (service: string, catalogue: Pick<Catalogue, 'services'>): readonly ServiceName[] =>
  catalogue.services().includes(service) ? [MODELS, OPERATIONS, ...(FURTHER[service] ?? [])] : [];
