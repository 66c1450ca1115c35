// Runs one service against stubs of all its neighbours, with a PostgreSQL of its own that holds the event log too.
import { parseArgs } from 'node:util';
import { loadCatalogue } from '@cadastre/model';
import { collectionsOf } from '@cadastre/service/collections';
import { webService } from '@cadastre/service/web';
import { publicService, serviceNames } from '../supervisor/plan/plan.ts';
import { type Alone, SERVICES } from './alone.ts';
import { USER } from './answers.ts';
import { withServiceAlone } from './withServiceAlone.ts';

const usage = `npm run service -- NAME [--port N] [--data FOLDER]

Runs one service against stubs of all its neighbours, until Ctrl-C. NAME is one of: ${serviceNames(SERVICES).join(', ')}

  --port N       where it is called (default: any free port)
  --data FOLDER  keeps its database there (default: a folder that is removed in the end)
`;

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

function options(): { name: string; port: number; data: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { port: { type: 'string', default: '0' }, data: { type: 'string' } },
    });
    const [name = '', ...more] = positionals;
    if (!serviceNames(SERVICES).includes(name) || more.length) fail('Which service?');
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) fail('--port must be the number of a port.');
    return { name, port, data: values.data };
  } catch (error) {
    fail((error as Error).message);
  }
}

/** An example of how to call it. */
function example(name: string, { base }: Alone): string {
  if (name === publicService) return `curl -H 'Authorization: Token any' ${base}/api/`;
  if (name === webService) return `${base}/ in a browser`;
  const { app, path } = collections.find(({ service }) => service === name)!;
  return `curl ${base}/api/${app}/${path}/, and all that ${base}/internal/openapi.json names`;
}

const { name, port, data } = options();
const collections = collectionsOf(await loadCatalogue(SERVICES));
await withServiceAlone(name, { port, data }, async (alone, database) => {
  process.stdout.write(`
${name} runs alone, in the name of the superuser ${USER.username}: ${alone.base}
  Its neighbours are stubs without objects (tools/local/service/answers.ts); nobody but you writes to the event log.
  Try:      ${example(name, alone)}
  Health:   ${alone.operations}/health/ready, and /metrics
  Database: ${database}
  Ctrl-C ends it${data === undefined ? ' and removes what it has written' : ''}.
`);
  const signal = new Promise<void>((done) => {
    for (const one of ['SIGINT', 'SIGTERM'] as const) process.once(one, () => done());
  });
  await Promise.race([signal, alone.ended]);
});
process.exit();
