import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { inBrowser, picture, useBrowser } from '../../support/browser/browser.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
const equipment = new Equipment(() => used.admin);
let admin: Session;
let site: Body;
let near: Body;
let far: Body;
let cable: Body;
let ports: [Body, Body];
const ends = (type: string, { id }: Body) => [{ object_type: type, object_id: id }];
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
  site = await equipment.site();
  near = await equipment.device({ site: site.id, name: unique('near"><img src=x>') });
  far = await equipment.device({ site: site.id });
  ports = [await equipment.interface(near), await equipment.interface(far)];
  cable = await equipment.make('dcim/cables', {
    a_terminations: ends('dcim.interface', ports[0]),
    b_terminations: ends('dcim.interface', ports[1]),
    label: unique('wire'),
    color: 'ff8800',
  });
});

const shownAt = async (path: string, session = admin): Promise<string> => {
  const { status, html } = await session.get(path);
  expect([path, status]).toEqual([path, 200]);
  expect(html).not.toMatch(/<img|style=/);
  return html;
};

describe('a trace', () => {
  test('shows the way to the other end, each part a link, as a picture and as text', async () => {
    const page = await shownAt(`/dcim/interfaces/${ports[0].id}/trace/`);
    for (const path of [
      `/dcim/devices/${near.id}/`,
      `/dcim/interfaces/${ports[0].id}/`,
      `/dcim/cables/${cable.id}/`,
      `/dcim/interfaces/${ports[1].id}/`,
      `/dcim/devices/${far.id}/`,
    ])
      expect(page.split(`href="${path}"`).length).toBeGreaterThan(2);
    expect(page).toContain('The path is complete');
    expect(page).toContain('stroke="#ff8800"');
  });
  test('is no tab where nothing is connected', async () => {
    const { id } = await equipment.interface(near);
    expect(await shownAt(`/dcim/interfaces/${id}/`)).not.toContain(`${id}/trace/`);
  });
  test('says that a path splits, and shows those over a port', async () => {
    const panel = await equipment.device({ site: site.id });
    const rear = await equipment.make('dcim/rear-ports', { device: panel.id, name: 'R', type: 'lc', positions: 2 });
    await equipment.make('dcim/front-ports', {
      device: panel.id,
      name: 'F',
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 1 }],
    });
    const from = await equipment.interface(near);
    await equipment.make('dcim/cables', {
      a_terminations: ends('dcim.interface', from),
      b_terminations: ends('dcim.rearport', rear),
    });
    expect(await shownAt(`/dcim/interfaces/${from.id}/trace/`)).toMatch(/The path (splits here|is not complete)/);
    expect(await shownAt(`/dcim/rear-ports/${rear.id}/trace/`)).toContain(`href="/dcim/interfaces/${from.id}/"`);
  });
});

describe('a topology', () => {
  test('of a site shows its devices and the cables between them', async () => {
    const other = await equipment.device();
    const page = await shownAt(`/dcim/topology/?site_id=${site.id}`);
    expect(page).toMatch(new RegExp(`class="node" href="/dcim/devices/${near.id}/"`));
    expect(page).toMatch(new RegExp(`href="/dcim/cables/${cable.id}/"[^>]*data-between="[^"]*:${far.id}`));
    expect(page).not.toContain(`/dcim/devices/${other.id}/`);
    expect(await shownAt(`/dcim/sites/${site.id}/topology/`)).toContain(`href="/dcim/cables/${cable.id}/"`);
    expect(await shownAt(`/dcim/topology/?site_id=${site.id}&kind=power`)).not.toContain(`"/dcim/cables/${cable.id}/"`);
    expect(await shownAt(`/dcim/topology/?id=${far.id}`)).toMatch(
      new RegExp(`class="node outside" href="/dcim/devices/${near.id}/"`),
    );
  });
  test('shows no more than somebody may see', async () => {
    const { name } = await userWith(used.admin, { types: ['dcim.device', 'dcim.site'], actions: ['view'] });
    const page = await shownAt(
      `/dcim/topology/?site_id=${site.id}`,
      await logIn(used.system.base, name, 'Correct-Horse-9'),
    );
    expect(page).toContain(`href="/dcim/devices/${near.id}/"`);
    expect(page).not.toContain(`/dcim/cables/${cable.id}/`);
  });
});

