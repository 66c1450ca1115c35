import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Bench, endOf, openBench } from '../../../support/objects/plant.ts';
import { useSystem } from '../../../support/system.ts';
import { unique } from '../../../support/unique.ts';

const used = useSystem();
const cables = '/api/dcim/cables/';
let bench: Bench;
beforeAll(async () => {
  bench = await openBench(used.admin);
});

const again = (object: Body): Promise<Body> => used.admin.read(object.url);
const refused = async (a: Body[], b: Body[], more: object = {}): Promise<Body> => {
  const { status, body } = await used.admin.post(cables, {
    a_terminations: a.map(endOf),
    b_terminations: b.map(endOf),
    ...more,
  });
  return [status, body];
};
const all = (message: string) => [400, { __all__: [message] }];
const idsOf = async (query: string): Promise<number[]> => used.admin.column(`${cables}?${query}`, 'id');

describe('a cable', () => {
  test('is shown with its ends, and known at them', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const label = unique('L');
    const made = await bench.cable(a, b, { type: 'cat6', label, length: 3, length_unit: 'm', color: 'ff0000' });
    const end = (port: Body, id: number) => ({
      ...endOf(port),
      object: {
        id: port.id,
        display: port.name,
        device: { id: port.device.id },
        cable: { id, display: label },
        _occupied: true,
      },
    });
    expect(made).toMatchObject({
      display: label,
      type: 'cat6',
      status: { value: 'connected', label: 'Connected' },
      profile: null,
      length: 3,
      length_unit: { value: 'm', label: 'Meters' },
      a_terminations: [end(a, made.id)],
      b_terminations: [end(b, made.id)],
    });
    expect(Object.keys(made)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'type',
      'a_terminations',
      'b_terminations',
      'status',
      'profile',
      'tenant',
      'bundle',
      'label',
      'color',
      'length',
      'length_unit',
      'description',
      'owner',
      'comments',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
    ]);
    expect(await again(made)).toEqual(made);
    expect(await again(a)).toMatchObject({
      cable: { id: made.id },
      cable_end: 'A',
      _occupied: true,
      link_peers_type: 'dcim.interface',
      link_peers: [{ id: b.id }],
    });
    expect(await again(b)).toMatchObject({ cable_end: 'B', link_peers: [{ id: a.id }] });
    const { results } = await used.admin.read(`/api/dcim/cable-terminations/?cable=${made.id}`);
    expect(results).toMatchObject([
      {
        display: `Cable ${label} to ${a.name}`,
        cable: made.id,
        cable_end: 'A',
        termination_type: 'dcim.interface',
        termination_id: a.id,
        termination: { id: a.id },
        connector: null,
        positions: null,
      },
      { cable_end: 'B', termination_id: b.id },
    ]);
    expect((await used.admin.post('/api/dcim/cable-terminations/', {})).status).toBe(405);
  });

  test('is called by its number when it has no label', async () => {
    const made = await bench.cable(await bench.port(), await bench.port());
    expect(made.display).toBe(`#${made.id}`);
  });

  test('is shown inside the answer to its own change as it is now', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const made = await bench.cable(a, b, { label: unique('old') });
    // The change records of both have the old label.
    for (const port of [a, b]) expect((await again(port)).link_peers[0].cable.label).toBe(made.label);
    const label = unique('new');
    const { body } = await used.admin.patch(made.url, { label });
    expect(
      [...body.a_terminations, ...body.b_terminations].map(({ object }: Body) => [
        object.cable.label,
        object.cable.display,
      ]),
    ).toEqual([
      [label, label],
      [label, label],
    ]);
  });

  test('can be plugged into something else', async () => {
    const [a, b, c] = [await bench.port(), await bench.port(), await bench.port()];
    const made = await bench.cable(a, b);
    const { status, body } = await used.admin.patch(made.url, { b_terminations: [endOf(c)] });
    expect([status, body.b_terminations.map(({ object_id }: Body) => object_id)]).toEqual([200, [c.id]]);
    expect(await again(b)).toMatchObject({
      cable: null,
      cable_end: null,
      link_peers: [],
      link_peers_type: null,
      connected_endpoints: null,
      _occupied: false,
    });
    expect(await again(c)).toMatchObject({
      cable: { id: made.id },
      cable_end: 'B',
      connected_endpoints: [{ id: a.id }],
    });
    // Turned round.
    expect((await used.admin.patch(made.url, { a_terminations: [endOf(c)], b_terminations: [endOf(a)] })).status).toBe(
      200,
    );
    expect([(await again(c)).cable_end, (await again(a)).cable_end]).toEqual(['A', 'B']);
  });

  test('that is deleted leaves its ends free', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const made = await bench.cable(a, b);
    expect((await used.admin.delete(made.url)).status).toBe(204);
    for (const port of [a, b])
      expect(await again(port)).toMatchObject({
        cable: null,
        cable_end: null,
        link_peers: [],
        connected_endpoints: null,
        connected_endpoints_reachable: false,
        _occupied: false,
      });
    await bench.cable(a, b);
  });

  test('stays when something at its end goes, without that end', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const made = await bench.cable(a, b);
    expect((await used.admin.delete(b.url)).status).toBe(204);
    expect(await again(made)).toMatchObject({ a_terminations: [{ object_id: a.id }], b_terminations: [] });
    expect(await again(a)).toMatchObject({ cable: { id: made.id }, link_peers: [], connected_endpoints: null });
    expect(await idsOf(`unterminated=true&id=${made.id}`)).toEqual([made.id]);
    expect((await used.admin.delete(`/api/dcim/devices/${a.device.id}/`)).status).toBe(204);
    expect(await again(made)).toMatchObject({ a_terminations: [], b_terminations: [] });
  });

  test('is recorded, and so is what it is plugged into', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const made = await bench.cable(a, b);
    await eventually(async () => {
      const { results } = await used.admin.read(
        `/api/core/object-changes/?changed_object_type=dcim.interface&changed_object_id=${a.id}`,
      );
      expect(results[0]).toMatchObject({
        action: { value: 'update' },
        postchange_data: { cable: made.id, cable_end: 'A' },
      });
    });
  });
});

