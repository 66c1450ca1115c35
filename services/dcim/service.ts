import { fileURLToPath } from 'node:url';
import { renderConfig } from '@cadastre/rest';
import { modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/baseChoices.ts';
import { cablingActions, pathsGrpc } from './actions/cabling.ts';
import { elevation } from './actions/elevation/elevation.ts';
import { occupied } from './actions/elevation/occupied.ts';

export const service = modelService('dcim', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  actions: ({ engine }) => ({
    'dcim/racks/*/elevation': elevation(engine),
    'dcim/racks/occupied-units': occupied(engine),
    'dcim/devices/*/render-config': renderConfig(engine, 'dcim.device'),
    ...cablingActions(engine),
  }),
  grpc: ({ engine }) => [pathsGrpc(engine)],
}));
