import { type ActionHandler, PATHS, READ, requireVisible, Unreachable } from '@cadastre/rest';
import { isUnreachable } from '@cadastre/service/grpc';
import type { ModelService } from '@cadastre/service/models';
import { circuitTermination } from '../models/circuitTermination.ts';

/** proto/paths.proto. */
interface PathsApi {
  PathsThrough(request: { type: string; id: number; base: string }): { paths: string };
}

/** GET /api/circuits/circuit-terminations/<id>/paths/: dcim keeps the paths of cables, so it is asked. */
export function pathsAction({ engine, calls }: ModelService): ActionHandler {
  const dcim = calls.to<PathsApi>('dcim', { proto: 'paths.proto', service: 'cadastre.paths.Paths' });
  return {
    methods: READ,
    operations: PATHS,
    async handle(request, id) {
      const object = await requireVisible(engine, circuitTermination, id, request);
      const { paths } = await dcim
        .PathsThrough({ ...object, base: request.base }, { failFast: true })
        .catch((error: unknown) => {
          throw isUnreachable(error) ? new Unreachable('dcim', error) : error;
        });
      return { status: 200, headers: { Allow: READ.join(', ') }, body: paths };
    },
  };
}
