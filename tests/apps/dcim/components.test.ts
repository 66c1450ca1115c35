import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { unique } from '../../support/unique.ts';
import { used, kit, device, other } from '../../support/objects/components.ts';

test.each(['console-ports', 'console-server-ports'])('%s are as fast as any that is offered', async (path) => {
  for (const value of [1200, 57_600, 115_200]) {
    const made = await kit.make(`dcim/${path}`, { device: device.id, name: unique('line'), speed: value });
    expect([made.speed.value, await kit.ids(`dcim/${path}/?id=${made.id}&speed=${value}`)]).toEqual([value, [made.id]]);
  }
  expect((await used.admin.get(`/api/dcim/${path}/?speed=99999999999`)).body).toEqual({
    speed: ['Select a valid choice. 99999999999 is not one of the available choices.'],
  });
});

describe('every component', () => {
  const kinds: [path: string, more: object, label: string][] = [
    ['console-ports', { type: 'rj-45', speed: 9600 }, 'Console port'],
    ['console-server-ports', {}, 'Console server port'],
    ['power-ports', { maximum_draw: 10 }, 'Power port'],
    ['power-outlets', { status: 'faulty' }, 'Power outlet'],
    ['interfaces', { type: 'virtual' }, 'Interface'],
    ['front-ports', { type: 'lc' }, 'Front port'],
    ['rear-ports', { type: 'lc', positions: 2 }, 'Rear port'],
  ];
  test.each(kinds)('%s: one of each name in a device, which it does not leave', async (path, more, label) => {
    const name = unique('c');
    const made = await kit.make(`dcim/${path}`, { device: device.id, name, ...more });
    expect(made).toMatchObject({
      device: { id: device.id, name: device.name },
      module: null,
      name,
      display: name,
      mark_connected: false,
      cable: null,
      _occupied: false,
    });
    expect(await kit.refused('post', `dcim/${path}`, { device: device.id, name, ...more })).toEqual([
      400,
      { __all__: [`${label} with this Device and Name already exists.`] },
    ]);
    expect(await kit.refused('patch', `dcim/${path}/${made.id}`, { device: other.id })).toEqual([
      400,
      { device: ['Components cannot be moved to a different device.'] },
    ]);
    expect(
      await kit.patch(`dcim/${path}/${made.id}`, { mark_connected: path !== 'interfaces', label: 'x' }),
    ).toMatchObject({ _occupied: path !== 'interfaces', label: 'x', display: `${name} (x)` });
    const found = (query: string) => kit.ids(`dcim/${path}/?id=${made.id}&${query}`);
    const type = await kit.read(`dcim/device-types/${device.device_type.id}`);
    for (const query of [
      `device=${device.name}`,
      `device_id=${device.id}`,
      `site=${device.site.slug}`,
      `device_type=${type.model}`,
      `device_role_id=${device.role.id}`,
      'device_status=active',
      'cabled=false',
      'q=X',
      'label=x',
    ])
      expect([query, await found(query)]).toEqual([query, [made.id]]);
    for (const query of [`device_id=${other.id}`, 'device_status=failed', 'cabled=true', 'label__n=x'])
      expect([query, await found(query)]).toEqual([query, []]);
    expect((await used.admin.delete(`/api/dcim/${path}/${made.id}/`)).status).toBe(204);
  });

  test('goes with its device', async () => {
    const gone = await kit.device();
    const port = await kit.interface(gone);
    const mac = await kit.make('dcim/mac-addresses', {
      mac_address: '0200.5e00.5301',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    await kit.interface(gone, { type: 'virtual', parent: port.id });
    expect((await used.admin.delete(`/api/dcim/devices/${gone.id}/`)).status).toBe(204);
    expect([
      (await used.admin.get(`/api/dcim/interfaces/${port.id}/`)).status,
      (await used.admin.get(`/api/dcim/mac-addresses/${mac.id}/`)).status,
    ]).toEqual([404, 404]);
  });
});

describe('ports', () => {
  test('are mapped within a device, at positions that both have', async () => {
    const rear = await kit.make('dcim/rear-ports', { device: device.id, name: unique('r'), type: 'mpo', positions: 2 });
    const far = await kit.make('dcim/rear-ports', { device: other.id, name: unique('r'), type: 'mpo' });
    const front = (rear_port: Body, position: number) => ({
      device: device.id,
      name: unique('f'),
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rear_port.id, rear_port_position: position }],
    });
    const made = await kit.make('dcim/front-ports', front(rear, 2));
    expect((await kit.read(`dcim/rear-ports/${rear.id}`)).front_ports).toEqual([
      { position: 2, front_port: made.id, front_port_position: 1 },
    ]);
    expect((await kit.refused('post', 'dcim/front-ports', front(far, 1)))[1]).toEqual({
      rear_ports: [`Rear port (${far.name}) must belong to the same device`],
    });
    expect((await kit.refused('post', 'dcim/front-ports', front(rear, 3)))[1]).toEqual({
      rear_ports: [`Invalid rear port position (3): Rear port ${rear.name} has only 2 positions.`],
    });
    expect((await kit.refused('post', 'dcim/front-ports', front(rear, 2)))[0]).toBe(400);
    expect(await kit.ids(`dcim/front-ports/?rear_port_id=${rear.id}`)).toEqual([made.id]);
    expect((await used.admin.delete(`/api/dcim/front-ports/${made.id}/`)).status).toBe(204);
    expect((await kit.read(`dcim/rear-ports/${rear.id}`)).front_ports).toEqual([]);
  });

  test('of power: outlets are fed by a port of their device', async () => {
    const [inlet, far] = [
      await kit.make('dcim/power-ports', { device: device.id, name: unique('p') }),
      await kit.make('dcim/power-ports', { device: other.id, name: unique('p') }),
    ];
    expect(
      await kit.refused('post', 'dcim/power-outlets', { device: device.id, name: unique('o'), power_port: far.id }),
    ).toEqual([400, { __all__: [`Parent power port (${far.name}) must belong to the same device`] }]);
    const outlet = await kit.make('dcim/power-outlets', { device: device.id, name: unique('o'), power_port: inlet.id });
    expect(await kit.ids(`dcim/power-outlets/?power_port_id=${inlet.id}`)).toEqual([outlet.id]);
    expect(
      (
        await kit.refused('post', 'dcim/power-ports', {
          device: device.id,
          name: unique('p'),
          maximum_draw: 1,
          allocated_draw: 2,
        })
      )[1],
    ).toHaveProperty('allocated_draw');
  });
});

