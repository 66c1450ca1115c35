import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { used, make, manufacturer, rackIn, typeOf, mounted } from '../../support/objects/racks.ts';

/** One grey point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

describe('occupied units', () => {
  const at = '/api/dcim/racks/occupied-units/';

  test('of several racks at once, on each face', async () => {
    const [one, two] = [await rackIn({ u_height: 5 }), await rackIn({ u_height: 5 })];
    await mounted(one, await typeOf(), 2);
    await mounted(one, await typeOf({ u_height: 1.5, is_full_depth: false }), 3.5);
    const { results } = await used.admin.read(`${at}?id=${one.id}&id=${two.id}&id=999999999`);
    expect(results.sort((a: Body, b: Body) => a.id - b.id)).toEqual([
      { id: one.id, front: [2, 2.5, 3.5, 4, 4.5], rear: [2, 2.5] },
      { id: two.id, front: [], rear: [] },
    ]);
    expect((await used.admin.read(at)).results).toEqual([]);
  });

  test('only of racks that one may see, and of no more than a hundred', async () => {
    const [one, two] = [await rackIn({ u_height: 5 }), await rackIn({ u_height: 5 })];
    const grant = { types: ['dcim.rack'], actions: ['view'], constraints: { id: one.id } };
    const { client } = await userWith(used.admin, grant);
    const { results } = await client.read(`${at}?id=${one.id}&id=${two.id}`);
    expect(results).toEqual([{ id: one.id, front: [], rear: [] }]);
    const { client: other } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
    expect((await other.get(`${at}?id=${one.id}`)).status).toBe(403);
    expect((await used.admin.get(`${at}?id=x`)).status).toBe(400);
    expect((await used.admin.get(`${at}?${'id=1&'.repeat(101)}`)).status).toBe(400);
  });
});

describe('an elevation', () => {
  test('shows half units from the top, and what stands in them', async () => {
    const rack = await rackIn({ u_height: 5 });
    const whole = await mounted(rack, await typeOf(), 2);
    const flat = await mounted(rack, await typeOf({ u_height: 1.5, is_full_depth: false }), 3.5);
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
    const rack = await rackIn({ u_height: 3 });
    const device = await mounted(rack, await typeOf(), 2);
    const name = unique('user');
    const password = 'Correct-horse-battery-9';
    const { id } = await used.admin.make('/api/users/users/', { username: name, password });
    await used.admin.make('/api/users/permissions/', {
      name,
      object_types: ['dcim.rack'],
      actions: ['view'],
      users: [id],
      constraints: { id: rack.id },
    });
    const { body: token } = await used.admin.as().post('/api/users/tokens/provision/', { username: name, password });
    const someone = used.admin.as(`Bearer svc_${token.key}.${token.token}`);
    const at = (more: string) => `/api/dcim/racks/${rack.id}/elevation/?${more}`;
    expect((await someone.read(at('q=U2'))).results).toMatchObject([
      { name: 'U2.5', device: null, occupied: true, display: 'U2.5' },
      { name: 'U2', device: null, occupied: true },
    ]);
    const { text } = await someone.get(at('render=svg'));
    expect([text.includes('class="blocked"'), text.includes(device.name)]).toEqual([true, false]);
    expect((await someone.get(`/api/dcim/racks/${(await rackIn()).id}/elevation/`)).status).toBe(404);
  });

  test('is drawn', async () => {
    const rack = await rackIn({ u_height: 5 });
    const device = await mounted(rack, await typeOf(), 2);
    await make('rack-reservations', { rack: rack.id, units: [4], user: 1, description: 'for <them>' });
    const { status, headers, text } = await used.admin.get(
      `/api/dcim/racks/${rack.id}/elevation/?render=svg&unit_width=300&unit_height=10&legend_width=20&margin_width=8`,
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(headers.get('content-security-policy')).toContain("style-src 'unsafe-inline'");
    expect(text).toMatch(/^<svg [^>]*width="332" height="54"/);
    expect(text).toContain(`/dcim/devices/${device.id}/`);
    expect(text).toContain('fill="#0000ff"');
    expect(text).toContain('for &lt;them&gt;');
  });

  test('is drawn with the images of types', async () => {
    const slug = unique('type');
    const form = new FormData();
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
