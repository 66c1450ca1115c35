// Records the contracts between services: the gRPC calls, the events, and an example of an event of each service.
import { parseArgs } from 'node:util';
import { loadCatalogue } from '@cadastre/model';
import { SERVICES } from '../local/service/alone.ts';
import { withServiceAlone } from '../local/service/withServiceAlone.ts';
import { makeExample } from './example.ts';
import { ADVICE, broken, presentContracts, record, recordedContracts, recordExample } from './recorded.ts';

const { values } = parseArgs({ options: { contract: { type: 'boolean', default: false } } });
const catalogue = await loadCatalogue(SERVICES);
const present = presentContracts(catalogue);
const recorded = recordedContracts();
const problems = recorded ? broken(recorded, present) : [];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length && !values.contract) {
  process.stderr.write(`\n${ADVICE}\n`);
  process.exit(1);
}
record(present);
for (const service of catalogue.services()) {
  process.stdout.write(`${service} makes its example\n`);
  await withServiceAlone(service, {}, async ({ base }, database) =>
    recordExample(service, await makeExample(service, { base, database, catalogue })),
  );
}