describe('an inventory item', () => {
  const item = (more: object) => kit.make('dcim/inventory-items', { device: device.id, name: unique('item'), ...more });
  test('lies in others of its device, and may be part of a component', async () => {
    const [board, port, far] = [
      await item({ asset_tag: unique('tag') }),
      await kit.interface(device),
      await kit.interface(other),
    ];
    const optic = await item({
      parent: board.id,
      component_type: 'dcim.interface',
      component_id: port.id,
      serial: 'Abc',
    });
    expect(optic).toMatchObject({ parent: board.id, _depth: 1, component: { id: port.id, name: port.name } });
    expect(
      await kit.refused('post', 'dcim/inventory-items', {
        device: device.id,
        name: unique('item'),
        component_type: 'dcim.interface',
        component_id: far.id,
      }),
    ).toEqual([400, { device: ['Cannot assign inventory item to component on another device'] }]);
    expect((await kit.refused('patch', `dcim/inventory-items/${optic.id}`, { device: other.id }))[1]).toEqual({
      parent: ['Parent inventory item does not belong to the same device.'],
    });
    expect((await kit.refused('patch', `dcim/inventory-items/${board.id}`, { device: other.id }))[1]).toEqual({
      __all__: ['Cannot move an inventory item with dependent children'],
    });
    expect((await kit.refused('patch', `dcim/inventory-items/${board.id}`, { parent: optic.id }))[1]).toHaveProperty(
      'parent',
    );
    expect(
      (await kit.refused('post', 'dcim/inventory-items', { device: device.id, name: optic.name, parent: board.id }))[1],
    ).toEqual({ __all__: ['Inventory item with this Device, Parent and Name already exists.'] });
    expect(
      await kit.ids(`dcim/inventory-items/?parent_id=${board.id}&serial=aBC&component_type=dcim.interface`),
    ).toEqual([optic.id]);
    expect((await used.admin.delete(`/api/dcim/interfaces/${port.id}/`)).status).toBe(204);
    expect((await used.admin.get(`/api/dcim/inventory-items/${optic.id}/`)).status).toBe(404);
    const moved = await item({});
    expect(await kit.patch(`dcim/inventory-items/${moved.id}`, { device: other.id })).toMatchObject({
      device: { id: other.id },
    });
  });
});
