import { fileURLToPath } from 'node:url';
import { renderConfig } from '@cadastre/rest';
import { modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';

export const service = modelService('virtualization', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  actions: ({ engine }) => ({
    'virtualization/virtual-machines/*/render-config': renderConfig(engine, 'virtualization.virtualmachine'),
  }),
}));
