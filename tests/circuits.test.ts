import { describe, expect, test } from '@jest/globals';
import type { Body } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { useSystem } from './support/system.ts';
import { unique } from './support/unique.ts';

const used = useSystem();
const api = (path: string): string => `/api/circuits/${path}/`;
const [providers, accounts, networks, types, circuits, terminations, groups, members, virtualTypes, virtuals, ends] = [
  'providers',
  'provider-accounts',
  'provider-networks',
  'circuit-types',
  'circuits',
  'circuit-terminations',
  'circuit-groups',
  'circuit-group-assignments',
  'virtual-circuit-types',
  'virtual-circuits',
  'virtual-circuit-terminations',
].map(api) as [string, string, string, string, string, string, string, string, string, string, string];

const named = (path: string, more: Record<string, unknown> = {}): Promise<Body> => {
  const slug = unique('x');
  return used.admin.make(path, { name: slug, slug, ...more });
};
const network = async (provider: number, more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(networks, { provider, name: unique('net'), ...more });
const circuit = async (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(circuits, {
    cid: unique('C'),
    provider: (await named(providers)).id,
    type: (await named(types)).id,
    ...more,
  });
/** A device of its own with interfaces of the given types. */
const interfaces = async (...kinds: string[]): Promise<Body[]> => {
  const maker = await named('/api/dcim/manufacturers/'),
    slug = unique('type');
  const type = await used.admin.make('/api/dcim/device-types/', { manufacturer: maker.id, model: slug, slug });
  const device = await used.admin.make('/api/dcim/devices/', {
    name: unique('r'),
    device_type: type.id,
    role: (await named('/api/dcim/device-roles/')).id,
    site: (await named('/api/dcim/sites/')).id,
  });
  return Promise.all(
    kinds.map((kind, i) => used.admin.make('/api/dcim/interfaces/', { device: device.id, name: `if${i}`, type: kind })),
  );
};
const refused = async (path: string, body: object): Promise<Body> => {
  const { status, body: errors } = await used.admin.post(path, body);
  return [status, errors];
};
const end = (of: number, side: string, type: string, id: number, more: object = {}): Promise<Body> =>
  used.admin.make(terminations, { circuit: of, term_side: side, termination_type: type, termination_id: id, ...more });

describe('providers', () => {
  test('show their accounts and take over those that are named', async () => {
    const [one, other] = [await named(providers), await named(providers)];
    const account = await used.admin.make(accounts, { provider: one.id, account: unique('A'), name: 'main' });
    expect(account.display).toBe(`${account.account} (main)`);
    expect((await used.admin.read(`${providers}${one.id}/`)).accounts).toEqual([
      {
        id: account.id,
        url: account.url,
        display_url: account.display_url,
        display: account.display,
        name: 'main',
        account: account.account,
      },
    ]);
    expect(
      (await used.admin.patch(`${providers}${other.id}/`, { accounts: [account.id] })).body.accounts,
    ).toMatchObject([{ id: account.id }]);
    expect((await used.admin.read(`${accounts}${account.id}/`)).provider.id).toBe(other.id);
    // An account belongs to some provider, so leaving it out changes nothing.
    expect((await used.admin.patch(`${providers}${other.id}/`, { accounts: [] })).body.accounts).toHaveLength(1);
    const twin = await used.admin.make(accounts, { provider: one.id, account: account.account });
    const { status, body } = await used.admin.patch(`${providers}${other.id}/`, { accounts: [twin.id] });
    expect([status, body]).toEqual([
      400,
      { accounts: ['Provider account with this Provider and Account already exists.'] },
    ]);
    const third = await named(providers);
    expect((await used.admin.patch(`${providers}${third.id}/`, { accounts: [account.id, twin.id] })).body).toEqual(
      body,
    );
    expect((await used.admin.read(`${accounts}${twin.id}/`)).provider.id).toBe(one.id);
  });

  test('have accounts and networks whose names differ', async () => {
    const { id } = await named(providers),
      account = unique('A'),
      name = unique('n');
    expect((await used.admin.make(accounts, { provider: id, account, name })).display).toBe(`${account} (${name})`);
    expect((await used.admin.make(accounts, { provider: id, account: unique('B') })).name).toBe('');
    await used.admin.make(accounts, { provider: id, account: unique('B') });
    expect(await refused(accounts, { provider: id, account })).toEqual([
      400,
      { __all__: ['Provider account with this Provider and Account already exists.'] },
    ]);
    expect(await refused(accounts, { provider: id, account: unique('C'), name })).toEqual([
      400,
      { __all__: ['Provider account with this Provider and Name already exists.'] },
    ]);
    await network(id, { name });
    expect(await refused(networks, { provider: id, name })).toEqual([
      400,
      { __all__: ['Provider network with this Provider and Name already exists.'] },
    ]);
    expect((await used.admin.delete(`${providers}${id}/`)).status).toBe(409);
  });
});

describe('circuits', () => {
  test('are shown with their fields in order', async () => {
    const made = await circuit({
      install_date: '2026-01-01',
      commit_rate: 100_000,
      distance: 12.5,
      distance_unit: 'km',
    });
    expect(Object.keys(made)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'cid',
      'provider',
      'provider_account',
      'type',
      'status',
      'tenant',
      'install_date',
      'termination_date',
      'commit_rate',
      'description',
      'distance',
      'distance_unit',
      'termination_a',
      'termination_z',
      'owner',
      'comments',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
    ]);
    expect(made).toMatchObject({
      display: made.cid,
      status: { value: 'active' },
      distance: 12.5,
      distance_unit: { value: 'km', label: 'Kilometers' },
      termination_a: null,
    });
    expect((await used.admin.read(`${circuits}?brief=true&id=${made.id}`)).results).toEqual([
      {
        id: made.id,
        url: made.url,
        display: made.cid,
        cid: made.cid,
        provider: {
          id: made.provider.id,
          url: made.provider.url,
          display: made.provider.name,
          name: made.provider.name,
          slug: made.provider.slug,
          description: '',
        },
        description: '',
      },
    ]);
    expect(await used.admin.column(`${circuits}?q=${made.cid}`, 'id')).toEqual([made.id]);
  });

  test('are ordered with the provider that bills the account, once by each', async () => {
    const [one, other, type] = [await named(providers), await named(providers), await named(types)];
    const account = await used.admin.make(accounts, { provider: one.id, account: unique('A') });
    const made = await circuit({ provider: one.id, type: type.id, provider_account: account.id });
    expect(
      await refused(circuits, { cid: unique(), provider: other.id, type: type.id, provider_account: account.id }),
    ).toEqual([400, { provider_account: ['The assigned account must belong to the assigned provider.'] }]);
    expect(
      (await refused(circuits, { cid: made.cid, provider: one.id, type: type.id, provider_account: account.id }))[1],
    ).toEqual({
      __all__: [
        'Circuit with this Provider and Circuit ID already exists.',
        'Circuit with this Provider account and Circuit ID already exists.',
      ],
    });
    expect((await circuit({ cid: made.cid, provider: other.id })).cid).toBe(made.cid);
    expect(await used.admin.column(`${circuits}?provider_account=${account.account}`, 'id')).toEqual([made.id]);
    expect(await used.admin.column(`${types}?id=${type.id}`, 'circuit_count')).toEqual([1]);
  });

  test('have a distance with a unit', async () => {
    expect(
      await refused(circuits, {
        cid: unique(),
        provider: (await named(providers)).id,
        type: (await named(types)).id,
        distance: 5,
      }),
    ).toEqual([400, { __all__: ['Must specify a unit when setting a distance'] }]);
    expect(await circuit({ distance_unit: 'mi' })).toMatchObject({ distance: null, distance_unit: null });
    expect((await used.admin.post(circuits, { cid: unique(), assignments: [1] })).body).toHaveProperty('assignments');
  });

  test('sort by provider, account and number', async () => {
    const name = unique('ZZ'),
      [b, a] = [await named(providers, { name: `${name}-b` }), await named(providers, { name: `${name}-a` })];
    const made = [
      await circuit({ provider: b.id, cid: '1' }),
      await circuit({ provider: b.id, cid: '0' }),
      await circuit({ provider: a.id, cid: '9' }),
    ];
    expect(await used.admin.column(`${circuits}?${made.map(({ id }) => `id=${id}`).join('&')}`, 'cid')).toEqual([
      '9',
      '0',
      '1',
    ]);
  });
});

describe('terminations', () => {
  test('are the ends of their circuit', async () => {
    const { id, cid, provider } = await circuit(),
      site = await named('/api/dcim/sites/'),
      cloud = await network(provider.id);
    const a = await end(id, 'A', 'dcim.site', site.id, { port_speed: 1_000_000 }),
      z = await end(id, 'Z', 'circuits.providernetwork', cloud.id);
    expect(a).toMatchObject({
      display: `${cid}: Termination A`,
      term_side: 'A',
      termination: { id: site.id, slug: site.slug },
      port_speed: 1_000_000,
      cable: null,
      cable_end: null,
      mark_connected: false,
      _occupied: false,
    });
    expect(await used.admin.read(`${circuits}${id}/`)).toMatchObject({
      termination_a: {
        id: a.id,
        display: `${cid}: Termination A`,
        termination_type: 'dcim.site',
        termination: { id: site.id },
        port_speed: 1_000_000,
      },
      termination_z: { id: z.id, termination: { id: cloud.id } },
    });
    expect(Object.keys((await used.admin.read(`${circuits}${id}/`)).termination_a)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'termination_type',
      'termination_id',
      'termination',
      'port_speed',
      'upstream_speed',
      'xconnect_id',
      'description',
    ]);
    expect(await used.admin.column(`${circuits}?termination_a_id=${a.id}`, 'id')).toEqual([id]);
    const other = await circuit();
    expect((await used.admin.patch(`${terminations}${a.id}/`, { circuit: other.id, term_side: 'Z' })).status).toBe(200);
    expect(await used.admin.read(`${circuits}${id}/`)).toMatchObject({
      termination_a: null,
      termination_z: { id: z.id },
    });
    expect(await used.admin.read(`${circuits}${other.id}/`)).toMatchObject({
      termination_a: null,
      termination_z: { id: a.id },
    });
    expect((await used.admin.delete(`${terminations}${a.id}/`)).status).toBe(204);
    expect(await used.admin.read(`${circuits}${other.id}/`)).toMatchObject({ termination_z: null });
    expect((await used.admin.patch(`${circuits}${id}/`, { cid: `${cid}!` })).status).toBe(200);
    expect((await used.admin.read(`${terminations}${z.id}/`)).display).toBe(`${cid}!: Termination Z`);
  });

  test('are somewhere, one on each side', async () => {
    const { id } = await circuit(),
      site = await named('/api/dcim/sites/');
    await end(id, 'A', 'dcim.site', site.id);
    const body = { circuit: id, term_side: 'Z', termination_type: 'dcim.site', termination_id: site.id };
    expect(await refused(terminations, { ...body, term_side: 'A' })).toEqual([
      400,
      { __all__: ['Circuit termination with this Circuit and Termination side already exists.'] },
    ]);
    expect(await refused(terminations, { circuit: id, term_side: 'Z' })).toEqual([
      400,
      { __all__: ['A circuit termination must attach to a terminating object.'] },
    ]);
    expect((await refused(terminations, { ...body, termination_type: 'dcim.manufacturer' }))[1]).toHaveProperty(
      'termination_type',
    );
    expect((await refused(terminations, { ...body, termination_id: 999_999 }))[1]).toHaveProperty('termination_id');
    expect(await refused(terminations, { ...body, term_side: 'B' })).toEqual([
      400,
      { term_side: ['B is not a valid choice.'] },
    ]);
  });

  test('find circuits and providers by place, and places count them', async () => {
    const region = await named('/api/dcim/regions/'),
      site = await named('/api/dcim/sites/', { region: (await named('/api/dcim/regions/', { parent: region.id })).id });
    const location = await named('/api/dcim/locations/', { site: site.id }),
      made = await circuit(),
      cloud = await network(made.provider.id);
    const a = await end(made.id, 'A', 'dcim.location', location.id);
    await end(made.id, 'Z', 'circuits.providernetwork', cloud.id);
    for (const filter of [
      `location_id=${location.id}`,
      `site=${site.slug}`,
      `site_id=${site.id}`,
      `region=${region.slug}`,
      `provider_network_id=${cloud.id}`,
    ]) {
      await eventually(async () => {
        expect([filter, await used.admin.column(`${circuits}?${filter}`, 'id')]).toEqual([filter, [made.id]]);
      });
    }
    await eventually(async () =>
      expect(await used.admin.column(`${providers}?region_id=${region.id}`, 'id')).toEqual([made.provider.id]),
    );
    expect(await used.admin.column(`${terminations}?site_id=${site.id}&provider=${made.provider.slug}`, 'id')).toEqual([
      a.id,
    ]);
    expect(await used.admin.column(`${terminations}?q=${made.cid}`, 'term_side')).toEqual(['A', 'Z']);
    await eventually(async () => {
      expect((await used.admin.read(`/api/dcim/sites/${site.id}/`)).circuit_count).toBe(1);
    });
  });

  test('go with their place and their circuit, and protect a provider network', async () => {
    const made = await circuit(),
      cloud = await network(made.provider.id),
      site = await named('/api/dcim/sites/');
    const [a, z] = [
      await end(made.id, 'A', 'dcim.site', site.id),
      await end(made.id, 'Z', 'circuits.providernetwork', cloud.id),
    ];
    expect((await used.admin.delete(`${networks}${cloud.id}/`)).status).toBe(409);
    expect((await used.admin.delete(`/api/dcim/sites/${site.id}/`)).status).toBe(204);
    await eventually(async () => {
      expect((await used.admin.get(`${terminations}${a.id}/`)).status).toBe(404);
    });
    expect(await used.admin.read(`${circuits}${made.id}/`)).toMatchObject({
      termination_a: null,
      termination_z: { id: z.id },
    });
    expect((await used.admin.delete(`${circuits}${made.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${terminations}${z.id}/`)).status).toBe(404);
    expect((await used.admin.delete(`${networks}${cloud.id}/`)).status).toBe(204);
  });
});

