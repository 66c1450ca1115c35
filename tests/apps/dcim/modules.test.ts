import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);
const names = (path: string) => used.admin.column(`/api/dcim/${path}`);

/** A line card: a port, a power port with an outlet, and bays for what goes into it. */
let card: Body;
let optic: Body;
beforeAll(async () => {
  card = await kit.moduleType();
  await kit.make('dcim/interface-templates', {
    module_type: card.id,
    name: 'xe-{module}/0',
    type: '10gbase-x-sfpp',
    label: 'card {module}',
  });
  await kit.make(
    'dcim/module-bay-templates',
    ['1', '2'].map((position) => ({ module_type: card.id, name: `Cage {module}/${position}`, position })),
  );
  optic = await kit.moduleType();
  await kit.make('dcim/interface-templates', [
    { module_type: optic.id, name: 'et-{module}/{module}', type: '10gbase-x-sfpp' },
    { module_type: optic.id, name: 'tx{module}', type: 'virtual' },
  ]);
});

const bayIn = (device: Body, more: object = {}) =>
  kit.make('dcim/module-bays', { device: device.id, name: unique('slot'), position: '3', ...more });
const install = (device: Body, bay: Body, type: Body, more: object = {}) => ({
  device: device.id,
  module_bay: bay.id,
  module_type: type.id,
  ...more,
});

