import { eachSite, MACHINES, machines, servers, SERVERS, SITES } from './plan.ts';
import { idsOf, later, nameIn, type Step, step } from './step.ts';

const address = (n: number, i: number): string => `10.${n}.10.${20 + i}/24`;

/** Clusters on the servers, virtual machines in them, and what configures them. */
export const virtual: Step[] = [
  step('cluster types', '/api/virtualization/cluster-types/', [{ name: 'KVM', slug: 'kvm' }]),
  later('clusters', '/api/virtualization/clusters/', SITES.length, async (api) => {
    const site = await idsOf(api, '/api/dcim/sites/', (s) => String(s['slug']));
    return SITES.map(({ slug }) => ({
      name: `${slug}-kvm`,
      type: { slug: 'kvm' },
      status: 'active',
      scope_type: 'dcim.site',
      scope_id: site(slug),
    }));
  }),
  later(
    'hosts of clusters',
    '/api/dcim/devices/',
    SITES.length * SERVERS,
    async (api) => {
      const device = await idsOf(api, '/api/dcim/devices/', (d) => String(d['name']));
      return eachSite((site) =>
        servers(site).map((name) => ({ id: device(name), cluster: { name: `${site.slug}-kvm` } })),
      );
    },
    true,
  ),
  step(
    'virtual machines',
    '/api/virtualization/virtual-machines/',
    eachSite((site) =>
      machines(site).map((name) => ({
        name,
        cluster: { name: `${site.slug}-kvm` },
        site: { slug: site.slug },
        status: 'active',
        vcpus: 4,
        memory: 8192,
        platform: { slug: 'linux' },
        tenant: { slug: 'web-shop' },
        tags: [{ slug: 'production' }],
      })),
    ),
  ),
  step(
    'virtual disks',
    '/api/virtualization/virtual-disks/',
    eachSite((site) => machines(site).map((name) => ({ virtual_machine: { name }, name: 'vda', size: 40_000 }))),
  ),
  step(
    'interfaces of machines',
    '/api/virtualization/interfaces/',
    eachSite((site) =>
      machines(site).map((name) => ({
        virtual_machine: { name },
        name: 'eth0',
        mode: 'access',
        untagged_vlan: { vid: 10, group: { slug: site.slug } },
      })),
    ),
  ),
  later('addresses of machines', '/api/ipam/ip-addresses/', SITES.length * MACHINES, async (api) => {
    const port = await idsOf(api, '/api/virtualization/interfaces/', (i) => nameIn(i, 'virtual_machine'));
    return eachSite((site) =>
      machines(site).map((name, i) => ({
        address: address(site.n, i),
        assigned_object_type: 'virtualization.vminterface',
        assigned_object_id: port(name),
        dns_name: `${name}.example.net`,
        tenant: { slug: 'web-shop' },
      })),
    );
  }),
  later(
    'primary addresses of machines',
    '/api/virtualization/virtual-machines/',
    SITES.length * MACHINES,
    async (api) => {
      const machine = await idsOf(api, '/api/virtualization/virtual-machines/', (m) => String(m['name']));
      const ip = await idsOf(api, '/api/ipam/ip-addresses/', (a) => String(a['address']));
      return eachSite((site) =>
        machines(site).map((name, i) => ({ id: machine(name), primary_ip4: ip(address(site.n, i)) })),
      );
    },
    true,
  ),
  later('services', '/api/ipam/services/', SITES.length, async (api) => {
    const machine = await idsOf(api, '/api/virtualization/virtual-machines/', (m) => String(m['name']));
    return SITES.map((site) => ({
      name: 'Shop',
      protocol: 'tcp',
      ports: [80, 443],
      parent_object_type: 'virtualization.virtualmachine',
      parent_object_id: machine(machines(site)[0]!),
    }));
  }),
  step('config contexts', '/api/extras/config-contexts/', [
    { name: 'Time servers', weight: 100, data: { ntp: ['192.0.2.1', '192.0.2.2'] }, regions: [{ slug: 'europe' }] },
    { name: 'Web shop', weight: 200, data: { monitoring: { http: true } }, tenants: [{ slug: 'web-shop' }] },
  ]),
  later('journal', '/api/extras/journal-entries/', SITES.length, async (api) => {
    const site = await idsOf(api, '/api/dcim/sites/', (s) => String(s['slug']));
    return SITES.map(({ slug }) => ({
      assigned_object_type: 'dcim.site',
      assigned_object_id: site(slug),
      kind: 'info',
      comments: 'Made by the demo.',
    }));
  }),
];
