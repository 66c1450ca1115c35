import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { unique } from '../../support/unique.ts';
import {
  used,
  named,
  make,
  refused,
  here,
  there,
  manufacturer,
  role,
  rackIn,
  typeOf,
  mounted,
} from '../../support/objects/racks.ts';

describe('locations', () => {
  test('lie in the site of what they lie in, and have names of their own there', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id });
    expect(await refused('post', 'locations', { ...named('cage'), site: there.id, parent: hall.id })).toEqual([
      400,
      { __all__: [`Parent location (${hall.name}) must belong to the same site (${there.name}).`] },
    ]);
    expect(await refused('post', 'locations', { name: hall.name, slug: hall.slug, site: here.id })).toEqual([
      400,
      {
        __all__: [
          'A location with this name already exists within the specified site.',
          'A location with this slug already exists within the specified site.',
        ],
      },
    ]);
    const cage = await make('locations', { name: hall.name, slug: hall.slug, site: here.id, parent: hall.id });
    expect(cage).toMatchObject({
      _depth: 1,
      parent: { id: hall.id, slug: hall.slug, _depth: 0 },
      status: { value: 'active' },
    });
    expect(
      await refused('post', 'locations', { name: hall.name, slug: unique('x'), site: here.id, parent: hall.id }),
    ).toEqual([400, { __all__: ['Location with this Site, Parent and Name already exists.'] }]);
    expect(await refused('patch', `locations/${hall.id}`, { parent: cage.id })).toEqual([
      400,
      { parent: ['Cannot assign self or child location as parent.'] },
    ]);
  });

  test('take along what is in them when they move to another site', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id });
    const cage = await make('locations', { ...named('cage'), site: here.id, parent: hall.id });
    const rack = await rackIn({ location: cage.id });
    const device = await mounted(rack, await typeOf(), 1);
    const panel = await make('power-panels', { name: unique('panel'), site: here.id, location: hall.id });
    await used.admin.patch(`/api/dcim/locations/${hall.id}/`, { site: there.id });
    for (const path of [`locations/${cage.id}`, `racks/${rack.id}`, `devices/${device.id}`, `power-panels/${panel.id}`])
      expect([path, (await used.admin.read(`/api/dcim/${path}/`)).site.id]).toEqual([path, there.id]);
    expect(await used.admin.read(`/api/dcim/locations/${hall.id}/`)).toMatchObject({ rack_count: 1, device_count: 1 });
  });

  test('cannot go while devices are there, and leave their racks behind', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id });
    const rack = await rackIn({ location: hall.id });
    const device = await mounted(rack, await typeOf(), 1);
    expect((await used.admin.delete(`/api/dcim/locations/${hall.id}/`)).status).toBe(409);
    await used.admin.delete(`/api/dcim/devices/${device.id}/`);
    expect((await used.admin.delete(`/api/dcim/locations/${hall.id}/`)).status).toBe(204);
    expect(await used.admin.read(`/api/dcim/racks/${rack.id}/`)).toMatchObject({
      location: null,
      site: { id: here.id },
    });
  });
});

