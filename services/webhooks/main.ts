import { fileURLToPath } from 'node:url';
import { runModelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/baseChoices.ts';
import { background } from './actions/background.ts';
import { facilities } from './facilities.ts';
import { loadWebhookSettings } from './settings.ts';
import { startDelivery } from './start.ts';

await runModelService('webhooks', {
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  facilities: (config) => facilities(config.maxRegexLength),
  actions: ({ engine }) => background(engine),
  // One process is one worker to whoever counts them; it keeps many attempts in flight.
  internal: { workers: () => ({ running: 1 }) },
  async started({ pool, followers, catalogue, config, log, onClose }) {
    const delivery = await startDelivery({ pool, followers, services: catalogue.services(), config: { ...loadWebhookSettings(process.env), maxRegexLength: config.maxRegexLength }, logger: log });
    onClose('delivery', delivery.stop);
  },
});
