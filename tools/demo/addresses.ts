import type { Thing } from './api.ts';
import { eachSite, router, servers, SITES, type Site, switches } from './plan.ts';
import { idsOf, later, nameIn, named, type Step, step } from './step.ts';

const VLANS = [
  [10, 'Servers'],
  [20, 'Management'],
] as const;

/** The management port and address of each device that has one. */
const managed = (site: Site): { device: string; port: string; address: string }[] =>
  [
    { device: router(site), port: 'fxp0' },
    ...switches(site).map((device) => ({ device, port: 'Management1' })),
    ...servers(site).map((device) => ({ device, port: 'iDRAC' })),
  ].map((one, i) => ({ ...one, address: `10.${site.n}.20.${10 + i}/24` }));

const addresses = later('addresses', '/api/ipam/ip-addresses/', SITES.length * 8, async (api) => {
  const port = await idsOf(api, '/api/dcim/interfaces/', (i) => `${nameIn(i, 'device')} ${i['name']}`);
  const at = (name: string, address: string, dns: string): Thing => ({
    address,
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port(name),
    dns_name: `${dns}.example.net`,
    status: 'active',
    tenant: { slug: 'infrastructure' },
  });
  return eachSite((site) => [
    at(`${router(site)} lo0`, `10.${site.n}.0.1/32`, router(site)),
    ...managed(site).map(({ device, port: name, address }) => at(`${device} ${name}`, address, `mgmt.${device}`)),
  ]);
});

const primary = later(
  'primary addresses',
  '/api/dcim/devices/',
  SITES.length * 7,
  async (api) => {
    const device = await idsOf(api, '/api/dcim/devices/', (d) => String(d['name']));
    const address = await idsOf(api, '/api/ipam/ip-addresses/', (a) => String(a['address']));
    return eachSite((site) =>
      managed(site).map((one) => ({ id: device(one.device), primary_ip4: address(one.address) })),
    );
  },
  true,
);

/** VLANs, prefixes, addresses, AS numbers. */
export const addressing: Step[] = [
  step('registries', '/api/ipam/rirs/', [
    { name: 'RFC 1918', slug: 'rfc-1918', is_private: true },
    { name: 'RFC 3849', slug: 'rfc-3849', is_private: true },
  ]),
  step('aggregates', '/api/ipam/aggregates/', [
    { prefix: '10.0.0.0/8', rir: { slug: 'rfc-1918' } },
    { prefix: '2001:db8::/32', rir: { slug: 'rfc-3849' } },
  ]),
  step(
    'AS numbers',
    '/api/ipam/asns/',
    SITES.map(({ n }) => ({ asn: 65_000 + n, rir: { slug: 'rfc-1918' } })),
  ),
  step('VRFs', '/api/ipam/vrfs/', [{ name: 'Customer', rd: '65000:100', enforce_unique: true }]),
  step('roles', '/api/ipam/roles/', named(['Loopbacks', ...VLANS.map(([, name]) => name)])),
  later('VLAN groups', '/api/ipam/vlan-groups/', SITES.length, async (api) => {
    const id = await idsOf(api, '/api/dcim/sites/', (s) => String(s['slug']));
    return SITES.map(({ slug, name }) => ({ name, slug, scope_type: 'dcim.site', scope_id: id(slug) }));
  }),
  step(
    'VLANs',
    '/api/ipam/vlans/',
    eachSite(({ slug }) =>
      VLANS.map(([vid, name]) => ({
        vid,
        name,
        group: { slug },
        role: { slug: name.toLowerCase() },
        tenant: { slug: 'infrastructure' },
      })),
    ),
  ),
  later('prefixes', '/api/ipam/prefixes/', SITES.length * 5, async (api) => {
    const id = await idsOf(api, '/api/dcim/sites/', (s) => String(s['slug']));
    return eachSite(({ slug, n }) => {
      const scope = { scope_type: 'dcim.site', scope_id: id(slug), tenant: { slug: 'infrastructure' } };
      return [
        { ...scope, prefix: `10.${n}.0.0/16`, status: 'container' },
        { ...scope, prefix: `10.${n}.0.0/24`, role: { slug: 'loopbacks' } },
        { ...scope, prefix: `2001:db8:${n}::/48`, status: 'container' },
        ...VLANS.map(([vid, name]) => ({
          ...scope,
          prefix: `10.${n}.${vid}.0/24`,
          role: { slug: name.toLowerCase() },
          vlan: { vid, group: { slug } },
        })),
      ];
    });
  }),
  addresses,
  primary,
];