describe('racks', () => {
  test('need units for what they measure and weigh, and stand in their location', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id });
    for (const [more, message] of [
      [{ weight: 10 }, 'Must specify a unit when setting a weight'],
      [{ max_weight: 10 }, 'Must specify a unit when setting a maximum weight'],
      [{ outer_depth: 10 }, 'Must specify a unit when setting an outer dimension'],
      [{ site: there.id, location: hall.id }, `Assigned location must belong to parent site (${there.name}).`],
    ] as const)
      expect(await refused('post', 'racks', { name: unique('rack'), site: here.id, ...more })).toEqual([
        400,
        { __all__: [message] },
      ]);
    expect(await rackIn({ outer_unit: 'mm' })).toMatchObject({
      outer_unit: null,
      u_height: 42,
      width: { value: 19, label: '19 inches' },
    });
  });

  test('are as their type says, also when it changes', async () => {
    const slug = unique('racktype');
    const type = await make('rack-types', {
      manufacturer: manufacturer.id,
      model: slug,
      slug,
      form_factor: '4-post-cabinet',
      u_height: 20,
      weight: 100,
      weight_unit: 'lb',
    });
    const rack = await rackIn({ rack_type: type.id, u_height: 42, weight: 1, weight_unit: 'kg' });
    expect(rack).toMatchObject({
      u_height: 20,
      weight: 100,
      weight_unit: { value: 'lb' },
      form_factor: { value: '4-post-cabinet' },
      rack_type: { rack_count: 1 },
    });
    await used.admin.patch(`/api/dcim/rack-types/${type.id}/`, { u_height: 30 });
    expect(await used.admin.read(`/api/dcim/racks/${rack.id}/`)).toMatchObject({ u_height: 30 });
    await mounted(rack, await typeOf(), 25);
    expect(await refused('patch', `rack-types/${type.id}`, { u_height: 10 })).toEqual([
      400,
      { u_height: ['Rack must be at least 25.0U tall to house currently installed devices.'] },
    ]);
    expect((await used.admin.delete(`/api/dcim/rack-types/${type.id}/`)).status).toBe(409);
    expect(await used.admin.column(`/api/dcim/rack-types/?rack_count__gte=1&model=${slug}`, 'model')).toEqual([slug]);
  });

  test('keep the units in which devices are mounted', async () => {
    const rack = await rackIn({ u_height: 10 });
    await mounted(rack, await typeOf({ u_height: 1.5 }), 8);
    expect(await refused('patch', `racks/${rack.id}`, { u_height: 8 })).toEqual([
      400,
      { u_height: ['Rack must be at least 8.5U tall to house currently installed devices.'] },
    ]);
    expect(await refused('patch', `racks/${rack.id}`, { starting_unit: 9 })).toEqual([
      400,
      { starting_unit: ['Rack unit numbering must begin at 8.0 or less to house currently installed devices.'] },
    ]);
    expect((await used.admin.patch(`/api/dcim/racks/${rack.id}/`, { u_height: 9, starting_unit: 2 })).status).toBe(200);
  });

  test('take their devices along', async () => {
    const rack = await rackIn();
    const device = await mounted(rack, await typeOf(), 3);
    const hall = await make('locations', { ...named('hall'), site: there.id });
    await used.admin.patch(`/api/dcim/racks/${rack.id}/`, { site: there.id, location: hall.id });
    expect(await used.admin.read(`/api/dcim/devices/${device.id}/`)).toMatchObject({
      site: { id: there.id },
      location: { id: hall.id },
    });
  });

  test('take the ends of cables along, as do devices and locations', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id });
    const rack = await rackIn({ location: hall.id });
    const device = await mounted(rack, await typeOf(), 3);
    const [a, b] = await make(
      'interfaces',
      ['a', 'b'].map((name) => ({ device: device.id, name, type: '1000base-t' })),
    );
    const end = ({ id }: Body) => [{ object_type: 'dcim.interface', object_id: id }];
    const cable = await make('cables', { a_terminations: end(a), b_terminations: end(b) });
    const found = async (query: string) =>
      (await used.admin.column(`/api/dcim/cables/?id=${cable.id}&${query}`, 'id')).length;
    expect(
      await Promise.all([found(`site_id=${here.id}`), found(`location_id=${hall.id}`), found(`rack_id=${rack.id}`)]),
    ).toEqual([1, 1, 1]);
    await used.admin.patch(`/api/dcim/locations/${hall.id}/`, { site: there.id });
    expect(await Promise.all([found(`site_id=${here.id}`), found(`site_id=${there.id}`)])).toEqual([0, 1]);
    await used.admin.patch(`/api/dcim/racks/${rack.id}/`, { site: here.id, location: null });
    expect(await Promise.all([found(`site_id=${here.id}`), found(`location_id=${hall.id}`)])).toEqual([1, 0]);
    await used.admin.patch(`/api/dcim/devices/${device.id}/`, {
      rack: null,
      position: null,
      face: null,
      site: there.id,
    });
    expect(await Promise.all([found(`site_id=${there.id}`), found(`rack_id=${rack.id}`)])).toEqual([1, 0]);
  });

  test('are found by serial whatever its case, by maker, and by place with what is above', async () => {
    const serial = unique('SER');
    const rack = await rackIn({ serial });
    expect(await used.admin.column(`/api/dcim/racks/?serial=${serial.toLowerCase()}`)).toEqual([rack.name]);
    expect(await used.admin.column(`/api/dcim/racks/?serial__n=${serial}&name=${rack.name}`)).toEqual([]);
    expect(await used.admin.column(`/api/dcim/racks/?manufacturer=${manufacturer.slug}&name=${rack.name}`)).toEqual([]);
  });
});

