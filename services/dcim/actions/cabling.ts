import type { ActionHandler, Engine } from '@cadastre/rest';
import { type GrpcService, grpcService } from '@cadastre/service/grpc';
import { PATH_ENDPOINTS } from '../models/cabling/plant.ts';
import { OWN_TERMINABLE } from '../models/cabling/terminable.ts';
import { connectedDevice } from './connectedDevice.ts';
import { pathsAction, pathsText } from './paths.ts';
import { traceAction } from './trace/trace.ts';

/** The actions about paths: of objects where paths begin, and of objects that paths only pass through. */
export function cablingActions(engine: Engine): Record<string, ActionHandler> {
  const actions: Record<string, ActionHandler> = { 'dcim/connected-device': connectedDevice(engine) };
  for (const type of OWN_TERMINABLE) {
    const model = engine.catalogue.get(type);
    if (PATH_ENDPOINTS.includes(type)) actions[`${model.app}/${model.path}/*/trace`] = traceAction(engine, model);
    else actions[`${model.app}/${model.path}/*/paths`] = pathsAction(engine, model);
  }
  return actions;
}

/** proto/paths.proto. */
export interface PathsApi {
  PathsThrough(request: { type: string; id: number; base: string }): { paths: string };
}

/** Paths over objects of other services: `circuits` asks for those over the ends of circuits. */
export const pathsGrpc = (engine: Engine): GrpcService =>
  grpcService<PathsApi>(
    { proto: 'paths.proto', service: 'cadastre.paths.Paths' },
    { PathsThrough: ['circuits'] },
    {
      PathsThrough: async ({ type, id, base }) => ({ paths: await pathsText(engine, { type, id }, base) }),
    },
  );