test('what hangs on a feed is added up', async () => {
  const panel = await equipment.make('dcim/power-panels', { site: site.id, name: unique('panel') });
  const feed = await equipment.make('dcim/power-feeds', {
    power_panel: panel.id,
    name: 'A',
    voltage: 230,
    amperage: 10,
    max_utilization: 100,
  });
  const pdu = await equipment.device({ site: site.id });
  const inlet = await equipment.make('dcim/power-ports', { device: pdu.id, name: 'in' });
  const outlet = await equipment.make('dcim/power-outlets', { device: pdu.id, name: 'out 1', power_port: inlet.id });
  const supply = await equipment.make('dcim/power-ports', { device: far.id, name: 'PSU', allocated_draw: 575 });
  for (const [a, b] of [
    [ends('dcim.powerfeed', feed), ends('dcim.powerport', inlet)],
    [ends('dcim.poweroutlet', outlet), ends('dcim.powerport', supply)],
  ])
    await equipment.make('dcim/cables', { a_terminations: a, b_terminations: b });
  const page = await shownAt(`/dcim/power-panels/${panel.id}/power/`);
  expect(page).toContain('25 % – 575 W of 2,300 W');
  expect(page).toContain(`href="/dcim/power-outlets/${outlet.id}/"`);
  expect(await shownAt(`/dcim/power-feeds/${feed.id}/`)).toContain('25 % – 575 W of 2,300 W');
});

test('circuits are lines between sites on a map', async () => {
  const [a, z] = [
    await equipment.site({ latitude: 47.4, longitude: 8.5 }),
    await equipment.site({ latitude: 52.4, longitude: 4.9 }),
  ];
  const room = await equipment.make('dcim/locations', equipment.named('room', { site: z.id }));
  const provider = await equipment.make('circuits/providers', equipment.named('provider'));
  const type = await equipment.make('circuits/circuit-types', equipment.named('type'));
  const circuit = await equipment.make('circuits/circuits', {
    cid: unique('circuit'),
    provider: provider.id,
    type: type.id,
  });
  for (const [term_side, termination_type, { id }] of [
    ['A', 'dcim.site', a],
    ['Z', 'dcim.location', room],
  ] as const)
    await equipment.make('circuits/circuit-terminations', {
      circuit: circuit.id,
      term_side,
      termination_type,
      termination_id: id,
    });
  const nowhere = await equipment.site();
  const page = await shownAt(`/circuits/map/?id=${a.id}&id=${z.id}&id=${nowhere.id}`);
  expect(page).toContain(`<a class="site" href="/dcim/sites/${a.id}/"`);
  expect(page).toContain(`<a class="circuit" href="/circuits/circuits/${circuit.id}/"`);
  expect(page).toMatch(/5°N|50°N/);
  expect(page).toContain('1 of the 3 sites has no latitude or no longitude.');
  expect(page).not.toContain(`/dcim/sites/${nowhere.id}/"`);
});

inBrowser('in a browser', () => {
  const browser = useBrowser();
  test('devices are dragged and moved by keyboard, and a drawing is searched and saved', async () => {
    const { page, errors } = await browser.open({ viewport: { width: 1280, height: 1400 } });
    const rack = await equipment.rack(site, { u_height: 12 });
    const type = await equipment.deviceType({ u_height: 2 });
    const place = { site: site.id, rack: rack.id, device_type: type.id, position: 9, face: 'front' };
    const device = await equipment.device(place);
    await page.goto(`${used.system.base}/login/?next=/dcim/racks/${rack.id}/elevation/`);
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Log in' }).click();
    const box = page.locator(`#device-${device.id}`);
    // Scripts follow the drawing.
    await page.waitForURL('**/elevation/', { waitUntil: 'load' });
    const at = (await box.boundingBox())!;
    const unit = at.height / 2;
    await page.mouse.move(at.x + at.width / 2, at.y + unit);
    await page.mouse.down();
    await page.mouse.move(at.x + at.width / 2, at.y + unit * 3, { steps: 4 });
    await page.mouse.move(at.x + at.width / 2, at.y + unit * 5, { steps: 4 });
    await page.mouse.up();
    await page.locator(`#device-${device.id}[data-position="5"]`).waitFor();
    await box.focus();
    await page.keyboard.press('m');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('[data-moving]').textContent()).toContain('U6, free');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator(`[aria-label="${rack.display}, rear"] #device-${device.id}[data-position="6"]`).waitFor();
    await picture(page, 'rack');
    const moved = await used.admin.read(`/api/dcim/devices/${device.id}/`);
    expect([moved.position, moved.face.value]).toEqual([6, 'rear']);
    await page.goto(`${used.system.base}/dcim/topology/?site_id=${site.id}`);
    await page.getByLabel('Find').fill(far.name);
    expect(await page.locator('.node:not(.dim)').count()).toBe(1);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    expect((await saved).suggestedFilename()).toBe('topology.svg');
    await picture(page, 'topology');
    expect(errors).toEqual([]);
  });
});
