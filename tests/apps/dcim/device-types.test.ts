import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { unique } from '../../support/unique.ts';
import {
  used,
  named,
  make,
  refused,
  manufacturer,
  typeBody,
  deviceType,
  moduleType,
} from '../../support/objects/types.ts';

describe('a device type', () => {
  test('has a height in halves of a unit, and none inside another device', async () => {
    expect(await refused('post', 'device-types', typeBody({ u_height: 1.3 }))).toEqual([
      400,
      { u_height: ['U height must be in increments of 0.5 rack units.'] },
    ]);
    expect(await refused('post', 'device-types', typeBody({ subdevice_role: 'child' }))).toEqual([
      400,
      { u_height: ['Child device types must be 0U.'] },
    ]);
    expect(await deviceType({ u_height: 2.5 })).toMatchObject({
      u_height: 2.5,
      is_full_depth: true,
      front_image: null,
      device_count: 0,
      interface_template_count: 0,
    });
  });

  test('is one model of its maker', async () => {
    const type = await deviceType();
    expect(
      await refused('post', 'device-types', { manufacturer: manufacturer.id, model: type.model, slug: type.slug }),
    ).toEqual([
      400,
      {
        __all__: [
          'Device type with this Manufacturer and Model already exists.',
          'Device type with this Manufacturer and Slug already exists.',
        ],
      },
    ]);
  });

  test('grows only as far as its devices have room, and is not flat while they are mounted', async () => {
    const site = await make('sites', named('site'));
    const role = await make('device-roles', named('role'));
    const rack = await make('racks', { name: unique('rack'), site: site.id, u_height: 6 });
    const [low, high] = [await deviceType(), await deviceType({ is_full_depth: false })];
    const mount = (type: Body, position: number) =>
      make('devices', {
        name: unique('device'),
        site: site.id,
        rack: rack.id,
        role: role.id,
        device_type: type.id,
        position,
        face: 'front',
      });
    const device = await mount(low, 1);
    await mount(high, 4);
    expect(await refused('patch', `device-types/${low.id}`, { u_height: 3.5 })).toEqual([
      400,
      {
        u_height: [
          `Device ${device.name} in rack ${rack.name} does not have sufficient space to accommodate a height of 3.5U`,
        ],
      },
    ]);
    expect(await refused('patch', `device-types/${low.id}`, { u_height: 0 })).toEqual([
      400,
      {
        u_height: [
          expect.stringMatching(
            /^Unable to set 0U height: Found <a href=".*">1 instances<\/a> already mounted within racks\.$/,
          ),
        ],
      },
    ]);
    expect((await used.admin.patch(`/api/dcim/device-types/${low.id}/`, { u_height: 3 })).body.u_height).toBe(3);
    expect(await used.admin.read(`/api/dcim/device-types/${low.id}/`)).toMatchObject({ device_count: 1 });
    expect((await used.admin.delete(`/api/dcim/device-types/${low.id}/`)).status).toBe(409);
  });

  test('stays a parent while it has bays for devices', async () => {
    const type = await deviceType({ subdevice_role: 'parent' });
    const plain = await deviceType();
    expect(await refused('post', 'device-bay-templates', { device_type: plain.id, name: 'Bay' })).toEqual([
      400,
      { __all__: [`Subdevice role of device type (${plain.model}) must be set to "parent" to allow device bays.`] },
    ]);
    await make('device-bay-templates', { device_type: type.id, name: 'Bay' });
    expect(await refused('patch', `device-types/${type.id}`, { subdevice_role: null })).toEqual([
      400,
      {
        subdevice_role: [
          'Must delete all device bay templates associated with this device before declassifying it as a parent device.',
        ],
      },
    ]);
  });

  test('is found by what its devices are made with', async () => {
    const type = await deviceType();
    await make(
      'interface-templates',
      ['a', 'b'].map((name) => ({ device_type: type.id, name, type: 'virtual' })),
    );
    await make('rear-port-templates', { device_type: type.id, name: 'R', type: 'lc' });
    const found = (query: string) => used.admin.column(`/api/dcim/device-types/?id=${type.id}&${query}`, 'id');
    expect(
      await Promise.all(
        [
          'interfaces=true',
          'interfaces=false',
          'pass_through_ports=true',
          'console_ports=true',
          'interface_template_count=2',
          'interface_template_count__gt=2',
          'has_front_image=true',
        ].map(found),
      ),
    ).toEqual([[type.id], [], [type.id], [], [type.id], [], []]);
    expect(await used.admin.read(`/api/dcim/device-types/${type.id}/`)).toMatchObject({
      interface_template_count: 2,
      rear_port_template_count: 1,
    });
  });

  test('is found by text in its names and in that of its maker', async () => {
    const type = await deviceType({ part_number: unique('part') });
    for (const q of [type.model, type.part_number])
      expect(await used.admin.column(`/api/dcim/device-types/?q=${q}`, 'id')).toEqual([type.id]);
    expect(await used.admin.column(`/api/dcim/device-types/?q=${manufacturer.name}&id=${type.id}`, 'id')).toEqual([
      type.id,
    ]);
  });

  test('takes no image as text', async () => {
    expect(await refused('post', 'device-types', typeBody({ front_image: 'front.png' }))).toEqual([
      400,
      { front_image: ['The submitted data was not a file. Check the encoding type on the form.'] },
    ]);
  });

  test('has platforms: those of its maker, and those of nobody', async () => {
    const type = await deviceType();
    const other = await make('manufacturers', named('other'));
    const prefix = unique('os');
    await make(
      'platforms',
      [{}, { manufacturer: manufacturer.id }, { manufacturer: other.id }].map((more, i) => ({
        name: `${prefix}-${i}`,
        slug: `${prefix}-${i}`,
        ...more,
      })),
    );
    expect(
      await used.admin.column(`/api/dcim/platforms/?available_for_device_type=${type.id}&name__isw=${prefix}`),
    ).toEqual([`${prefix}-0`, `${prefix}-1`]);
    expect((await used.admin.get('/api/dcim/platforms/?available_for_device_type=999999999')).status).toBe(400);
    expect(await refused('post', 'platforms', { name: `${prefix}-0`, slug: unique('os') })).toEqual([
      400,
      { __all__: ['Platform name must be unique.'] },
    ]);
  });
});

