import { fileURLToPath } from 'node:url';
import { loadCatalogue } from '@cadastre/model';
import { runService } from '@cadastre/service/lifecycle';
import { servedBy } from './served.ts';
import { createGateway } from './start.ts';

await runService('gateway', async ({ config, log, onClose }) => {
  const catalogue = await loadCatalogue(fileURLToPath(new URL('..', import.meta.url)));
  const { http, close } = createGateway(config, log, servedBy(catalogue));
  onClose('connections to services', close);
  onClose('HTTP', http.close);
  await http.listen(config.httpPort, config.listenHost);
});
