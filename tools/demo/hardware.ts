import type { Thing } from './api.ts';
import { eachSite, pdus, router, servers, SITES, switches } from './plan.ts';
import { named, slugOf, type Step, step } from './step.ts';
import { upTo } from '../command/api.ts';

const TYPES = [
  { manufacturer: 'Juniper', model: 'MX204', u_height: 1 },
  { manufacturer: 'Arista', model: 'DCS-7050SX3-48YC8', u_height: 1 },
  { manufacturer: 'Dell', model: 'PowerEdge R650', u_height: 1 },
  { manufacturer: 'APC', model: 'AP8853', u_height: 0, is_full_depth: false },
].map((type) => ({ ...type, slug: slugOf(type.model) }));
const [ROUTER, SWITCH, SERVER, PDU] = TYPES.map((type) => type.slug) as [string, string, string, string];

/** Templates of a type's components: each device of the type gets them. */
const templates = (slug: string, names: string[], more: Thing): Thing[] =>
  names.map((name) => ({ device_type: { slug }, name, ...more }));

const interfaces = [
  ...templates(
    ROUTER,
    upTo(4).map((i) => `et-0/0/${i - 1}`),
    { type: '100gbase-x-qsfp28' },
  ),
  ...templates(
    ROUTER,
    upTo(8).map((i) => `xe-0/1/${i - 1}`),
    { type: '10gbase-x-sfpp' },
  ),
  ...templates(ROUTER, ['fxp0'], { type: '1000base-t', mgmt_only: true }),
  ...templates(ROUTER, ['lo0'], { type: 'virtual' }),
  ...templates(
    SWITCH,
    upTo(48).map((i) => `Ethernet${i}`),
    { type: '25gbase-x-sfp28' },
  ),
  ...templates(
    SWITCH,
    upTo(8).map((i) => `Ethernet${48 + i}`),
    { type: '100gbase-x-qsfp28' },
  ),
  ...templates(SWITCH, ['Management1'], { type: '1000base-t', mgmt_only: true }),
  ...templates(SERVER, ['NIC1', 'NIC2'], { type: '25gbase-x-sfp28' }),
  ...templates(SERVER, ['iDRAC'], { type: '1000base-t', mgmt_only: true }),
];
const powered = [ROUTER, SWITCH, SERVER].flatMap((slug) =>
  templates(slug, ['PSU1', 'PSU2'], { type: 'iec-60320-c14', maximum_draw: 400, allocated_draw: 250 }),
);

const placed = (name: string, type: string, role: string, site: string, rack: string, position?: number): Thing => ({
  name,
  device_type: { slug: type },
  role: { slug: role },
  site: { slug: site },
  location: { slug: 'hall-1', site: { slug: site } },
  rack: { name: rack, site: { slug: site } },
  tenant: { slug: 'infrastructure' },
  status: 'active',
  tags: [{ slug: 'production' }],
  ...(position === undefined ? {} : { position, face: 'front' }),
});

const devices = eachSite((site) => [
  placed(router(site), ROUTER, 'core-router', site.slug, 'A1', 40),
  ...switches(site).map((name, i) => placed(name, SWITCH, 'access-switch', site.slug, 'A1', 38 - i)),
  ...servers(site).map((name, i) => placed(name, SERVER, 'server', site.slug, 'A2', 10 + i)),
  ...pdus(site).map((name, i) => placed(name, PDU, 'pdu', site.slug, `A${i + 1}`)),
]);

/** Racks, types with their components, devices, power. */
export const hardware: Step[] = [
  step('rack roles', '/api/dcim/rack-roles/', named(['Network', 'Compute'])),
  step(
    'racks',
    '/api/dcim/racks/',
    eachSite(({ slug }) =>
      ['A1', 'A2'].map((name, i) => ({
        name,
        site: { slug },
        location: { slug: 'hall-1', site: { slug } },
        role: { slug: i ? 'compute' : 'network' },
        u_height: 42,
        width: 19,
        status: 'active',
        tenant: { slug: 'infrastructure' },
      })),
    ),
  ),
  step('manufacturers', '/api/dcim/manufacturers/', named([...new Set(TYPES.map((type) => type.manufacturer))])),
  step('platforms', '/api/dcim/platforms/', named(['Junos', 'EOS', 'Linux'])),
  step(
    'device roles',
    '/api/dcim/device-roles/',
    [
      ['Core router', 'd32f2f'],
      ['Access switch', '1976d2'],
      ['Server', '388e3c'],
      ['PDU', '616161'],
    ].map(([name, color]) => ({ name, slug: slugOf(name!), color })),
  ),
  step(
    'device types',
    '/api/dcim/device-types/',
    TYPES.map((type) => ({ ...type, manufacturer: { name: type.manufacturer } })),
  ),
  step('interfaces of types', '/api/dcim/interface-templates/', interfaces),
  step(
    'console ports of types',
    '/api/dcim/console-port-templates/',
    templates(ROUTER, ['console'], { type: 'rj-45' }),
  ),
  step('power ports of types', '/api/dcim/power-port-templates/', [
    ...powered,
    ...templates(PDU, ['inlet'], { type: 'iec-60309-p-n-e-6h' }),
  ]),
  step(
    'power outlets of types',
    '/api/dcim/power-outlet-templates/',
    templates(
      PDU,
      upTo(24).map((i) => `outlet ${i}`),
      { type: 'iec-60320-c13', power_port: { name: 'inlet', device_type: { slug: PDU } } },
    ),
  ),
  step('devices', '/api/dcim/devices/', devices),
  step(
    'power panels',
    '/api/dcim/power-panels/',
    SITES.map(({ slug }) => ({ name: 'Panel 1', site: { slug }, location: { slug: 'hall-1', site: { slug } } })),
  ),
  step(
    'power feeds',
    '/api/dcim/power-feeds/',
    eachSite(({ slug }) =>
      ['A1', 'A2'].map((rack) => ({
        name: `Feed ${rack}`,
        power_panel: { name: 'Panel 1', site: { slug } },
        rack: { name: rack, site: { slug } },
        voltage: 230,
        amperage: 32,
        status: 'active',
      })),
    ),
  ),
];