describe('a module type', () => {
  test('has the attributes that its profile wants', async () => {
    expect(
      await refused('post', 'module-type-profiles', { name: unique('profile'), schema: { type: 'object' } }),
    ).toEqual([400, { schema: ['JSON schema must define properties'] }]);
    const profile = await make('module-type-profiles', {
      name: unique('profile'),
      schema: {
        type: 'object',
        properties: { speed: { type: 'integer' }, kind: { type: 'string' } },
        required: ['speed'],
      },
    });
    for (const attributes of [null, {}, { speed: 'fast' }])
      expect(
        await refused('post', 'module-types', {
          manufacturer: manufacturer.id,
          model: unique('m'),
          profile: profile.id,
          attributes,
        }),
      ).toMatchObject([400, { __all__: [expect.stringMatching(/^Invalid schema: /)] }]);
    const type = await moduleType({ profile: profile.id, attributes: { speed: 10 } });
    expect(
      (await used.admin.patch(`/api/dcim/module-types/${type.id}/`, { attributes: { kind: 'fast' } })).body.attributes,
    ).toEqual({ speed: 10, kind: 'fast' });
    const found = (query: string) => used.admin.column(`/api/dcim/module-types/?id=${type.id}&${query}`, 'id');
    expect(
      await Promise.all([
        found('attr_speed=10'),
        found('attr_speed__gt=9'),
        found('attr_kind__ic=AST'),
        found('attr_speed__lt=9'),
        found('attr_other=1'),
      ]),
    ).toEqual([[type.id], [type.id], [type.id], [], []]);
    expect(
      (await used.admin.patch(`/api/dcim/module-types/${type.id}/`, { profile: null })).body.attributes,
    ).toBeNull();
  });

  test('has an airflow that modules can have', async () => {
    expect(
      await refused('post', 'module-types', { manufacturer: manufacturer.id, model: unique('m'), airflow: 'mixed' }),
    ).toEqual([400, { airflow: ['mixed is not a valid choice.'] }]);
  });
});
