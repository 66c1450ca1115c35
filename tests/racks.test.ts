import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from './support/client.ts';
import { useSystem } from './support/system.ts';
import { unique } from './support/unique.ts';

/** One grey point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

const used = useSystem();
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};
const make = (path: string, body: unknown): Promise<Body> => used.admin.make(`/api/dcim/${path}/`, body);
const refused = async (method: 'post' | 'patch', path: string, body: unknown) => {
  const answer = await used.admin[method](`/api/dcim/${path}/`, body);
  return [answer.status, answer.body];
};

let here: Body, there: Body, manufacturer: Body, role: Body;
beforeAll(async () => {
  [here, there] = await make('sites', [named('here'), named('there')]);
  manufacturer = await make('manufacturers', named('maker'));
  role = await make('device-roles', { ...named('role'), color: '0000ff' });
});

const rackIn = (more: object = {}) => make('racks', { name: unique('rack'), site: here.id, ...more });
const typeOf = (more: object = {}) => {
  const name = unique('type');
  return make('device-types', { manufacturer: manufacturer.id, model: name, slug: name, ...more });
};
const mounted = (rack: Body, type: Body, position: number, face = 'front') =>
  make('devices', {
    name: unique('device'),
    site: rack.site.id,
    location: rack.location?.id ?? null,
    rack: rack.id,
    role: role.id,
    device_type: type.id,
    position,
    face,
  });

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
    const hall = await make('locations', { ...named('hall'), site: here.id }),
      cage = await make('locations', { ...named('cage'), site: here.id, parent: hall.id });
    const rack = await rackIn({ location: cage.id }),
      device = await mounted(rack, await typeOf(), 1);
    const panel = await make('power-panels', { name: unique('panel'), site: here.id, location: hall.id });
    await used.admin.patch(`/api/dcim/locations/${hall.id}/`, { site: there.id });
    for (const path of [`locations/${cage.id}`, `racks/${rack.id}`, `devices/${device.id}`, `power-panels/${panel.id}`])
      expect([path, (await used.admin.read(`/api/dcim/${path}/`)).site.id]).toEqual([path, there.id]);
    expect(await used.admin.read(`/api/dcim/locations/${hall.id}/`)).toMatchObject({ rack_count: 1, device_count: 1 });
  });

  test('cannot go while devices are there, and leave their racks behind', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id }),
      rack = await rackIn({ location: hall.id });
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
    const rack = await rackIn(),
      device = await mounted(rack, await typeOf(), 3);
    const hall = await make('locations', { ...named('hall'), site: there.id });
    await used.admin.patch(`/api/dcim/racks/${rack.id}/`, { site: there.id, location: hall.id });
    expect(await used.admin.read(`/api/dcim/devices/${device.id}/`)).toMatchObject({
      site: { id: there.id },
      location: { id: hall.id },
    });
  });

  test('take the ends of cables along, as do devices and locations', async () => {
    const hall = await make('locations', { ...named('hall'), site: here.id }),
      rack = await rackIn({ location: hall.id }),
      device = await mounted(rack, await typeOf(), 3);
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
    const serial = unique('SER'),
      rack = await rackIn({ serial });
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
  const rack = await rackIn({ facility_id: 'F-9' }),
    device = await mounted(rack, await typeOf(), 1);
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

describe('an elevation', () => {
  test('shows half units from the top, and what stands in them', async () => {
    const rack = await rackIn({ u_height: 5 }),
      whole = await mounted(rack, await typeOf(), 2),
      flat = await mounted(rack, await typeOf({ u_height: 1.5, is_full_depth: false }), 3.5);
    const { count, next, results } = await used.admin.read(`/api/dcim/racks/${rack.id}/elevation/?limit=5`);
    expect([count, next, results.map((u: Body) => [u.id, u.device?.id ?? null, u.occupied])]).toEqual([
      10,
      expect.stringContaining(`/racks/${rack.id}/elevation/?limit=5&offset=5`),
      [
        [5.5, null, false],
        [5, null, false],
        [4.5, flat.id, true],
        [4, flat.id, true],
        [3.5, flat.id, true],
      ],
    ]);
    expect(results[4]).toEqual({
      id: 3.5,
      name: 'U3.5',
      face: { value: 'front', label: 'Front' },
      occupied: true,
      display: 'U3.5',
      description: flat.name,
      device: { id: flat.id, url: flat.url, display: flat.name, name: flat.name, description: '' },
    });
    const units = async (query: string) =>
      (await used.admin.read(`/api/dcim/racks/${rack.id}/elevation/?limit=0&${query}`)).results
        .filter((u: Body) => u.occupied)
        .map((u: Body) => u.id);
    expect(await units('face=rear')).toEqual([2.5, 2]);
    expect(await units('expand_devices=false')).toEqual([3.5, 2]);
    expect(await units(`exclude=${whole.id}`)).toEqual([4.5, 4, 3.5]);
    expect(await units('q=U4')).toEqual([4.5, 4]);
    await used.admin.patch(`/api/dcim/racks/${rack.id}/`, { desc_units: true });
    expect(await units('')).toEqual([2, 2.5, 3.5, 4, 4.5]);
  });

  test('tells nobody of devices that they may not see, but that the units are taken', async () => {
    const rack = await rackIn({ u_height: 3 }),
      device = await mounted(rack, await typeOf(), 2),
      name = unique('user'),
      password = 'Correct-horse-battery-9';
    const { id } = await used.admin.make('/api/users/users/', { username: name, password });
    await used.admin.make('/api/users/permissions/', {
      name,
      object_types: ['dcim.rack'],
      actions: ['view'],
      users: [id],
      constraints: { id: rack.id },
    });
    const { body: token } = await used.admin.as().post('/api/users/tokens/provision/', { username: name, password });
    const someone = used.admin.as(`Bearer svc_${token.key}.${token.token}`),
      at = (more: string) => `/api/dcim/racks/${rack.id}/elevation/?${more}`;
    expect((await someone.read(at('q=U2'))).results).toMatchObject([
      { name: 'U2.5', device: null, occupied: true, display: 'U2.5' },
      { name: 'U2', device: null, occupied: true },
    ]);
    const { text } = await someone.get(at('render=svg'));
    expect([text.includes('class="blocked"'), text.includes(device.name)]).toEqual([true, false]);
    expect((await someone.get(`/api/dcim/racks/${(await rackIn()).id}/elevation/`)).status).toBe(404);
  });

  test('is drawn', async () => {
    const rack = await rackIn({ u_height: 5 }),
      device = await mounted(rack, await typeOf(), 2);
    await make('rack-reservations', { rack: rack.id, units: [4], user: 1, description: 'for <them>' });
    const { status, headers, text } = await used.admin.get(
      `/api/dcim/racks/${rack.id}/elevation/?render=svg&unit_width=300&unit_height=10&legend_width=20&margin_width=8`,
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(text).toMatch(/^<svg [^>]*width="332" height="54"/);
    expect(text).toContain(`/dcim/devices/${device.id}/`);
    expect(text).toContain('fill="#0000ff"');
    expect(text).toContain('for &lt;them&gt;');
  });

  test('is drawn with the images of types', async () => {
    const slug = unique('type'),
      form = new FormData();
    for (const [name, value] of Object.entries({ manufacturer: String(manufacturer.id), model: slug, slug }))
      form.set(name, value);
    form.set('front_image', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'front.png');
    const sent = new Response(form);
    const { body: type } = await used.admin.ask('POST', '/api/dcim/device-types/', {
      raw: new Uint8Array(await sent.arrayBuffer()),
      headers: { 'Content-Type': sent.headers.get('content-type')! },
    });
    expect(type.front_image).toMatch(/\/media\/devicetype-images\/front_\w+\.png$/);
    expect(
      await used.admin.column(`/api/dcim/device-types/?has_front_image=true&has_rear_image=false&slug=${slug}`, 'id'),
    ).toEqual([type.id]);
    const rack = await rackIn({ u_height: 5 });
    await mounted(rack, type, 2);
    const drawn = async (query: string) =>
      (await used.admin.get(`/api/dcim/racks/${rack.id}/elevation/?render=svg&${query}`)).text.includes(
        `<image href="${type.front_image}"`,
      );
    expect(await Promise.all([drawn(''), drawn('include_images=false'), drawn('face=rear')])).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('refuses what it cannot read, and racks that are not there', async () => {
    const rack = await rackIn();
    expect(
      await used.admin.get(
        `/api/dcim/racks/${rack.id}/elevation/?face=top&render=png&unit_width=wide&expand_devices=perhaps&exclude=x&unit_height=0`,
      ),
    ).toMatchObject({
      status: 400,
      body: {
        face: ['"top" is not a valid choice.'],
        render: ['"png" is not a valid choice.'],
        unit_width: ['A valid integer is required.'],
        expand_devices: ['Must be a valid boolean.'],
        exclude: ['A valid integer is required.'],
        unit_height: ['Ensure this value is greater than or equal to 1.'],
      },
    });
    expect((await used.admin.get('/api/dcim/racks/999999999/elevation/')).status).toBe(404);
    expect((await used.admin.post(`/api/dcim/racks/${rack.id}/elevation/`, {})).status).toBe(405);
  });
});
