// `npm run bench [-- sites network replicas slow deliveries]`: a fresh system, filled through its API and measured
// through its gateway.
import { cpus, loadavg } from 'node:os';
import { client } from './client.ts';
import { memoryOf } from './memory.ts';
import { measureNetwork } from './network.ts';
import { measureQueue } from './queue.ts';
import { measureReplicas } from './replicas.ts';
import { memoryTable } from './report.ts';
import { measureSites } from './sites.ts';
import { measureSlowReceiver } from './slow.ts';
import { startSystem } from '../tools/testing/fresh-system.ts';

const PARTS = {
  sites: measureSites,
  network: measureNetwork,
  replicas: measureReplicas,
  slow: measureSlowReceiver,
  deliveries: measureQueue,
};

const asked = process.argv.slice(2),
  unknown = asked.find((name) => !(name in PARTS));
if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}.`);
console.log(
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}; system, PostgreSQL and load share them; load average before: ${loadavg()[0]!.toFixed(1)}`,
);
const system = await startSystem();
// Whoever is told to end leaves nothing running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void system.stop().finally(() => process.exit(130)));
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (asked.length && !asked.includes(name)) continue;
    console.log(`\n${name}\n`);
    await measure(system, client(system.base, system.token));
    console.log(`\n${memoryTable(memoryOf(system.pid))}`);
  }
} finally {
  await system.stop();
}