describe('groups', () => {
  test('have circuits and virtual circuits as members', async () => {
    const group = await named(groups),
      one = await circuit(),
      cloud = await network(one.provider.id);
    const virtual = await used.admin.make(virtuals, {
      cid: unique('V'),
      provider_network: cloud.id,
      type: (await named(virtualTypes)).id,
    });
    const made = await used.admin.make(members, {
      group: group.id,
      member_type: 'circuits.circuit',
      member_id: one.id,
      priority: 'primary',
    });
    expect(made).toMatchObject({
      display: `${group.name} (Primary)`,
      group: { id: group.id },
      member: { id: one.id, cid: one.cid },
      priority: { value: 'primary', label: 'Primary' },
    });
    const other = await used.admin.make(members, {
      group: group.id,
      member_type: 'circuits.virtualcircuit',
      member_id: virtual.id,
    });
    expect(other).toMatchObject({ display: group.name, priority: null });
    expect((await used.admin.read(`${groups}${group.id}/`)).circuit_count).toBe(2);
    for (const [filter, ids] of [
      [`circuit=${one.cid}`, [made.id]],
      [`circuit_id=${one.id}&group=${group.slug}`, [made.id]],
      [`virtual_circuit=${virtual.cid}`, [other.id]],
      [`provider=${one.provider.slug}`, [made.id, other.id]],
      [`provider_id=${one.provider.id}`, [made.id, other.id]],
      ['circuit_id=999999', []],
    ] as const) {
      expect([filter, await used.admin.column(`${members}?${filter}`, 'id')]).toEqual([filter, ids]);
    }
    expect(await refused(members, { group: group.id, member_type: 'circuits.circuit', member_id: one.id })).toEqual([
      400,
      { __all__: ['Circuit group assignment with this Member type, Member ID and Group already exists.'] },
    ]);
    expect(
      (await refused(members, { group: group.id, member_type: 'circuits.provider', member_id: one.provider.id }))[1],
    ).toHaveProperty('member_type');
    expect((await used.admin.delete(`${circuits}${one.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${members}${made.id}/`)).status).toBe(404);
    expect((await used.admin.delete(`${groups}${group.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${members}${other.id}/`)).status).toBe(404);
  });
});

