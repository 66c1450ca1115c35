import { runService } from '@cadastre/service/lifecycle';
import { served } from './served.ts';
import { createGateway } from './start.ts';

await runService('gateway', async ({ config, log, onClose }) => {
  const { http, close } = createGateway(config, log, served);
  onClose('connections to services', close);
  onClose('HTTP', http.close);
  await http.listen(config.httpPort, config.listenHost);
});
