import { beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { type Bench, openBench } from '../../support/objects/plant.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const panels = '/api/dcim/power-panels/';
const feeds = '/api/dcim/power-feeds/';
let bench: Bench;
beforeAll(async () => {
  bench = await openBench(used.admin);
});

const panel = (more: object = {}): Promise<Body> =>
  used.admin.make(panels, { site: bench.site.id, name: unique('PP'), ...more });
const feed = async (more: object = {}): Promise<Body> =>
  used.admin.make(feeds, { power_panel: (await panel()).id, name: unique('PF'), ...more });
const site = (): Promise<Body> => {
  const slug = unique('s');
  return used.admin.make('/api/dcim/sites/', { name: slug, slug });
};

test('a panel stands in a site, or in a location of it', async () => {
  const elsewhere = await site();
  const slug = unique('hall');
  const hall = await used.admin.make('/api/dcim/locations/', { name: slug, slug, site: elsewhere.id });
  const name = unique('PP');
  expect((await used.admin.post(panels, { site: bench.site.id, location: hall.id, name })).body).toEqual({
    __all__: [`Location ${slug} (${elsewhere.name}) is in a different site than ${bench.site.name}`],
  });
  expect(await used.admin.make(panels, { site: elsewhere.id, location: hall.id, name })).toMatchObject({
    location: { id: hall.id },
    powerfeed_count: 0,
  });
  expect((await used.admin.post(panels, { site: elsewhere.id, name })).body).toEqual({
    __all__: ['Power panel with this Site and Name already exists.'],
  });
  expect(await used.admin.column(`${panels}?location_id=${hall.id}`)).toEqual([name]);
});

test('a feed has usual values, and knows what it can give', async () => {
  const made = await feed();
  expect(made).toMatchObject({
    status: { value: 'active' },
    type: { value: 'primary' },
    supply: { value: 'ac' },
    phase: { value: 'single-phase' },
    voltage: 120,
    amperage: 15,
    max_utilization: 80,
    mark_connected: false,
    cable: null,
    cable_end: null,
    link_peers: [],
    link_peers_type: null,
    connected_endpoints: null,
    connected_endpoints_type: null,
    connected_endpoints_reachable: false,
    _occupied: false,
  });
  const three = await feed({ voltage: 230, amperage: 16, phase: 'three-phase' });
  expect(
    await used.admin.column(`${feeds}?available_power=${Math.round(230 * 16 * 0.8 * 1.732)}&id=${three.id}`, 'id'),
  ).toEqual([three.id]);
  expect((await used.admin.read(`${panels}${made.power_panel.id}/`)).powerfeed_count).toBe(1);
  expect((await used.admin.delete(made.power_panel.url)).status).toBe(409);
});

test('a feed has voltage, and a sign of it only with direct current', async () => {
  const { id } = await panel();
  const body = (more: object) => ({ power_panel: id, name: unique('PF'), ...more });
  expect((await used.admin.post(feeds, body({ voltage: 0 }))).body).toEqual({ voltage: ['This value may not be 0.'] });
  expect((await used.admin.post(feeds, body({ voltage: -48 }))).body).toEqual({
    voltage: ['Voltage cannot be negative for AC supply'],
  });
  expect((await used.admin.make(feeds, body({ voltage: -48, supply: 'dc' }))).voltage).toBe(-48);
  expect((await used.admin.post(feeds, body({ amperage: 0, max_utilization: 101 }))).body).toEqual({
    amperage: ['Ensure this value is greater than or equal to 1.'],
    max_utilization: ['Ensure this value is less than or equal to 100.'],
  });
});

test('a feed goes to a rack of the site of its panel', async () => {
  const elsewhere = await site();
  const rack = await used.admin.make('/api/dcim/racks/', { name: unique('R'), site: elsewhere.id });
  const own = await panel();
  expect((await used.admin.post(feeds, { power_panel: own.id, name: unique('PF'), rack: rack.id })).body).toEqual({
    __all__: [
      `Rack ${rack.name} (${elsewhere.name}) and power panel ${own.name} (${bench.site.name}) are in different sites.`,
    ],
  });
  const near = await used.admin.make('/api/dcim/racks/', { name: unique('R'), site: bench.site.id });
  const made = await feed({ rack: near.id });
  expect(await used.admin.column(`${feeds}?rack_id=${near.id}&site=${bench.site.slug}`, 'id')).toEqual([made.id]);
});

test('power leads from a feed to an inlet, and from an outlet to the next', async () => {
  const unit = await bench.device();
  const server = await bench.device();
  const [inlet, outlet, plug] = [
    await bench.part(unit, 'power-ports'),
    await bench.part(unit, 'power-outlets'),
    await bench.part(server, 'power-ports'),
  ];
  const source = await feed();
  const first = await bench.cable(inlet, source);
  const second = await bench.cable(outlet, plug);
  expect(await used.admin.read(source.url)).toMatchObject({
    connected_endpoints_type: 'dcim.powerport',
    connected_endpoints: [{ id: inlet.id }],
    connected_endpoints_reachable: true,
    link_peers: [{ id: inlet.id }],
  });
  expect(await used.admin.read(`${source.url}trace/`)).toMatchObject([
    [[{ id: source.id }], { id: first.id, status: 'connected' }, [{ id: inlet.id }]],
  ]);
  expect(await used.admin.read(`${plug.url}trace/`)).toMatchObject([
    [[{ id: plug.id }], { id: second.id }, [{ id: outlet.id }]],
  ]);
  expect(await used.admin.column(`${feeds}?connected=true&id=${source.id}`, 'id')).toEqual([source.id]);
  expect(await used.admin.column(`/api/dcim/cables/?powerfeed_id=${source.id}`, 'id')).toEqual([first.id]);
  expect(
    await used.admin.column(`/api/dcim/cables/?site_id=${bench.site.id}&poweroutlet_id=${outlet.id}`, 'id'),
  ).toEqual([second.id]);
});