describe('a module', () => {
  test('brings its components along, named after the bay, and takes them away', async () => {
    const device = await kit.device();
    const bay = await bayIn(device);
    const module = await kit.make('dcim/modules', install(device, bay, card));
    expect(module).toMatchObject({
      display: `${bay.name}: ${card.model} (${module.id})`,
      device: { id: device.id },
      module_bay: { id: bay.id, name: bay.name },
      module_type: { id: card.id },
      status: { value: 'active' },
    });
    expect(module).not.toHaveProperty('replicate_components');
    expect(await names(`interfaces/?device_id=${device.id}&module_id=${module.id}`)).toEqual(['xe-3/0']);
    expect((await used.admin.read(`/api/dcim/interfaces/?device_id=${device.id}`)).results[0]).toMatchObject({
      label: 'card 3',
      module: { id: module.id, device: { id: device.id }, module_bay: { id: bay.id } },
    });
    expect(await names(`module-bays/?device_id=${device.id}&parent_id=${bay.id}`)).toEqual(['Cage 3/1', 'Cage 3/2']);
    expect(await kit.read(`dcim/module-bays/${bay.id}`)).toMatchObject({
      installed_module: { id: module.id, display: module.display, serial: '', description: '' },
      module: null,
      _occupied: true,
    });
    expect(await kit.read(`dcim/devices/${device.id}`)).toMatchObject({ interface_count: 1, module_bay_count: 3 });
    // A module is called after the name of its bay, not after the bay's label.
    expect((await used.admin.patch(`/api/dcim/module-bays/${bay.id}/`, { label: 'front' })).body.display).toBe(
      `${bay.name} (front)`,
    );
    expect(await kit.read(`dcim/modules/${module.id}`)).toMatchObject({
      display: module.display,
      module_bay: { display: `${bay.name} (front)` },
    });
    const name = unique('bay');
    await used.admin.patch(`/api/dcim/module-bays/${bay.id}/`, { name });
    expect(await kit.read(`dcim/modules/${module.id}`)).toMatchObject({
      display: `${name}: ${card.model} (${module.id})`,
    });
    await used.admin.patch(`/api/dcim/module-bays/${bay.id}/`, { name: bay.name });
    expect((await used.admin.delete(`/api/dcim/modules/${module.id}/`)).status).toBe(204);
    expect([
      await names(`interfaces/?device_id=${device.id}`),
      await names(`module-bays/?device_id=${device.id}`),
    ]).toEqual([[], [bay.name]]);
    expect(await kit.read(`dcim/module-bays/${bay.id}`)).toMatchObject({ installed_module: null, _occupied: false });
  });

  test('in a module is named after both bays', async () => {
    const device = await kit.device();
    const bay = await bayIn(device);
    await kit.make('dcim/modules', install(device, bay, card));
    const [cage] = (
      await used.admin.read(`/api/dcim/module-bays/?device_id=${device.id}&name=${encodeURIComponent('Cage 3/2')}`)
    ).results;
    const inner = await kit.make('dcim/modules', install(device, cage, optic));
    expect(await names(`interfaces/?module_id=${inner.id}`)).toEqual(['et-3/2', 'tx2']);
    expect(await kit.ids(`dcim/modules/?module_bay_id=${bay.id}&device_id=${device.id}`)).toHaveLength(2);
    expect(await kit.refused('post', 'dcim/modules', install(device, await bayIn(device), optic))).toEqual([
      400,
      {
        non_field_errors: [
          'Cannot install module with placeholder values in a module bay tree 1 levels deep but 2 placeholders given.',
        ],
      },
    ]);
    // A module that is not there any more takes with it what was in it.
    const outer = (await kit.ids(`dcim/modules/?device_id=${device.id}`)).find((id) => id !== inner.id)!;
    expect((await used.admin.delete(`/api/dcim/modules/${outer}/`)).status).toBe(204);
    expect((await used.admin.get(`/api/dcim/modules/${inner.id}/`)).status).toBe(404);
  });

  test('fits into a free bay of its device', async () => {
    const device = await kit.device();
    const other = await kit.device();
    const bay = await bayIn(device);
    expect(await kit.refused('post', 'dcim/modules', install(other, bay, card))).toEqual([
      400,
      { __all__: [`Module must be installed within a module bay belonging to the assigned device (${other.name}).`] },
    ]);
    expect(
      await kit.refused('post', 'dcim/modules', install(device, await bayIn(device, { position: '' }), card)),
    ).toEqual([
      400,
      { non_field_errors: ['Cannot install module with placeholder values in a module bay with no position defined.'] },
    ]);
    expect(
      await kit.refused('post', 'dcim/modules', install(device, await bayIn(device, { enabled: false }), card)),
    ).toEqual([400, { __all__: ['Cannot install a module in a disabled module bay.'] }]);
    const module = await kit.make('dcim/modules', install(device, bay, card));
    expect((await kit.refused('post', 'dcim/modules', install(device, bay, await kit.moduleType())))[1]).toEqual({
      module_bay: ['Module with this Module bay already exists.'],
    });
    const [cage] = (await used.admin.read(`/api/dcim/module-bays/?device_id=${device.id}&module_id=${module.id}`))
      .results;
    expect(await kit.refused('patch', `dcim/modules/${module.id}`, { module_bay: cage.id })).toEqual([
      400,
      { __all__: ['A module bay cannot belong to a module installed within it.'] },
    ]);
    expect(await kit.patch(`dcim/modules/${module.id}`, { serial: 'S1', status: 'failed' })).toMatchObject({
      serial: 'S1',
      status: { value: 'failed' },
    });
    for (const query of [
      'serial=s1',
      `manufacturer_id=${(await kit.manufacturer()).id}`,
      `module_type=${card.model}`,
      `site_id=${device.site.id}`,
      `q=${device.name}`,
    ])
      expect([query, await kit.ids(`dcim/modules/?id=${module.id}&${query}`)]).toEqual([query, [module.id]]);
  });

  test('makes no component twice, but may take over what is there', async () => {
    const device = await kit.device();
    const bay = await bayIn(device);
    const port = await kit.interface(device, { name: 'xe-3/0' });
    expect(await kit.refused('post', 'dcim/modules', install(device, bay, card))).toEqual([
      400,
      { non_field_errors: ['A Interface named xe-3/0 already exists'] },
    ]);
    const module = await kit.make(
      'dcim/modules',
      install(device, bay, card, { adopt_components: true, replicate_components: false }),
    );
    expect(await kit.read(`dcim/interfaces/${port.id}`)).toMatchObject({ module: { id: module.id } });
    expect(await kit.read(`dcim/devices/${device.id}`)).toMatchObject({ interface_count: 1, module_bay_count: 1 });
    expect(
      await kit.refused('post', 'dcim/modules', install(device, await bayIn(device), card, { adopt_components: true })),
    ).toEqual([400, { non_field_errors: ['Cannot adopt Interface xe-3/0 as it already belongs to a module'] }]);
    const empty = await kit.make(
      'dcim/modules',
      install(device, await bayIn(device), card, { replicate_components: false }),
    );
    expect(await kit.ids(`dcim/interfaces/?module_id=${empty.id}`)).toEqual([]);
  });

  test('comes with ports that lead to each other', async () => {
    const type = await kit.moduleType();
    const rear = await kit.make('dcim/rear-port-templates', {
      module_type: type.id,
      name: 'R{module}',
      type: 'mpo',
      positions: 2,
    });
    await kit.make(
      'dcim/front-port-templates',
      [1, 2].map((n) => ({
        module_type: type.id,
        name: `F{module}.${n}`,
        type: 'lc',
        rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: n }],
      })),
    );
    const device = await kit.device();
    const module = await kit.make('dcim/modules', install(device, await bayIn(device), type));
    const [back] = (await used.admin.read(`/api/dcim/rear-ports/?module_id=${module.id}`)).results;
    const fronts = (await used.admin.read(`/api/dcim/front-ports/?module_id=${module.id}`)).results;
    expect([back.name, fronts.map((f: Body) => f.name)]).toEqual(['R3', ['F3.1', 'F3.2']]);
    expect(back.front_ports).toEqual(
      fronts.map((f: Body, i: number) => ({ position: i + 1, front_port: f.id, front_port_position: 1 })),
    );
  });
});