describe('virtual circuits', () => {
  test('are billed by the provider of their network', async () => {
    const [one, other, type] = [await named(providers), await named(providers), await named(virtualTypes)],
      cloud = await network(one.id);
    const [right, wrong] = [
      await used.admin.make(accounts, { provider: one.id, account: unique('A') }),
      await used.admin.make(accounts, { provider: other.id, account: unique('A') }),
    ];
    const body = { cid: unique('V'), provider_network: cloud.id, type: type.id };
    expect(await refused(virtuals, { ...body, provider_account: wrong.id })).toEqual([
      400,
      { provider_account: ['The assigned account must belong to the provider of the assigned network.'] },
    ]);
    const made = await used.admin.make(virtuals, { ...body, provider_account: right.id });
    expect(await refused(virtuals, body)).toEqual([
      400,
      { __all__: ['Virtual circuit with this Provider network and Circuit ID already exists.'] },
    ]);
    expect(await used.admin.column(`${virtuals}?provider=${one.slug}&provider_account=${right.account}`, 'id')).toEqual(
      [made.id],
    );
    expect((await used.admin.read(`${virtualTypes}${type.id}/`)).virtual_circuit_count).toBe(1);
  });

  test('end at virtual interfaces, each of which ends one', async () => {
    const [one, other, port] = (await interfaces('virtual', 'virtual', '1000base-t')) as [Body, Body, Body];
    const provider = await named(providers),
      cloud = await network(provider.id),
      type = await named(virtualTypes);
    const line = await used.admin.make(virtuals, { cid: unique('V'), provider_network: cloud.id, type: type.id });
    const made = await used.admin.make(ends, { virtual_circuit: line.id, interface: one.id });
    expect(Object.keys(made)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'virtual_circuit',
      'role',
      'interface',
      'description',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
    ]);
    expect(made).toMatchObject({
      display: `${line.cid}: Peer termination`,
      role: { value: 'peer', label: 'Peer' },
      interface: { id: one.id, name: 'if0' },
      virtual_circuit: { id: line.id, cid: line.cid, provider_network: { id: cloud.id } },
    });
    expect(await refused(ends, { virtual_circuit: line.id, interface: one.id })).toEqual([
      400,
      { interface: ['virtual circuit termination with this interface already exists.'] },
    ]);
    expect(await refused(ends, { virtual_circuit: line.id, interface: port.id })).toEqual([
      400,
      { __all__: ['Virtual circuits may be terminated only to virtual interfaces.'] },
    ]);
    const second = await used.admin.make(ends, { virtual_circuit: line.id, interface: other.id, role: 'hub' });
    for (const [filter, ids] of [
      [`interface_id=${one.id}`, [made.id]],
      [`provider=${provider.slug}`, [second.id, made.id]],
      [`provider_network_id=${cloud.id}&role=hub`, [second.id]],
      [`q=${line.cid}`, [second.id, made.id]],
    ] as const) {
      expect([filter, await used.admin.column(`${ends}?${filter}`, 'id')]).toEqual([filter, ids]);
    }
    expect(await used.admin.read(`${ends}${made.id}/paths/`)).toEqual([
      {
        id: line.id,
        path: [[expect.objectContaining({ id: one.id })], [expect.objectContaining({ id: made.id })]],
        is_active: true,
        is_complete: false,
        is_split: false,
      },
    ]);
    expect((await used.admin.patch(`${ends}${made.id}/`, { role: 'spoke' })).status).toBe(200);
    expect(await used.admin.read(`${ends}${made.id}/paths/`)).toMatchObject([
      {
        path: [
          [{ id: one.id, name: 'if0' }],
          [{ id: made.id }],
          [{ id: second.id, role: { value: 'hub' } }],
          [{ id: other.id, name: 'if1' }],
        ],
        is_complete: true,
      },
    ]);
    await eventually(async () => {
      expect(await used.admin.read(`/api/dcim/interfaces/${one.id}/`)).toMatchObject({
        connected_endpoints: [
          {
            id: second.id,
            url: second.url,
            virtual_circuit: { id: line.id },
            role: { value: 'hub' },
            interface: { id: other.id },
          },
        ],
        connected_endpoints_type: 'circuits.virtualcircuittermination',
      });
    });
    expect((await used.admin.get(`${ends}999999/paths/`)).status).toBe(404);
    expect((await used.admin.delete(`/api/dcim/interfaces/${one.id}/`)).status).toBe(204);
    await eventually(async () => {
      expect((await used.admin.get(`${ends}${made.id}/`)).status).toBe(404);
    });
    expect((await used.admin.delete(`${virtuals}${line.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${ends}${second.id}/`)).status).toBe(404);
  });
});

