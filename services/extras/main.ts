import { fileURLToPath } from 'node:url';
import { runModelService } from '@cadastre/service/models';
import { recordChanges } from './changeLog.ts';
import { baseChoices } from './models/baseChoices.ts';

await runModelService('extras', {
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  // Where the specification has them, besides where the reference has.
  aliases: { 'extras/object-changes': 'core.objectchange' },
  onEvents: ({ catalogue, pool }, events) => recordChanges(catalogue, events, pool),
});