describe('reservations', () => {
  const reserve = (rack: Body, units: unknown) => ({ rack: rack.id, units, user: 1, description: 'kept free' });

  test('are of units that the rack has and that nobody else has reserved', async () => {
    const rack = await rackIn({ u_height: 10, starting_unit: 5 });
    const first = await make('rack-reservations', reserve(rack, [5, 6]));
    expect(first).toMatchObject({
      display: `Reservation for rack ${rack.name}`,
      unit_count: 2,
      status: { value: 'active' },
    });
    for (const [units, message] of [
      [[4, 14, 15], 'Invalid unit(s) for 10U rack: 4, 15'],
      [[6, 7], 'The following units have already been reserved: 6'],
      [[], 'This field cannot be blank.'],
    ] as const)
      expect(await refused('post', 'rack-reservations', reserve(rack, units))).toEqual([400, { units: [message] }]);
    expect(await refused('post', 'rack-reservations', reserve(rack, ['x']))).toEqual([
      400,
      { units: { 0: ['A valid integer is required.'] } },
    ]);
    expect((await used.admin.patch(`/api/dcim/rack-reservations/${first.id}/`, { units: [6, 7] })).body.units).toEqual([
      6, 7,
    ]);
    expect(
      await used.admin.column(
        `/api/dcim/rack-reservations/?rack_id=${rack.id}&unit=7&unit_count_min=2&unit_count_max=2`,
        'id',
      ),
    ).toEqual([first.id]);
    expect(await used.admin.column(`/api/dcim/rack-reservations/?rack_id=${rack.id}&unit_count_min=3`, 'id')).toEqual(
      [],
    );
  });

  test('of the same unit in one request refuse the later one', async () => {
    const rack = await rackIn();
    expect(await refused('post', 'rack-reservations', [reserve(rack, [1, 2]), reserve(rack, [2])])).toEqual([
      400,
      [{}, { units: ['The following units have already been reserved: 2'] }],
    ]);
  });

  test('of many who want the same unit are one', async () => {
    const rack = await rackIn();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => used.admin.post('/api/dcim/rack-reservations/', reserve(rack, [7]))),
    );
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
    expect(await used.admin.column(`/api/dcim/rack-reservations/?rack_id=${rack.id}`, 'units')).toEqual([[7]]);
  });
});

test('a rack is called by its name and its number in the facility, wherever it is shown', async () => {
  const rack = await rackIn({ facility_id: 'F-9' });
  const device = await mounted(rack, await typeOf(), 1);
  expect([rack.display, device.rack.display]).toEqual([`${rack.name} (F-9)`, `${rack.name} (F-9)`]);
  await used.admin.patch(`/api/dcim/racks/${rack.id}/`, { facility_id: null });
  expect((await used.admin.read(`/api/dcim/devices/${device.id}/`)).rack.display).toBe(rack.name);
  expect(
    await refused('post', 'devices', {
      name: unique('device'),
      site: there.id,
      rack: rack.id,
      role: role.id,
      device_type: device.device_type.id,
    }),
  ).toMatchObject([400, { rack: [expect.stringContaining(`Rack ${rack.name} does not belong to site`)] }]);
});
