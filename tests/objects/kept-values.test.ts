// A value that a client has set stays, even where another field would have set something else in its place.
import { expect, test } from '@jest/globals';
import { device, kit, other } from '../support/objects/components.ts';
import { nextMac, unique } from '../support/unique.ts';

test('a device takes over airflow and platform of its type when it is new, and never again', async () => {
  const maker = await kit.manufacturer();
  const [default_platform, chosen] = await kit.make('dcim/platforms', [
    kit.named('os', { manufacturer: maker.id }),
    kit.named('os', { manufacturer: maker.id }),
  ]);
  const type = await kit.deviceType({ airflow: 'passive', default_platform: default_platform.id });
  const made = await kit.device({ device_type: type.id });
  expect(made).toMatchObject({ airflow: { value: 'passive' }, platform: { id: default_platform.id } });
  const path = `dcim/devices/${made.id}`;
  expect(await kit.patch(path, { airflow: null, platform: null })).toMatchObject({ airflow: null, platform: null });
  expect(await kit.patch(path, { description: 'as it is' })).toMatchObject({ airflow: null, platform: null });
  expect(await kit.device({ device_type: type.id, airflow: 'mixed', platform: chosen.id })).toMatchObject({
    airflow: { value: 'mixed' },
    platform: { id: chosen.id },
  });
});

test('a module type has attributes without a profile, until a change does not name them', async () => {
  const type = await kit.moduleType({ attributes: { speed: 10 } });
  const path = `dcim/module-types/${type.id}`;
  expect(type.attributes).toEqual({ speed: 10 });
  expect((await kit.patch(path, { attributes: { ports: 4 } })).attributes).toEqual({ speed: 10, ports: 4 });
  expect((await kit.read(path)).attributes).toEqual({ speed: 10, ports: 4 });
  expect((await kit.patch(path, { description: 'without' })).attributes).toBeNull();
});

test('an inventory item that moves leaves its component; it is not given one of another device', async () => {
  const [port, far] = [await kit.interface(device), await kit.interface(other)];
  const part = (port: { id: number }) => ({ component_type: 'dcim.interface', component_id: port.id });
  const item = await kit.make('dcim/inventory-items', { device: device.id, name: unique('item'), ...part(port) });
  const path = `dcim/inventory-items/${item.id}`;
  const refusal = [400, { device: ['Cannot assign inventory item to component on another device'] }];
  expect(await kit.refused('patch', path, part(far))).toEqual(refusal);
  expect(await kit.refused('patch', path, { device: other.id, ...part(port) })).toEqual(refusal);
  expect((await kit.read(path)).component).toMatchObject({ id: port.id });
  expect(await kit.patch(path, { device: other.id })).toMatchObject({ component: null, component_id: null });
  expect(await kit.patch(path, { device: device.id, ...part(port) })).toMatchObject({ component: { id: port.id } });
});

test('an address that is given for a new interface becomes one of its own', async () => {
  const [one, two] = await kit.make('dcim/mac-addresses', [{ mac_address: nextMac() }, { mac_address: nextMac() }]);
  const [first, second] = await kit.make(
    'dcim/interfaces',
    [one, two].map((mac) => ({
      device: device.id,
      name: unique('eth'),
      type: '1000base-t',
      primary_mac_address: mac.id,
    })),
  );
  for (const [port, mac] of [
    [first, one],
    [second, two],
  ]) {
    expect((await kit.read(`dcim/interfaces/${port.id}`)).mac_addresses).toMatchObject([{ id: mac.id }]);
    expect(await kit.read(`dcim/mac-addresses/${mac.id}`)).toMatchObject({ assigned_object: { id: port.id } });
  }
});