describe('ends', () => {
  test('are needed at both sides', async () => {
    expect(await refused([await bench.port()], [])).toEqual(
      all('Must define A and B terminations when creating a new cable.'),
    );
    expect(await refused([], [])).toEqual(all('Must define A and B terminations when creating a new cable.'));
  });
  test('have one cable', async () => {
    const [a, b, c] = [await bench.port(), await bench.port(), await bench.port()];
    const made = await bench.cable(a, b);
    expect(await refused([a], [c])).toEqual(
      all(`Duplicate termination found for dcim.interface ${a.id}: cable ${made.id}`),
    );
    expect((await used.admin.patch(made.url, { a_terminations: [endOf(a)], label: 'same' })).status).toBe(200);
    const twice = await used.admin.post(cables, [
      { a_terminations: [endOf(c)], b_terminations: [endOf(await bench.port())] },
      { a_terminations: [endOf(c)], b_terminations: [endOf(await bench.port())] },
    ]);
    expect(twice.status).toBe(400);
    expect((await again(c)).cable).toBeNull();
  });
  test('fit each other', async () => {
    const device = await bench.device();
    const a = await bench.part(device, 'interfaces');
    const [console_, server, inlet, outlet] = [
      await bench.part(device, 'console-ports'),
      await bench.part(device, 'console-server-ports'),
      await bench.part(device, 'power-ports'),
      await bench.part(device, 'power-outlets'),
    ];
    expect(await refused([a], [console_])).toEqual(all('Incompatible termination types: interface and consoleport'));
    expect(await refused([inlet], [a])).toEqual(all('Incompatible termination types: powerport and interface'));
    expect(await refused([a, console_], [await bench.port()])).toEqual(
      all('Cannot connect different termination types to same end of cable.'),
    );
    expect(await refused([a], [a])).toEqual(all('A and B terminations cannot connect to the same object.'));
    await bench.cable(console_, server);
    await bench.cable(outlet, inlet);
  });
  test('are not virtual, not in the air, and not said to be connected otherwise', async () => {
    const device = await bench.device({ name: unique('r') });
    const fit = await bench.port();
    expect(await refused([await bench.part(device, 'interfaces', { type: 'virtual' })], [fit])).toEqual(
      all('Cables cannot be terminated to Virtual interfaces'),
    );
    expect(await refused([fit], [await bench.part(device, 'interfaces', { type: 'ieee802.11ac' })])).toEqual(
      all('Cables cannot be terminated to IEEE 802.11ac (Wi-Fi 5) interfaces'),
    );
    const marked = await bench.part(device, 'interfaces', { mark_connected: true });
    expect(await refused([fit], [marked])).toEqual(
      all(`Cannot connect a cable to ${device.name} > ${marked.name} because it is marked as connected.`),
    );
    const other = await bench.port();
    await bench.cable(fit, other);
    const { status, body } = await used.admin.patch(other.url, { mark_connected: true });
    expect([status, body]).toEqual([400, { mark_connected: ['Cannot mark as connected with a cable attached.'] }]);
  });
  test.each<[string, object, unknown]>([
    [
      'nothing that is there',
      { object_type: 'dcim.interface', object_id: 999_999_999 },
      { object_id: ['Related object not found using the provided value: 999999999.'] },
    ],
    [
      'nothing that a cable can end at',
      { object_type: 'dcim.site', object_id: 1 },
      { object_type: ['Invalid content type: dcim.site'] },
    ],
    [
      'no type',
      { object_type: 'bogus', object_id: 1 },
      { object_type: ["Invalid value. Specify a content type as '<app_label>.<model_name>'."] },
    ],
    ['nothing', {}, { object_type: ['This field is required.'], object_id: ['This field is required.'] }],
  ])('that name %s are refused', async (_, end, errors) => {
    const { status, body } = await used.admin.post(cables, {
      a_terminations: [endOf(await bench.port())],
      b_terminations: [end],
    });
    expect([status, body]).toEqual([400, { b_terminations: [errors] }]);
  });
});

