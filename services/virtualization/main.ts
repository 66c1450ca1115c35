import { fileURLToPath } from 'node:url';
import { runModelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/baseChoices.ts';

await runModelService('virtualization', { services: fileURLToPath(new URL('..', import.meta.url)), baseChoices });
