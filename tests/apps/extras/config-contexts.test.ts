import { afterEach, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const contexts = '/api/extras/config-contexts/';
const machines = '/api/virtualization/virtual-machines/';
const devices = '/api/dcim/devices/';
const named = (kind: string) => {
  const name = unique(kind);
  return { name, slug: name };
};
const make = (path: string, more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(path, { ...named('thing'), ...more });

// A context without assignments applies to everything that other tests make, so none is left behind.
const made: number[] = [];
afterEach(async () => {
  if (made.length)
    await used.admin.delete(
      contexts,
      made.splice(0).map((id) => ({ id })),
    );
});
async function context(data: unknown, more: Record<string, unknown> = {}): Promise<Body> {
  const one = await used.admin.make(contexts, { name: unique('context'), data, ...more });
  made.push(one.id);
  return one;
}
const contextOf = async (path: string, object: Body): Promise<Body> =>
  (await used.admin.read(`${path}${object.id}/`)).config_context;

/** Objects with which every kind of assignment can be matched. */
async function world() {
  const above = await make('/api/dcim/regions/');
  const region = await make('/api/dcim/regions/', { parent: above.id });
  const group = await make('/api/dcim/site-groups/');
  const site = await make('/api/dcim/sites/', { region: region.id, group: group.id });
  const location = await make('/api/dcim/locations/', { site: site.id });
  const roles = await make('/api/dcim/device-roles/');
  const role = await make('/api/dcim/device-roles/', { parent: roles.id });
  const platforms = await make('/api/dcim/platforms/');
  const platform = await make('/api/dcim/platforms/', { parent: platforms.id });
  const tenantGroup = await make('/api/tenancy/tenant-groups/');
  const tenant = await make('/api/tenancy/tenants/', { group: tenantGroup.id });
  const clusterType = await make('/api/virtualization/cluster-types/');
  const clusterGroup = await make('/api/virtualization/cluster-groups/');
  const cluster = await used.admin.make('/api/virtualization/clusters/', {
    name: unique('cluster'),
    type: clusterType.id,
    group: clusterGroup.id,
    scope_type: 'dcim.site',
    scope_id: site.id,
  });
  const tag = await make('/api/extras/tags/');
  const manufacturer = await make('/api/dcim/manufacturers/');
  const deviceType = await used.admin.make('/api/dcim/device-types/', {
    manufacturer: manufacturer.id,
    model: unique('model'),
    slug: unique('model'),
  });
  const common = {
    role: role.id,
    platform: platform.id,
    tenant: tenant.id,
    cluster: cluster.id,
    site: site.id,
    tags: [tag.id],
  };
  const vm = await used.admin.make(machines, { name: unique('vm'), ...common });
  const device = await used.admin.make(devices, {
    name: unique('device'),
    device_type: deviceType.id,
    location: location.id,
    ...common,
  });
  return {
    above,
    region,
    group,
    site,
    location,
    roles,
    role,
    platforms,
    platform,
    tenantGroup,
    tenant,
    clusterType,
    clusterGroup,
    cluster,
    tag,
    deviceType,
    vm,
    device,
  };
}

test('every assignment must be met; one that names nothing is; parents of trees count', async () => {
  const here = await world();
  const there = await world();
  const shared: [string, Body, Body][] = [
    ['regions', here.region, there.region],
    ['regions', here.above, there.above],
    ['site_groups', here.group, there.group],
    ['sites', here.site, there.site],
    ['roles', here.role, there.role],
    ['roles', here.roles, there.roles],
    ['platforms', here.platform, there.platform],
    ['platforms', here.platforms, there.platforms],
    ['cluster_types', here.clusterType, there.clusterType],
    ['cluster_groups', here.clusterGroup, there.clusterGroup],
    ['clusters', here.cluster, there.cluster],
    ['tenant_groups', here.tenantGroup, there.tenantGroup],
    ['tenants', here.tenant, there.tenant],
  ];
  const expected: Record<string, boolean> = {};
  const key = unique('k').replaceAll('-', '_');
  for (const [i, [name, met, unmet]] of shared.entries()) {
    await context({ [key]: { [`${name}${i}`]: true } }, { [name]: [met.id] });
    await context({ [key]: { [`not ${name}${i}`]: true } }, { [name]: [unmet.id] });
    expected[`${name}${i}`] = true;
  }
  await context({ [key]: { tags: true } }, { tags: [here.tag.slug] });
  await context({ [key]: { 'not tags': true } }, { tags: [there.tag.slug] });
  await context({ [key]: { several: true } }, { sites: [here.site.id, there.site.id], tenants: [here.tenant.id] });
  await context({ [key]: { 'not several': true } }, { sites: [here.site.id], tenants: [there.tenant.id] });
  await context({ [key]: { locations: true } }, { locations: [here.location.id] });
  await context({ [key]: { types: true } }, { device_types: [here.deviceType.id] });
  await context({ [key]: { inactive: true } }, { is_active: false });
  await context({ [key]: { everywhere: true } });
  const all = { ...expected, tags: true, several: true, everywhere: true };
  await eventually(async () => {
    expect((await contextOf(machines, here.vm))[key]).toEqual(all);
    expect((await contextOf(devices, here.device))[key]).toEqual({ ...all, locations: true, types: true });
  });
});

test('heavier contexts come later, then the later in the alphabet, at last the own data; dictionaries are merged', async () => {
  const { vm, site } = await world();
  const sites = { sites: [site.id] };
  const prefix = unique('order');
  const key = unique('k');
  await context({ [key]: { who: 'light', ntp: { servers: [1, 2], key: 'a' } } }, { ...sites, weight: 10 });
  await context({ [key]: { who: 'heavy', ntp: { servers: [3] } } }, { ...sites, weight: 20, name: `${prefix}-a` });
  await context({ [key]: { who: 'later', dns: 'x' } }, { ...sites, weight: 20, name: `${prefix}-b` });
  await eventually(async () => {
    expect((await contextOf(machines, vm))[key]).toEqual({ who: 'later', dns: 'x', ntp: { servers: [3], key: 'a' } });
  });
  await used.admin.patch(`${machines}${vm.id}/`, {
    local_context_data: { [key]: { who: 'itself', ntp: { key: 'b' } } },
  });
  expect((await contextOf(machines, vm))[key]).toEqual({ who: 'itself', dns: 'x', ntp: { servers: [3], key: 'b' } });
  expect(await used.admin.column(`${machines}?local_context_data=true&site_id=${site.id}`)).toEqual([vm.name]);
  expect((await used.admin.patch(`${machines}${vm.id}/`, { local_context_data: [1] })).body).toEqual({
    local_context_data: ['JSON data must be in object form. Example: {"foo": 123}'],
  });
});

test('what changes a context, or what an object leads to, is seen at once by who asks next', async () => {
  const { vm, tenant, site } = await world();
  const other = await make('/api/tenancy/tenants/');
  const key = unique('k');
  const one = await context({ [key]: 1 }, { tenants: [tenant.id] });
  await eventually(async () => {
    expect((await contextOf(machines, vm))[key]).toBe(1);
  });
  await used.admin.patch(`${contexts}${one.id}/`, { data: { [key]: 2 } });
  await eventually(async () => {
    expect((await contextOf(machines, vm))[key]).toBe(2);
  });
  await used.admin.patch(`${machines}${vm.id}/`, { tenant: other.id });
  expect((await contextOf(machines, vm))[key]).toBeUndefined();
  const region = await make('/api/dcim/regions/');
  await context({ [key]: 3 }, { regions: [region.id] });
  await used.admin.patch(`/api/dcim/sites/${site.id}/`, { region: region.id });
  await eventually(async () => {
    expect((await contextOf(machines, vm))[key]).toBe(3);
  });
});

test('a write answers what a read shows then', async () => {
  const { vm, device, site } = await world();
  const other = await make('/api/tenancy/tenants/');
  const key = unique('k');
  await context({ [key]: 'of the site' }, { sites: [site.id] });
  await context({ [key]: 'of the tenant' }, { tenants: [other.id], weight: 2000 });
  for (const [path, like] of [
    [machines, vm],
    [devices, device],
  ] as const) {
    const given = path === devices ? { device_type: like.device_type.id, role: like.role.id } : {};
    const made = (more: object) =>
      used.admin.make(path, { name: unique('made'), site: site.id, ...given, ...more }) as Promise<Body>;
    await eventually(async () => {
      expect((await contextOf(path, like))[key]).toBe('of the site');
      expect((await contextOf(path, await made({ tenant: other.id })))[key]).toBe('of the tenant');
    });
    const one = await made({});
    expect(one.config_context[key]).toBe('of the site');
    const { body } = await used.admin.patch(`${path}${one.id}/`, { tenant: other.id });
    expect(body.config_context[key]).toBe('of the tenant');
    expect(body.config_context[key]).toBe((await contextOf(path, one))[key]);
  }
});

test('a client that does not want it says so', async () => {
  const { vm } = await world();
  expect(await used.admin.read(`${machines}${vm.id}/?exclude=config_context`)).not.toHaveProperty('config_context');
  const { results } = await used.admin.read(`${machines}?id=${vm.id}&exclude=config_context`);
  expect(results[0]).not.toHaveProperty('config_context');
});

test('configurations are rendered by the own template, that of the role, or that of the platform', async () => {
  const { vm, device, role, platform } = await world();
  const path = `${machines}${vm.id}/render-config/`;
  expect((await used.admin.post(path, {})).body).toEqual({
    error: 'No config template found for this virtualmachine.',
  });
  expect((await used.admin.post(`${devices}${device.id}/render-config/`, {})).body).toEqual({
    error: 'No config template found for this device.',
  });
  const template = (code: string): Promise<Body> =>
    used.admin.make('/api/extras/config-templates/', { name: unique('template'), template_code: code });
  const [byPlatform, byRole, own] = [
    await template('platform {{ virtualmachine.platform.slug }}'),
    await template('role {{ device.name or virtualmachine.name }}'),
    await template('{{ greeting }} {{ virtualmachine.name }} {{ ntp | join(",") }}'),
  ];
  await used.admin.patch(`/api/dcim/platforms/${platform.id}/`, { config_template: byPlatform.id });
  await eventually(async () => {
    expect((await used.admin.post(path)).body).toMatchObject({
      configtemplate: { id: byPlatform.id, name: byPlatform.name },
      content: `platform ${platform.slug}`,
    });
  });
  await used.admin.patch(`/api/dcim/device-roles/${role.id}/`, { config_template: byRole.id });
  await eventually(async () => {
    expect((await used.admin.post(path)).body.content).toBe(`role ${vm.name}`);
    expect((await used.admin.post(`${devices}${device.id}/render-config/`)).body.content).toBe(`role ${device.name}`);
  });
  await used.admin.patch(`${machines}${vm.id}/`, {
    config_template: own.id,
    local_context_data: { ntp: ['a', 'b'], greeting: 'dear' },
  });
  expect((await used.admin.post(path, {})).body).toMatchObject({ content: `dear ${vm.name} a,b` });
  const plain = await used.admin.post(path, { greeting: 'hello' }, { Accept: 'text/plain' });
  expect([plain.status, plain.text]).toEqual([200, `hello ${vm.name} a,b`]);
  expect(plain.headers.get('content-type')).toMatch(/^text\/plain/);
  expect((await used.admin.post(path, [1])).status).toBe(400);
  await used.admin.patch(`/api/extras/config-templates/${own.id}/`, { template_code: '{{ 1 / 0 }}' });
  await eventually(async () => {
    expect((await used.admin.post(path)).body).toEqual({
      detail: expect.stringMatching(
        /^The config template could not be rendered: division by zero \(line 1, column \d+\)$/,
      ),
    });
  });
  expect((await used.admin.get(path)).status).toBe(405);
});

test('configurations are rendered by the template that is named', async () => {
  const { vm, device } = await world();
  const types = ['virtualization.virtualmachine', 'dcim.device'];
  const template = (code: string): Promise<Body> =>
    used.admin.make('/api/extras/config-templates/', { name: unique('template'), template_code: code });
  const own = await template('own');
  const named = await template('{{ word }} {{ config_template_id is defined }}');
  const mayRender = { types, actions: ['view', 'render_config'] };
  await used.admin.patch(`${machines}${vm.id}/`, { config_template: own.id });
  const blind = await userWith(used.admin, mayRender);
  const sees = await userWith(used.admin, mayRender, {
    types: ['extras.configtemplate'],
    actions: ['view'],
    constraints: { name: named.name },
  });
  for (const path of [`${machines}${vm.id}/render-config/`, `${devices}${device.id}/render-config/`]) {
    const render = async (config_template_id: unknown, { client } = { client: used.admin }) => {
      const { status, body } = await client.post(path, { word: 'as', config_template_id });
      return [status, body.content ?? body.error];
    };
    // What was created a moment ago is taken into account, too.
    const fresh = await template('fresh');
    expect(await render(fresh.id)).toEqual([200, 'fresh']);
    for (const id of [named.id, String(named.id)]) expect(await render(id, sees)).toEqual([200, 'as False']);
    for (const id of [999_999_999, 'x', 1.5, -1, [1], 10 ** 19])
      expect(await render(id)).toEqual([400, `Config template with ID ${Array.isArray(id) ? '[1]' : id} not found.`]);
    expect(await render(named.id, blind)).toEqual([400, `Config template with ID ${named.id} not found.`]);
    expect(await render(own.id, sees)).toEqual([400, `Config template with ID ${own.id} not found.`]);
  }
  expect((await used.admin.post(`${machines}${vm.id}/render-config/`, { config_template_id: null })).body.content).toBe(
    'own',
  );
});

test('rendering needs a permission of its own, beside that to see the object', async () => {
  const [mine, other] = [await world(), await world()];
  const types = ['virtualization.virtualmachine'];
  const template = await used.admin.make('/api/extras/config-templates/', {
    name: unique('template'),
    template_code: 'name {{ virtualmachine.name }}',
  });
  for (const { vm } of [mine, other]) await used.admin.patch(`${machines}${vm.id}/`, { config_template: template.id });
  const sees = await userWith(used.admin, { types, actions: ['view'] });
  const renders = await userWith(
    used.admin,
    { types, actions: ['view'] },
    { types, actions: ['render_config'], constraints: { name: mine.vm.name } },
  );
  const blind = await userWith(used.admin, { types, actions: ['render_config'] });
  for (const { client } of [sees, blind])
    expect(await client.post(`${machines}${mine.vm.id}/render-config/`)).toMatchObject({
      status: 404,
      body: { detail: 'No VirtualMachine matches the given query.' },
    });
  expect((await renders.client.post(`${machines}${mine.vm.id}/render-config/`)).body).toMatchObject({
    content: `name ${mine.vm.name}`,
  });
  expect((await renders.client.post(`${machines}${other.vm.id}/render-config/`)).status).toBe(404);
});
