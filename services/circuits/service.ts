import { fileURLToPath } from 'node:url';
import { modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';
import { pathsAction } from './actions/paths.ts';
import { virtualPathsAction } from './actions/virtualPaths.ts';

export const service = modelService('circuits', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  actions: (service) => ({
    'circuits/circuit-terminations/*/paths': pathsAction(service),
    'circuits/virtual-circuit-terminations/*/paths': virtualPathsAction(service.engine),
  }),
}));