test('a cable at a termination is known there, and forgotten with the cable', async () => {
  const [port] = (await interfaces('1000base-t')) as [Body],
    made = await circuit(),
    site = await named('/api/dcim/sites/');
  const a = await end(made.id, 'A', 'dcim.site', site.id);
  const cable = await used.admin.make('/api/dcim/cables/', {
    a_terminations: [{ object_type: 'dcim.interface', object_id: port.id }],
    b_terminations: [{ object_type: 'circuits.circuittermination', object_id: a.id }],
  });
  await eventually(async () => {
    expect(await used.admin.read(`${terminations}${a.id}/`)).toMatchObject({
      cable: { id: cable.id },
      cable_end: 'B',
      link_peers: [{ id: port.id, name: 'if0' }],
      link_peers_type: 'dcim.interface',
      _occupied: true,
    });
  });
  expect(
    await used.admin.column(`${terminations}?cable_id=${cable.id}&cabled=true&occupied=true&cable_end=B`, 'id'),
  ).toEqual([a.id]);
  await eventually(async () => {
    expect(await used.admin.read(`${terminations}${a.id}/paths/`)).toMatchObject([
      { path: [[{ id: port.id }], [{ id: cable.id }], [{ id: a.id }]], is_complete: false },
    ]);
  });
  expect((await used.admin.patch(`${terminations}${a.id}/`, { mark_connected: true })).body).toEqual({
    mark_connected: ['Cannot mark as connected with a cable attached.'],
  });
  expect((await used.admin.delete(`/api/dcim/cables/${cable.id}/`)).status).toBe(204);
  await eventually(async () => {
    expect(await used.admin.read(`${terminations}${a.id}/`)).toMatchObject({
      cable: null,
      cable_end: null,
      link_peers: [],
      link_peers_type: null,
      _occupied: false,
    });
  });
});
