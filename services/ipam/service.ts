import { fileURLToPath } from 'node:url';
import { modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';
import { actions } from './actions/index.ts';
import { facilities } from './facilities.ts';

export const service = modelService('ipam', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  facilities,
  actions,
}));
