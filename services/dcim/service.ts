import { fileURLToPath } from 'node:url';
import { documents, renderConfig } from '@cadastre/rest';
import { modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';
import { cablingActions, pathsGrpc } from './actions/cabling.ts';
import { elevation } from './actions/elevation/elevation.ts';
import { deviceType } from './models/types/deviceType.ts';
import { moduleType } from './models/types/moduleType.ts';
import { rackType } from './models/racks/rackType.ts';
import { occupied } from './actions/elevation/occupied.ts';

export const service = modelService('dcim', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  actions: ({ engine }) => ({
    'dcim/racks/*/elevation': elevation(engine),
    'dcim/racks/occupied-units': occupied(engine),
    'dcim/devices/*/render-config': renderConfig(engine, 'dcim.device'),
    'dcim/device-types/documents': documents(engine, deviceType),
    'dcim/module-types/documents': documents(engine, moduleType),
    'dcim/rack-types/documents': documents(engine, rackType),
    ...cablingActions(engine),
  }),
  grpc: ({ engine }) => [pathsGrpc(engine)],
}));
