import type { Thing } from './api.ts';
import { eachSite, pdus, router, servers, SERVERS, SITES, switches } from './plan.ts';
import { idsOf, later, nameIn, type Step, step } from './step.ts';

const cable = (a: [string, number], b: [string, number], more: Thing): Thing => ({
  a_terminations: [{ object_type: a[0], object_id: a[1] }],
  b_terminations: [{ object_type: b[0], object_id: b[1] }],
  status: 'connected',
  ...more,
});
const NETWORK = 'dcim.interface';
const FIBRE: Thing = { type: 'smf', color: 'ffeb3b' };

/** Rings: each site's circuit goes to the next. */
const circuits = SITES.map((site, i) => ({ cid: `NL-${1001 + i}`, from: site, to: SITES[(i + 1) % SITES.length]! }));

/** Circuits between the sites, and what is plugged in where. */
export const cabling: Step[] = [
  step('providers', '/api/circuits/providers/', [{ name: 'Northline', slug: 'northline' }]),
  step('circuit types', '/api/circuits/circuit-types/', [{ name: 'Wavelength', slug: 'wavelength' }]),
  step(
    'circuits',
    '/api/circuits/circuits/',
    circuits.map(({ cid, from, to }) => ({
      cid,
      provider: { slug: 'northline' },
      type: { slug: 'wavelength' },
      status: 'active',
      commit_rate: 100_000_000,
      tenant: { slug: 'infrastructure' },
      description: `${from.name} to ${to.name}`,
    })),
  ),
  later('circuit terminations', '/api/circuits/circuit-terminations/', circuits.length * 2, async (api) => {
    const site = await idsOf(api, '/api/dcim/sites/', (s) => String(s['slug']));
    return circuits.flatMap(({ cid, from, to }) =>
      [['A', from] as const, ['Z', to] as const].map(([term_side, { slug }]) => ({
        circuit: { cid },
        term_side,
        termination_type: 'dcim.site',
        termination_id: site(slug),
        port_speed: 100_000_000,
      })),
    );
  }),
  later('network cables', '/api/dcim/cables/', SITES.length * (2 + 2 * SERVERS + 2), async (api) => {
    const port = await idsOf(api, '/api/dcim/interfaces/', (i) => `${nameIn(i, 'device')} ${i['name']}`);
    const end = await idsOf(
      api,
      '/api/circuits/circuit-terminations/',
      (t) => `${(t['circuit'] as { cid: string }).cid} ${t['term_side']}`,
    );
    const between = (a: string, b: string, more: Thing) => cable([NETWORK, port(a)], [NETWORK, port(b)], more);
    return [
      ...eachSite((site) => [
        ...switches(site).map((name, i) => between(`${router(site)} xe-0/1/${i}`, `${name} Ethernet48`, FIBRE)),
        ...servers(site).flatMap((name, s) =>
          switches(site).map((sw, i) =>
            between(`${name} NIC${i + 1}`, `${sw} Ethernet${s + 1}`, {
              type: 'dac-passive',
              length: 3,
              length_unit: 'm',
            }),
          ),
        ),
      ]),
      ...circuits.flatMap(({ cid, from, to }) => [
        cable([NETWORK, port(`${router(from)} et-0/0/0`)], ['circuits.circuittermination', end(`${cid} A`)], FIBRE),
        cable([NETWORK, port(`${router(to)} et-0/0/1`)], ['circuits.circuittermination', end(`${cid} Z`)], FIBRE),
      ]),
    ];
  }),
  later('power cables', '/api/dcim/cables/', SITES.length * (2 + 3 * 2 + SERVERS * 2), async (api) => {
    const inlet = await idsOf(api, '/api/dcim/power-ports/', (p) => `${nameIn(p, 'device')} ${p['name']}`);
    const outlet = await idsOf(api, '/api/dcim/power-outlets/', (p) => `${nameIn(p, 'device')} ${p['name']}`);
    const feeds = new Map(
      await Promise.all(
        SITES.map(
          async ({ slug }) =>
            [slug, await idsOf(api, `/api/dcim/power-feeds/?site=${slug}`, (f) => nameIn(f, 'rack'))] as const,
        ),
      ),
    );
    return eachSite((site) => {
      const fed = pdus(site).map((pdu, i) =>
        cable(['dcim.powerfeed', feeds.get(site.slug)!(`A${i + 1}`)], ['dcim.powerport', inlet(`${pdu} inlet`)], {
          type: 'power',
        }),
      );
      const plugged = (pdu: string, devices: string[]) =>
        devices.flatMap((device, d) =>
          [1, 2].map((psu) =>
            cable(
              ['dcim.poweroutlet', outlet(`${pdu} outlet ${2 * d + psu}`)],
              ['dcim.powerport', inlet(`${device} PSU${psu}`)],
              { type: 'power' },
            ),
          ),
        );
      return [
        ...fed,
        ...plugged(pdus(site)[0]!, [router(site), ...switches(site)]),
        ...plugged(pdus(site)[1]!, servers(site)),
      ];
    });
  }),
];
