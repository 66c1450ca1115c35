import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { Equipment } from '../../../support/objects/equipment.ts';
import { useSystem } from '../../../support/system.ts';
import { unique } from '../../../support/unique.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);
const column = (path: string, name = 'name') => used.admin.column(`/api/dcim/${path}`, name);
const all = async (path: string): Promise<Body[]> => (await used.admin.read(`/api/dcim/${path}`)).results;

/** A member of a new chassis, or of the one that is given. */
async function member(type: Body, position: number, chassis?: Body): Promise<Body> {
  const stack = chassis ?? (await kit.make('dcim/virtual-chassis', { name: unique('stack') }));
  return kit.device({ device_type: type.id, virtual_chassis: stack.id, vc_position: position });
}

/** A type in which every kind of component names the position, and components refer to each other. */
let type: Body;
beforeAll(async () => {
  type = await kit.deviceType({ subdevice_role: 'parent' });
  const of = (path: string, body: object): Promise<Body> =>
    kit.make(`dcim/${path}-templates`, { device_type: type.id, ...body });
  await of('console-port', { name: 'con{vc_position}', label: 'C {vc_position:1}' });
  await of('console-server-port', { name: 'srv{vc_position:9}' });
  const inlet = await of('power-port', { name: 'PSU{vc_position}' });
  await of('power-outlet', { name: 'out{vc_position}', power_port: inlet.id });
  const bridge = await of('interface', { name: 'br{vc_position:1}', type: 'bridge' });
  await of('interface', { name: 'xe-{vc_position:1}/0/1', type: '1000base-t', bridge: bridge.id });
  const rear = await of('rear-port', { name: 'trunk{vc_position}', type: 'mpo', positions: 2 });
  await of('front-port', {
    name: 'p{vc_position}',
    type: 'lc',
    rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 2 }],
  });
  await of('module-bay', { name: 'slot{vc_position}', position: '{vc_position}' });
  await of('device-bay', { name: 'bay{vc_position}' });
  const card = await of('inventory-item', { name: 'card{vc_position}', label: 'in {vc_position}' });
  await of('inventory-item', {
    name: 'chip',
    parent: card.id,
    component_type: 'dcim.interfacetemplate',
    component_id: bridge.id,
  });
});

describe.each([
  ['in a chassis', true, '4', '4'],
  ['outside of one', false, '0', '1'],
])('a device %s', (_, inside, at, colon) => {
  test('has components that are named after its position, and that refer to each other', async () => {
    const device = inside ? await member(type, 4) : await kit.device({ device_type: type.id });
    const one = async (path: string) => (await all(`${path}/?device_id=${device.id}`))[0]!;
    expect(await one('console-ports')).toMatchObject({ name: `con${at}`, label: `C ${colon}` });
    expect(await one('console-server-ports')).toMatchObject({ name: inside ? 'srv4' : 'srv9' });
    expect(await one('power-outlets')).toMatchObject({ name: `out${at}`, power_port: { name: `PSU${at}` } });
    expect(await all(`interfaces/?device_id=${device.id}&ordering=name`)).toMatchObject([
      { name: `br${colon}`, bridge: null },
      { name: `xe-${colon}/0/1`, bridge: { name: `br${colon}` } },
    ]);
    const rear = await one('rear-ports');
    expect(rear).toMatchObject({ name: `trunk${at}` });
    expect(await one('front-ports')).toMatchObject({
      name: `p${at}`,
      rear_ports: [{ position: 1, rear_port: rear['id'], rear_port_position: 2 }],
    });
    expect(await one('module-bays')).toMatchObject({ name: `slot${at}`, position: at });
    expect(await one('device-bays')).toMatchObject({ name: `bay${at}` });
    expect(await all(`inventory-items/?device_id=${device.id}`)).toMatchObject([
      { name: `card${at}`, label: `in ${at}` },
      { name: 'chip', component: { name: `br${colon}` } },
    ]);
  });
});

test('names stay as they are when a device joins a chassis or moves in it', async () => {
  const device = await kit.device({ device_type: type.id });
  const stack = await kit.make('dcim/virtual-chassis', { name: unique('stack') });
  await kit.patch(`dcim/devices/${device.id}`, { virtual_chassis: stack.id, vc_position: 2 });
  await kit.patch(`dcim/devices/${device.id}`, { vc_position: 3 });
  expect(await column(`console-ports/?device_id=${device.id}`)).toEqual(['con0']);
});

test('devices that are made at once have each their own position', async () => {
  const stack = await kit.make('dcim/virtual-chassis', { name: unique('stack') });
  const body = await kit.deviceBody({ device_type: type.id });
  const made = (await kit.make(
    'dcim/devices',
    [1, 2, 3].map((vc_position) => ({ ...body, name: unique('member'), virtual_chassis: stack.id, vc_position })),
  )) as unknown as Body[];
  for (const [i, { id }] of made.entries())
    expect(await column(`rear-ports/?device_id=${id}`)).toEqual([`trunk${i + 1}`]);
});

test('two templates whose names come out alike are refused, and no device is made', async () => {
  const alike = await kit.deviceType();
  await kit.make(
    'dcim/console-port-templates',
    ['con{vc_position}', 'con2'].map((name) => ({ device_type: alike.id, name })),
  );
  const stack = await kit.make('dcim/virtual-chassis', { name: unique('stack') });
  const body = await kit.deviceBody({ device_type: alike.id, virtual_chassis: stack.id, vc_position: 2 });
  const [status] = await kit.refused('post', 'dcim/devices', body);
  expect([status, await kit.ids(`dcim/devices/?device_type_id=${alike.id}`)]).toEqual([400, []]);
});

describe('a module in a device', () => {
  test('is named after both positions, also where it takes components over', async () => {
    const card = await kit.moduleType();
    const rear = await kit.make('dcim/rear-port-templates', {
      module_type: card.id,
      name: 'r{vc_position}/{module}',
      type: 'mpo',
    });
    await kit.make('dcim/front-port-templates', {
      module_type: card.id,
      name: 'f{vc_position}/{module}',
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 1 }],
    });
    await kit.make('dcim/interface-templates', {
      module_type: card.id,
      name: 'xe-{vc_position:7}/{module}/1',
      label: '{module} of {vc_position}',
      type: 'virtual',
    });
    const plain = await kit.deviceType();
    for (const [device, at, colon] of [
      [await member(plain, 2), '2', '2'],
      [await kit.device({ device_type: plain.id }), '0', '7'],
    ] as const) {
      const bay = await kit.make('dcim/module-bays', { device: device.id, name: 'slot', position: '3' });
      const port = await kit.make('dcim/interfaces', { device: device.id, name: `xe-${colon}/3/1`, type: 'virtual' });
      const body = { device: device.id, module_bay: bay.id, module_type: card.id };
      const taken = `A Interface named xe-${colon}/3/1 already exists`;
      expect(await kit.refused('post', 'dcim/modules', body)).toEqual([400, { non_field_errors: [taken] }]);
      const module = await kit.make('dcim/modules', { ...body, adopt_components: true });
      expect(await kit.read(`dcim/interfaces/${port.id}`)).toMatchObject({ module: { id: module.id } });
      const made = (await all(`rear-ports/?device_id=${device.id}`))[0]!;
      expect(made['name']).toBe(`r${at}/3`);
      expect((await all(`front-ports/?device_id=${device.id}`))[0]).toMatchObject({
        name: `f${at}/3`,
        rear_ports: [{ rear_port: made['id'] }],
      });
    }
  });
});
