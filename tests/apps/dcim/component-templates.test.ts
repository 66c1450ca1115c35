import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { unique } from '../../support/unique.ts';
import { used, make, refused, deviceType, moduleType } from '../../support/objects/types.ts';

describe('a template', () => {
  test('belongs to a device type or to a module type, and stays there', async () => {
    const [type, other, module] = [await deviceType(), await deviceType(), await moduleType()];
    const interfaceOf = (more: object) => ({ name: unique('eth'), type: 'virtual', ...more });
    expect(await refused('post', 'interface-templates', interfaceOf({}))).toEqual([
      400,
      { __all__: ['A component template must be associated with either a device type or a module type.'] },
    ]);
    expect(
      await refused('post', 'interface-templates', interfaceOf({ device_type: type.id, module_type: module.id })),
    ).toEqual([
      400,
      { __all__: ['A component template cannot be associated with both a device type and a module type.'] },
    ]);
    const made = await make('interface-templates', interfaceOf({ device_type: type.id }));
    expect(made).not.toHaveProperty('display_url');
    expect((await used.admin.patch(`/api/dcim/interface-templates/${made.id}/`, { label: 'LL' })).body.display).toBe(
      `${made.name} (LL)`,
    );
    expect(await refused('patch', `interface-templates/${made.id}`, { device_type: other.id })).toEqual([
      400,
      { device_type: ['Component templates cannot be moved to a different device type.'] },
    ]);
    expect(
      await refused('post', 'interface-templates', interfaceOf({ device_type: type.id, name: made.name })),
    ).toEqual([400, { __all__: ['Interface template with this Device type and Name already exists.'] }]);
    expect(
      (await make('interface-templates', interfaceOf({ module_type: module.id, name: made.name }))).module_type.id,
    ).toBe(module.id);
    await used.admin.delete(`/api/dcim/device-types/${type.id}/`);
    expect((await used.admin.get(`/api/dcim/interface-templates/${made.id}/`)).status).toBe(404);
  });

  test('is listed with those of its type, names as people count', async () => {
    const type = await deviceType();
    await make(
      'power-port-templates',
      ['PSU10', 'psu9', 'PSU1'].map((name) => ({ device_type: type.id, name })),
    );
    expect(await used.admin.column(`/api/dcim/power-port-templates/?device_type_id=${type.id}`)).toEqual([
      'PSU1',
      'psu9',
      'PSU10',
    ]);
  });

  test('of an interface is bridged to another of its type, and is a radio only where it speaks through the air', async () => {
    const [type, other] = [await deviceType(), await deviceType()];
    const [a, b, stranger] = await make(
      'interface-templates',
      [
        [type, 'a'],
        [type, 'b'],
        [other, 'c'],
      ].map(([of, name]) => ({ device_type: of.id, name, type: 'ieee802.11ac' })),
    );
    expect(await refused('patch', `interface-templates/${a.id}`, { bridge: a.id })).toEqual([
      400,
      { bridge: ['An interface cannot be bridged to itself.'] },
    ]);
    expect(await refused('patch', `interface-templates/${a.id}`, { bridge: stranger.id })).toEqual([
      400,
      { bridge: ['Bridge interface (c) must belong to the same device type'] },
    ]);
    expect(
      (await used.admin.patch(`/api/dcim/interface-templates/${a.id}/`, { bridge: b.id, rf_role: 'ap' })).body,
    ).toMatchObject({ bridge: { id: b.id, name: 'b' }, rf_role: { value: 'ap' } });
    expect(await refused('patch', `interface-templates/${a.id}`, { type: 'virtual' })).toEqual([
      400,
      { rf_role: ['Wireless role may be set only on wireless interfaces.'] },
    ]);
    await used.admin.delete(`/api/dcim/interface-templates/${b.id}/`);
    expect((await used.admin.read(`/api/dcim/interface-templates/${a.id}/`)).bridge).toBeNull();
  });

  test('of an outlet is fed by an inlet of its type, which draws no more than it can', async () => {
    const [type, other] = [await deviceType(), await deviceType()];
    expect(
      await refused('post', 'power-port-templates', {
        device_type: type.id,
        name: 'P',
        maximum_draw: 100,
        allocated_draw: 200,
      }),
    ).toEqual([400, { allocated_draw: ['Allocated draw cannot exceed the maximum draw (100W).'] }]);
    const inlet = await make('power-port-templates', { device_type: type.id, name: 'P', type: 'iec-60320-c14' });
    expect(
      await refused('post', 'power-outlet-templates', { device_type: other.id, name: 'O', power_port: inlet.id }),
    ).toEqual([400, { __all__: ['Parent power port (P) must belong to the same device type'] }]);
    const outlet = await make('power-outlet-templates', {
      device_type: type.id,
      name: 'O',
      power_port: inlet.id,
      feed_leg: 'A',
    });
    expect(await used.admin.column(`/api/dcim/power-outlet-templates/?power_port_id=${inlet.id}`, 'id')).toEqual([
      outlet.id,
    ]);
  });
});