describe('a device bay', () => {
  test('takes one child of a parent, which goes where the parent goes', async () => {
    const [here, there] = [await kit.site(), await kit.site()];
    const parentType = await kit.deviceType({ subdevice_role: 'parent' });
    const childType = await kit.deviceType({ subdevice_role: 'child', u_height: 0 });
    await kit.make(
      'dcim/device-bay-templates',
      ['Bay 1', 'Bay 2'].map((name) => ({ device_type: parentType.id, name })),
    );
    const parent = await kit.device({ site: here.id, device_type: parentType.id });
    const child = await kit.device({ site: here.id, device_type: childType.id });
    const plain = await kit.device();
    expect(parent.device_bay_count).toBe(2);
    const [first, second] = await kit.ids(`dcim/device-bays/?device_id=${parent.id}`);
    const setting = (bay: number | undefined, body: object) => kit.refused('patch', `dcim/device-bays/${bay}`, body);
    expect(await kit.refused('post', 'dcim/device-bays', { device: plain.id, name: 'B' })).toEqual([
      400,
      { __all__: [`This type of device (${plain.device_type.model}) does not support device bays.`] },
    ]);
    expect(await setting(first, { installed_device: parent.id })).toEqual([
      400,
      { __all__: ['Cannot install a device into itself.'] },
    ]);
    expect(await setting(first, { installed_device: child.id, enabled: false })).toEqual([
      400,
      { installed_device: ['Cannot install a device in a disabled device bay.'] },
    ]);
    expect((await setting(first, { installed_device: child.id }))[0]).toBe(200);
    expect(await setting(second, { installed_device: child.id })).toEqual([
      400,
      { installed_device: ['Cannot install the specified device; device is already installed in Bay 1.'] },
    ]);
    const inside = await kit.read(`dcim/devices/${child.id}`);
    expect(inside.parent_device).toMatchObject({
      id: parent.id,
      name: parent.name,
      display_url: expect.any(String),
      device_bay: { id: first, name: 'Bay 1', device: { id: parent.id } },
    });
    for (const query of [`parent_device_id=${parent.id}`, `parent_bay_id=${first}`])
      expect(await kit.ids(`dcim/devices/?${query}`)).toEqual([child.id]);
    const rack = await kit.rack(there);
    expect(
      await kit.refused(
        'post',
        'dcim/devices',
        await kit.deviceBody({ site: there.id, device_type: childType.id, rack: rack.id, face: 'front' }),
      ),
    ).toEqual([
      400,
      { face: ['Child device types cannot be assigned to a rack face. This is an attribute of the parent device.'] },
    ]);
    await kit.patch(`dcim/devices/${parent.id}`, { site: there.id, rack: rack.id });
    expect(await kit.read(`dcim/devices/${child.id}`)).toMatchObject({
      site: { id: there.id },
      rack: { id: rack.id },
      position: null,
    });
    expect((await used.admin.delete(`/api/dcim/devices/${child.id}/`)).status).toBe(204);
    expect(await kit.read(`dcim/device-bays/${first}`)).toMatchObject({ installed_device: null, _occupied: false });
  });
});

