import { fileURLToPath } from 'node:url';
import { renderConfig } from '@cadastre/rest';
import { runModelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/baseChoices.ts';

await runModelService('virtualization', {
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  actions: ({ engine }) => ({
    'virtualization/virtual-machines/*/render-config': renderConfig(engine, 'virtualization.virtualmachine'),
  }),
});