describe('templates of ports', () => {
  const port = (type: Body, name: string, more: object = {}) => ({ device_type: type.id, name, type: 'lc', ...more });

  test('lead to each other, told from both sides', async () => {
    const type = await deviceType();
    const rear = await make('rear-port-templates', port(type, 'R', { positions: 2 }));
    const front = await make(
      'front-port-templates',
      port(type, 'F', { rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 2 }] }),
    );
    expect(front.rear_ports).toEqual([{ position: 1, rear_port: rear.id, rear_port_position: 2 }]);
    expect((await used.admin.read(`/api/dcim/rear-port-templates/${rear.id}/`)).front_ports).toEqual([
      { position: 2, front_port: front.id, front_port_position: 1 },
    ]);
    expect(await used.admin.column(`/api/dcim/front-port-templates/?rear_port_id=${rear.id}`, 'id')).toEqual([
      front.id,
    ]);
    expect(await used.admin.column(`/api/dcim/rear-port-templates/?front_port_id=${front.id}`, 'id')).toEqual([
      rear.id,
    ]);
    await used.admin.delete(`/api/dcim/front-port-templates/${front.id}/`);
    expect((await used.admin.read(`/api/dcim/rear-port-templates/${rear.id}/`)).front_ports).toEqual([]);
  });

  test('lead where there is a position, once, within a type', async () => {
    const [type, other] = [await deviceType(), await deviceType()];
    const rear = await make('rear-port-templates', port(type, 'R', { positions: 2 }));
    const to = (position: number, rear_port_position: number) => ({
      rear_ports: [{ position, rear_port: rear.id, rear_port_position }],
    });
    expect(await refused('post', 'front-port-templates', port(type, 'F', to(1, 3)))).toEqual([
      400,
      { rear_ports: ['Invalid rear port position (3): Rear port R has only 2 positions.'] },
    ]);
    expect(await refused('post', 'front-port-templates', port(type, 'F', to(2, 1)))).toEqual([
      400,
      { rear_ports: ['Invalid front port position (2): Front port F has only 1 positions.'] },
    ]);
    expect(await refused('post', 'front-port-templates', port(other, 'F', to(1, 1)))).toEqual([
      400,
      { rear_ports: ['Rear port (R) must belong to the same device type'] },
    ]);
    await make('front-port-templates', port(type, 'F', to(1, 2)));
    expect(await refused('post', 'front-port-templates', port(type, 'G', to(1, 2)))).toEqual([
      400,
      { __all__: ['Port template mapping with this Rear port and Rear port position already exists.'] },
    ]);
    expect((await used.admin.patch(`/api/dcim/rear-port-templates/${rear.id}/`, { positions: 1 })).status).toBe(400);
  });
});

test('templates of inventory items are trees of their device type, and may stand for a component', async () => {
  const [type, other] = [await deviceType(), await deviceType()];
  const [component] = await make('interface-templates', [
    { device_type: type.id, name: 'xe-0', type: '10gbase-x-sfpp' },
  ]);
  const card = await make('inventory-item-templates', { device_type: type.id, name: 'Card' });
  const optic = await make('inventory-item-templates', {
    device_type: type.id,
    name: 'Optic',
    parent: card.id,
    component_type: 'dcim.interfacetemplate',
    component_id: component.id,
  });
  expect(optic).toMatchObject({ parent: card.id, _depth: 1, component: { id: component.id, name: 'xe-0' } });
  expect(
    await refused('post', 'inventory-item-templates', { device_type: other.id, name: 'X', parent: card.id }),
  ).toEqual([400, { parent: ['Parent inventory item template must belong to the same device type.'] }]);
  expect(await refused('patch', `inventory-item-templates/${card.id}`, { parent: optic.id })).toEqual([
    400,
    { parent: ['Cannot assign self or child inventory item template as parent.'] },
  ]);
  expect(
    await refused('post', 'inventory-item-templates', { device_type: type.id, name: 'Optic', parent: card.id }),
  ).toEqual([400, { __all__: ['Inventory item template with this Device type, Parent and Name already exists.'] }]);
  await used.admin.delete(`/api/dcim/interface-templates/${component.id}/`);
  expect(await used.admin.read(`/api/dcim/inventory-item-templates/${optic.id}/`)).toMatchObject({
    component_type: null,
    component_id: null,
    component: null,
  });
  await used.admin.delete(`/api/dcim/inventory-item-templates/${card.id}/`);
  expect((await used.admin.get(`/api/dcim/inventory-item-templates/${optic.id}/`)).status).toBe(404);
});