describe('a profile', () => {
  test('gives ends their connectors and positions', async () => {
    const ports = await Promise.all([1, 2, 3, 4, 5].map(() => bench.port()));
    const made = await bench.cable(ports[0], ports.slice(1), { profile: 'breakout-1c4p-4c1p' });
    const rows = async () =>
      (await used.admin.read(`/api/dcim/cable-terminations/?cable=${made.id}`)).results.map(
        ({ cable_end, connector, positions }: Body) => [cable_end, connector, positions],
      );
    expect(await rows()).toEqual([
      ['A', 1, [1, 2, 3, 4]],
      ['B', 1, [1]],
      ['B', 2, [1]],
      ['B', 3, [1]],
      ['B', 4, [1]],
    ]);
    expect(await again(ports[3])).toMatchObject({ connected_endpoints: [{ id: ports[0].id }] });
    expect((await used.admin.patch(made.url, { profile: 'single-1c1p' })).body).toEqual({
      b_terminations: ['B side of cable has 4 terminations but only 1 are permitted for profile 1C1P'],
    });
    expect((await used.admin.patch(made.url, { profile: '' })).status).toBe(200);
    expect((await rows()).every(([, connector, positions]: Body[]) => connector === null && positions === null)).toBe(
      true,
    );
  });
});

test('a length needs a unit, and a unit is nothing without a length', async () => {
  const [a, b] = [await bench.port(), await bench.port()];
  expect(await refused([a], [b], { length: 5 })).toEqual(all('Must specify a unit when setting a cable length'));
  expect(await bench.cable(a, b, { length_unit: 'ft' })).toMatchObject({ length: null, length_unit: null });
});

test('cables are found by what they end at and where that is', async () => {
  const rack = await used.admin.make('/api/dcim/racks/', { name: unique('R'), site: bench.site.id });
  const device = await bench.device({ rack: rack.id });
  const a = await bench.part(device, 'interfaces');
  const b = await bench.port();
  const { id } = await bench.cable(a, b);
  const other = await bench.cable(await bench.port(), await bench.port());
  for (const query of [
    `device_id=${device.id}`,
    `device=${device.name}`,
    `rack_id=${rack.id}`,
    `rack=${rack.name}`,
    `interface_id=${a.id}`,
    `termination_a_id=${a.id}&termination_a_type=dcim.interface`,
    `termination_b_id=${b.id}`,
  ]) {
    expect([query, await idsOf(query)]).toEqual([query, [id]]);
  }
  for (const query of [
    `device_id=999999`,
    `termination_b_id=${a.id}`,
    `frontport_id=${a.id}`,
    `unterminated=true&id=${id}`,
  ])
    expect([query, await idsOf(query)]).toEqual([query, []]);
  expect(await idsOf(`site=${bench.site.slug}&id=${id}&id=${other.id}`)).toEqual([id, other.id]);
  // Another rack, another place.
  const next = await used.admin.make('/api/dcim/racks/', { name: unique('R'), site: bench.site.id });
  expect((await used.admin.patch(device.url, { rack: next.id })).status).toBe(200);
  expect([await idsOf(`rack_id=${rack.id}`), await idsOf(`rack_id=${next.id}`)]).toEqual([[], [id]]);
  expect(await used.admin.column(`/api/dcim/interfaces/?cabled=true&device_id=${device.id}`, 'id')).toEqual([a.id]);
  expect((await used.admin.column(`/api/dcim/interfaces/?cable_id=${id}`, 'id')).sort((x, y) => x - y)).toEqual(
    [a.id, b.id].sort((x, y) => x - y),
  );
  expect(await used.admin.column(`/api/dcim/interfaces/?connected=false&device_id=${device.id}`, 'id')).toEqual([]);
});

test('cables lie in bundles', async () => {
  const bundle = await used.admin.make('/api/dcim/cable-bundles/', { name: unique('bundle') });
  const made = await bench.cable(await bench.port(), await bench.port(), { bundle: bundle.id });
  expect(made.bundle).toMatchObject({ id: bundle.id, name: bundle.name });
  expect([(await again(bundle)).cable_count, await idsOf(`bundle=${bundle.name}`)]).toEqual([1, [made.id]]);
  expect((await used.admin.delete(bundle.url)).status).toBe(204);
  expect((await again(made)).bundle).toBeNull();
});
