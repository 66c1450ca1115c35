import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/equipment.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/visitor.ts';

const used = useSystem();
const equipment = new Equipment(() => used.admin);
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

const shownAt = async (path: string, session = admin): Promise<string> => {
  const { status, html } = await session.get(path);
  expect([path, status]).toEqual([path, 200]);
  return html;
};

describe('the elevation of a rack', () => {
  const rackWith = async (more: object = {}): Promise<{ rack: Body; site: Body; device: Body }> => {
    const site = await equipment.site();
    const rack = await equipment.rack(site, { u_height: 10 });
    const type = await equipment.deviceType({ u_height: 2, is_full_depth: false });
    const place = { site: site.id, rack: rack.id, device_type: type.id, position: 4, face: 'front' };
    return { rack, site, device: await equipment.device({ ...place, ...more }) };
  };

  test('shows devices where they stand, and leads from what is free to a filled form', async () => {
    const { rack, site, device } = await rackWith();
    const page = await shownAt(`/dcim/racks/${rack.id}/`);
    expect(page).toMatch(
      new RegExp(`href="/dcim/devices/${device.id}/"[^>]*data-position="4" data-height="2"[^>]*data-device`),
    );
    const add = (position: number, face: string) =>
      `/dcim/devices/add/?site=${site.id}&amp;rack=${rack.id}&amp;position=${position}&amp;face=${face}"`;
    expect(page).toContain(add(3, 'front'));
    expect(page).toContain(add(5, 'rear'));
    expect(page).not.toContain(add(4, 'front'));
    expect(page).not.toContain(add(5, 'front'));
    expect(page).toContain('20 % – of 10 units');
  });

  test('escapes names', async () => {
    const { rack } = await rackWith({ name: `"><img src=x>${unique()}` });
    const page = await shownAt(`/dcim/racks/${rack.id}/elevation/`);
    expect(page).not.toContain('<img');
  });

  test('moves devices without a script, and says what stands in the way', async () => {
    const { rack, device } = await rackWith();
    const path = `/dcim/racks/${rack.id}/elevation/`;
    const form = { proof: await admin.proof(path), device: String(device.id), rack: String(rack.id), face: 'rear' };
    expect(await admin.post(path, { ...form, position: '8' })).toMatchObject({
      status: 303,
      location: `${path}#device-${device.id}`,
    });
    const moved = await used.admin.read(`/api/dcim/devices/${device.id}/`);
    expect([moved.position, moved.face.value]).toEqual([8, 'rear']);
    const refused = await admin.post(path, { ...form, position: '10' });
    expect(refused.status).toBe(400);
    expect(refused.html).toMatch(/role="alert">U10.0 is already occupied[\s\S]*name="position"[^>]*value="10"/);
  });

  test('says that something is there which somebody may not see, and no more', async () => {
    const { rack, device } = await rackWith({ name: unique('secret') });
    const { name } = await userWith(used.admin, { types: ['dcim.rack'], actions: ['view'] });
    const page = await shownAt(`/dcim/racks/${rack.id}/`, await logIn(used.system.base, name, 'Correct-Horse-9'));
    expect(page).not.toContain(device.name);
    expect(page.match(/class="unseen"/g)).toHaveLength(4);
    expect(page).not.toContain('/dcim/devices/add/');
  });

  test('stands beside others, by the filters of the list', async () => {
    const { rack, site, device } = await rackWith();
    const other = await rackWith();
    const page = await shownAt(`/dcim/rack-elevations/?site_id=${site.id}`);
    expect(page).toContain(`aria-label="${rack.display}, front"`);
    expect(page).toContain(`href="/dcim/devices/${device.id}/"`);
    expect(page).not.toContain(`/dcim/racks/${other.rack.id}/"`);
    expect(await shownAt(`/dcim/rack-elevations/?site_id=${site.id}&face=both`)).toContain(`"${rack.display}, rear"`);
    expect((await admin.get('/dcim/rack-elevations/?site_id=x')).status).toBe(400);
  });
});
