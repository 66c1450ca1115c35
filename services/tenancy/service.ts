import { fileURLToPath } from 'node:url';
import { modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';

export const service = modelService('tenancy', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
}));
