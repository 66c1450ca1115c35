import type { Client } from '../load/client.ts';
import { costOf } from '../cost/cost.ts';
import { deliveries } from './deliveries.ts';
import { floorOf } from '../floor/floors.ts';
import { reading, SECONDS, write } from '../load/load.ts';
import { populate, SIZE } from '../load/populate.ts';
import { amount, AS_GOOD, type Measured, rate } from '../report/report.ts';
import { upTo } from '../../tools/command/api.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

/** Sites: reading beside the floor, creating and what it costs, and what becomes of the deliveries. */
export async function measureSites(system: System, api: Client): Promise<Measured[]> {
  const site = await populate(api);
  return [...(await read(system, site)), ...(await create(system)), ...(await deliver(api))];
}

async function read(system: System, site: number): Promise<Measured[]> {
  const headers = { authorization: `Token ${system.token}` };
  const list = `${system.base}/api/dcim/sites/`;
  const { detail, pages } = await floorOf(system, 'dcim.site', site, [50, SIZE.sites]);
  return [
    await reading('one site', `${list}${site}/`, headers, { beside: detail, target: 1500, against: 1.7 }),
    await reading('page of 50 sites', `${list}?limit=50`, headers, { beside: pages[50]!, target: 700, against: 1.7 }),
    await reading('page of 1000 (200 there)', `${list}?limit=1000`, headers, {
      beside: pages[SIZE.sites]!,
      against: AS_GOOD,
    }),
  ];
}

async function create(system: System): Promise<Measured[]> {
  const creating = (things: number, clients: number, bodyOf: (n: number) => unknown) =>
    write(`${system.base}/api/dcim/sites/`, { authorization: `Token ${system.token}` }, bodyOf, things, clients);
  // Names differ from run to run by what is measured.
  const slugOf = (name: string) => name.toLowerCase().replace(/\W+/g, '-');
  const lines = [
    ...(await costOf(
      'create one, 4 clients',
      system,
      250 * SECONDS,
      (things, name) => creating(things, 4, (n) => ({ name: `${name} ${n}`, slug: `${slugOf(name)}-${n}` })),
      { target: 250, against: 2.5 },
    )),
    rate(
      'create one with a tenant',
      await creating(100 * SECONDS, 4, (n) => ({ name: `ref ${n}`, slug: `ref-${n}`, tenant: { slug: 'tenant-1' } })),
      { against: 2.5 },
    ),
  ];
  const bulk = await creating(20 * SECONDS, 2, (n) =>
    upTo(100).map((i) => ({ name: `bulk ${n} ${i}`, slug: `bulk-${n}-${i}` })),
  );
  return [...lines, rate('create 100 at once', bulk, { times: 100, unit: 'sites', target: 2000, against: AS_GOOD })];
}

async function deliver(api: Client): Promise<Measured[]> {
  const { singles, burst } = await deliveries(api, 200, 20);
  return [
    amount('deliveries of single creates: the last after the last answer', singles.lastAfterMs, 'ms', {
      target: 1000,
      notes: [`${singles.received} of ${singles.amount} received`, `${singles.writesPerSecond.toFixed(0)} creates/s`],
    }),
    {
      what: 'deliveries of sites created 100 at once',
      value: burst.perSecond,
      unit: 'deliveries/s',
      better: 'more',
      target: 300,
      against: AS_GOOD,
      notes: [`${burst.received} of ${burst.amount} received`],
    },
  ];
}
