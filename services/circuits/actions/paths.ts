import { type ActionHandler, PATHS, READ, seen, Unreachable } from '@cadastre/rest';
import { peerGrpcAddress } from '@cadastre/service/config';
import { grpcClient, isUnreachable } from '@cadastre/service/grpc';
import type { ModelService } from '@cadastre/service/models';
import { circuitTermination } from '../models/circuitTermination.ts';

/** proto/paths.proto. */
interface PathsApi {
  Over(request: { type: string; id: number; base: string }): { paths: string };
}

/** GET /api/circuits/circuit-terminations/<id>/paths/: dcim keeps the paths of cables, so it is asked. */
export function pathsAction({ engine, config, name, onClose }: ModelService): ActionHandler {
  const dcim = grpcClient<PathsApi>({
    proto: 'paths.proto',
    service: 'cadastre.paths.Paths',
    to: 'dcim',
    address: peerGrpcAddress(config, 'dcim'),
    from: name,
    config,
  });
  onClose('connection to dcim', dcim.close);
  return {
    methods: READ,
    operations: PATHS,
    async handle(request, id) {
      const object = await seen(engine, circuitTermination, id, request);
      const { paths } = await dcim
        .Over({ ...object, base: request.base }, { failFast: true })
        .catch((error: unknown) => {
          throw isUnreachable(error) ? new Unreachable('dcim', error) : error;
        });
      return { status: 200, headers: { Allow: READ.join(', ') }, body: paths };
    },
  };
}