describe('a virtual chassis', () => {
  const chassis = (more: object = {}) => kit.make('dcim/virtual-chassis', { name: unique('vc'), ...more });

  test('makes its master a member, which stays', async () => {
    const master = await kit.device();
    const made = await chassis({ master: master.id });
    expect(made).toMatchObject({
      master: { id: master.id, name: master.name, display_url: expect.any(String) },
      member_count: 1,
      members: [{ id: master.id }],
    });
    expect(await kit.read(`dcim/devices/${master.id}`)).toMatchObject({
      virtual_chassis: { id: made.id, name: made.name, member_count: 1 },
      vc_position: 1,
    });
    expect(await kit.refused('patch', `dcim/devices/${master.id}`, { virtual_chassis: null })).toEqual([
      400,
      {
        virtual_chassis: [
          `Device cannot be removed from virtual chassis ${made.name} because it is currently designated as its master.`,
        ],
      },
    ]);
    const [status, { detail }] = await kit.refused('delete', `dcim/devices/${master.id}`);
    expect([status, detail]).toEqual([409, expect.stringContaining(made.name)]);
    expect((await kit.refused('post', 'dcim/virtual-chassis', { name: unique('vc'), master: master.id }))[1]).toEqual({
      master: ['Virtual chassis with this Master already exists.'],
    });
    for (const query of [
      `master_id=${master.id}`,
      `master=${master.name}`,
      `q=${master.name}`,
      `site_id=${master.site.id}`,
      'member_count__gte=1',
    ])
      expect([query, await kit.ids(`dcim/virtual-chassis/?id=${made.id}&${query}`)]).toEqual([query, [made.id]]);
  });

  test('has members at positions of their own, and leaves none behind', async () => {
    const made = await chassis();
    const [one, two, stranger] = [await kit.device(), await kit.device(), await kit.device()];
    expect(await kit.refused('patch', `dcim/devices/${one.id}`, { virtual_chassis: made.id })).toEqual([
      400,
      { vc_position: ['A device assigned to a virtual chassis must have its position defined.'] },
    ]);
    await kit.patch(`dcim/devices/${one.id}`, { virtual_chassis: made.id, vc_position: 1, vc_priority: 200 });
    expect(
      (await kit.refused('patch', `dcim/devices/${two.id}`, { virtual_chassis: made.id, vc_position: 1 }))[1],
    ).toEqual({ __all__: ['Device with this Virtual chassis and VC position already exists.'] });
    await kit.patch(`dcim/devices/${two.id}`, { virtual_chassis: made.id, vc_position: 2 });
    expect(await kit.refused('patch', `dcim/virtual-chassis/${made.id}`, { master: stranger.id })).toEqual([
      400,
      { master: [`The selected master (${stranger.name}) is not assigned to this virtual chassis.`] },
    ]);
    await kit.patch(`dcim/virtual-chassis/${made.id}`, { master: one.id });
    const [port, far, mgmt] = [
      await kit.interface(one),
      await kit.interface(two),
      await kit.interface(two, { mgmt_only: true }),
    ];
    const lag = await kit.interface(one, { type: 'lag' });
    expect(await kit.patch(`dcim/interfaces/${far.id}`, { lag: lag.id })).toMatchObject({ lag: { id: lag.id } });
    const foreign = await kit.interface(stranger, { type: 'lag' });
    expect((await kit.refused('patch', `dcim/interfaces/${port.id}`, { lag: foreign.id }))[1]).toEqual({
      lag: [
        `The selected LAG interface (${foreign.name}) belongs to ${stranger.name}, which is not part of virtual chassis ${made.name}.`,
      ],
    });
    const seen = async (query: string) => new Set(await kit.ids(`dcim/interfaces/?${query}`));
    expect(await seen(`virtual_chassis_member_id=${two.id}`)).toEqual(new Set([port.id, lag.id, far.id, mgmt.id]));
    expect(await seen(`virtual_chassis_member_or_master=${one.name}`)).toEqual(new Set([port.id, lag.id, far.id]));
    expect(await seen(`virtual_chassis_member_or_master_id=${two.id}`)).toEqual(new Set([far.id, mgmt.id]));
    expect(await seen(`virtual_chassis_id=${made.id}`)).toEqual(new Set([port.id, lag.id, far.id, mgmt.id]));
    expect(await kit.refused('delete', `dcim/virtual-chassis/${made.id}`)).toEqual([
      409,
      { detail: `Unable to delete object. 1 dependent objects were found: ${far.name} (${far.id})` },
    ]);
    await kit.patch(`dcim/interfaces/${far.id}`, { lag: null });
    expect((await used.admin.delete(`/api/dcim/virtual-chassis/${made.id}/`)).status).toBe(204);
    expect(await kit.read(`dcim/devices/${one.id}`)).toMatchObject({
      virtual_chassis: null,
      vc_position: null,
      vc_priority: null,
    });
    expect(await kit.read(`dcim/devices/${two.id}`)).toMatchObject({ virtual_chassis: null, vc_position: null });
  });
});
