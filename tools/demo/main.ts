// `npm run demo`: fills a small, realistic network through the API of a running system.
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { addressing } from './addresses.ts';
import { apiAt } from './api.ts';
import { cabling } from './cabling.ts';
import { hardware } from './hardware.ts';
import { organisation } from './organisation.ts';
import { SITES } from './plan.ts';
import type { Step } from './step.ts';
import { virtual } from './virtual.ts';
import { systemWithToken } from '../command/system.ts';

const HELP = `npm run demo -- [--url http://localhost:8000] [--token <API token>]

Fills a running system with a small network: three sites with racks, cabled and powered devices, circuits between them, prefixes,
VLANs, addresses, virtual machines and contacts. Without --url it is the system that npm start runs on DATA_DIR. During
its first run, in which it printed a token, none is needed; otherwise any token that may write will do. CADASTRE_URL and
CADASTRE_TOKEN may be set instead of the options.
`;

const STEPS: Step[] = [...organisation, ...hardware, ...addressing, ...cabling, ...virtual];

function options(): { url: string; token: string } {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, token: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  return systemWithToken(values);
}

async function fill(): Promise<void> {
  const { url, token } = options();
  const api = apiAt(url, token);
  const there = await api.list(`/api/dcim/sites/?${SITES.map((site) => `slug=${site.slug}`).join('&')}`);
  if (there.length) throw new Error(`The demo is there already: ${there.map((site) => site['name']).join(', ')}.`);
  const bar = new SingleBar({
    format: '{bar} {value} of {total} objects  {what}',
    hideCursor: true,
    barsize: 30,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  });
  const began = performance.now();
  bar.start(
    STEPS.reduce((sum, { count }) => sum + count, 0),
    0,
    { what: '' },
  );
  try {
    for (const { what, path, objects, change } of STEPS) {
      bar.update({ what });
      const given = typeof objects === 'function' ? await objects(api) : objects;
      await (change ? api.change(path, given) : api.create(path, given));
      bar.increment(given.length);
    }
    bar.update({ what: `in ${((performance.now() - began) / 1000).toFixed(1)} s` });
  } finally {
    bar.stop();
  }
  process.stdout.write(`\nLook at ${url}/api/dcim/devices/?site=${SITES[0].slug} or ${url}/api/schema/swagger-ui/\n`);
}

await fill().catch((error: Error) => {
  process.stderr.write(`${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}\n`);
  process.exitCode = 1;
});
