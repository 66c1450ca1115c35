// Parts of other objects: pages that lead back to the parent, lists in objects that are filled in row by row, and
// what a deletion would delete as well.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { PageForm } from '../../support/pages/pageForm.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
let admin: Session;
let maker: Body;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
  const slug = unique('maker');
  maker = await used.admin.make('/api/dcim/manufacturers/', { name: slug, slug });
});

const read = async (path: string): Promise<string> => {
  const { status, html } = await admin.get(path);
  expect([path, status]).toEqual([path, 200]);
  return html;
};
/** Submits a form of a page, with some fields as given; several values of one name are joined by commas. */
const send = async (path: string, more: Record<string, string>, html?: string) =>
  admin.post(path, { ...Object.fromEntries(new PageForm(html ?? (await read(path))).sent()), ...more });
const typed = async (): Promise<Body> => {
  const slug = unique('type');
  return used.admin.make('/api/dcim/device-types/', { manufacturer: maker.id, model: slug, slug });
};
const deviceIn = async (site: Body, type?: Body): Promise<Body> => {
  const slug = unique('role');
  const role = await used.admin.make('/api/dcim/device-roles/', { name: slug, slug });
  const device_type = (type ?? (await typed())).id;
  return used.admin.make('/api/dcim/devices/', { name: unique('device'), site: site.id, role: role.id, device_type });
};
const anySite = async (): Promise<Body> => {
  const slug = unique('site');
  return used.admin.make('/api/dcim/sites/', { name: slug, slug });
};
const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)![1]!.replaceAll('&amp;', '&');

describe('parts of an object', () => {
  test('are added by ranges, changed and deleted from its tab, and all of that leads back there', async () => {
    const type = await typed();
    const tab = `/dcim/device-types/${type.id}/interface-templates/`;
    const add = attribute(await read(tab), /href="(\/dcim\/interface-templates\/add\/[^"]*)">Add/);
    const added = await send(add, { name: 'eth[0-2]', type: '1000base-t' });
    expect([added.status, added.location]).toEqual([303, tab]);
    const shown = await read(tab);
    expect(shown.match(/name="pk"/g)).toHaveLength(3);
    // The page itself names the type that all of them belong to.
    expect(shown).not.toMatch(/<th scope="col">(Device|Module) type/);

    const edit = attribute(shown, /href="(\/dcim\/interface-templates\/\d+\/edit\/[^"]*)"/);
    const changed = await send(edit, { label: 'first' });
    expect([changed.status, changed.location]).toEqual([303, tab]);
    expect(await read(tab)).toContain('first');

    const remove = attribute(shown, /formaction="(\/dcim\/interface-templates\/delete\/[^"]*)"/);
    const pk = /name="pk" value="(\d+)"/.exec(shown)![1]!;
    const asked = await admin.post(remove, { csrf_token: await admin.csrfToken(tab), pk });
    const action = attribute(asked.html, /<form class="edit bulk-form" method="post" action="([^"]*)"/);
    const done = await admin.post(action, { csrf_token: await admin.csrfToken(tab), pk, _apply: '1' });
    expect([done.status, done.location]).toEqual([303, `${tab}?_done=deleted.1`]);
    expect((await read(done.location!)).match(/name="pk"/g)).toHaveLength(2);
  });

  test('members of a chassis stand on its page in their order, and lead to their form and back', async () => {
    const site = await anySite();
    const chassis = await used.admin.make('/api/dcim/virtual-chassis/', { name: unique('chassis') });
    const devices = await Promise.all([deviceIn(site), deviceIn(site)]);
    for (const [i, { id }] of devices.entries())
      await used.admin.patch(`/api/dcim/devices/${id}/`, { virtual_chassis: chassis.id, vc_position: 2 - i });
    const path = `/dcim/virtual-chassis/${chassis.id}/`;
    const html = await read(path);
    const [first, second] = devices.map(({ id }) => html.indexOf(`href="/dcim/devices/${id}/"`)) as [number, number];
    expect([second > 0, first > second]).toEqual([true, true]);
    const edit = attribute(html, new RegExp(`href="(/dcim/devices/${devices[0].id}/edit/[^"]*)"`));
    expect((await send(edit, { vc_priority: '7' })).location).toBe(path);
  });

  test('nobody is led elsewhere', async () => {
    const site = await anySite();
    const path = `/dcim/sites/${site.id}/edit/?return_url=${encodeURIComponent('//evil.example/')}`;
    expect((await send(path, {})).location).toBe(`/dcim/sites/${site.id}/`);
  });

  test('a contact of an object is given another priority, and the contacts are shown again', async () => {
    const site = await anySite();
    const slug = unique('contact');
    const contact = await used.admin.make('/api/tenancy/contacts/', { name: slug });
    const role = await used.admin.make('/api/tenancy/contact-roles/', { name: slug, slug });
    const about = { object_type: 'dcim.site', object_id: site.id, contact: contact.id, role: role.id };
    const { id } = await used.admin.make('/api/tenancy/contact-assignments/', about);
    const tab = `/dcim/sites/${site.id}/contacts/`;
    const edit = attribute(await read(tab), /href="(\/tenancy\/contact-assignments\/\d+\/edit\/[^"]*)"/);
    expect((await send(edit, { priority: 'primary' })).location).toBe(tab);
    expect(await used.admin.read(`/api/tenancy/contact-assignments/${id}/`)).toMatchObject({
      priority: { value: 'primary' },
    });
  });
});

describe('rows in a form', () => {
  test('ports are mapped without scripts: rows come and go with everything that was typed', async () => {
    const device = await deviceIn(await anySite());
    const rears = await Promise.all(
      ['r1', 'r2'].map((name) =>
        used.admin.make('/api/dcim/rear-ports/', { device: device.id, name, type: '8p8c', positions: 2 }),
      ),
    );
    const path = `/dcim/front-ports/add/?device=${device.id}`;
    const typedIn = {
      name: 'f1',
      type: '8p8c',
      positions: '2',
      'rear_ports.0.rear_port': String(rears[0].id),
      'rear_ports.0.rear_port_position': '2',
    };
    const more = await send(path, { ...typedIn, _row: 'rear_ports' });
    expect(more.status).toBe(200);
    const form = new PageForm(more.html);
    expect([form.names.has('rear_ports.1.rear_port'), Object.fromEntries(form.sent())]).toEqual([
      true,
      expect.objectContaining({ ...typedIn, 'rear_ports.1.position': '1' }),
    ]);
    // A chosen object is shown by its name, although nothing has been saved yet.
    expect(more.html).toMatch(/<option value="\d+" selected>r1<\/option>/);
    const both = {
      'rear_ports.1.rear_port': String(rears[1].id),
      'rear_ports.1.position': '2',
      'rear_ports.1.rear_port_position': '1',
    };
    const made = await send(path, both, more.html);
    expect(made.status).toBe(303);
    const port = `/api${made.location}`;
    expect((await used.admin.read(port)).rear_ports).toEqual([
      { position: 1, rear_port: rears[0].id, rear_port_position: 2 },
      { position: 2, rear_port: rears[1].id, rear_port_position: 1 },
    ]);
    expect(await read(made.location!)).toMatch(/<a href="\/dcim\/rear-ports\/\d+\/">r2<\/a>/);

    const less = await send(`${made.location}edit/`, { _drop: 'rear_ports.0' });
    expect(less.status).toBe(200);
    expect((await send(`${made.location}edit/`, {}, less.html)).status).toBe(303);
    expect((await used.admin.read(port)).rear_ports).toEqual([
      { position: 2, rear_port: rears[1].id, rear_port_position: 1 },
    ]);
  });

  test('a cable is made between what an address names, and a refusal keeps its ends', async () => {
    const site = await anySite();
    const [a, b] = await Promise.all(
      [0, 1].map(async () => {
        const device = await deviceIn(site);
        return used.admin.make('/api/dcim/interfaces/', { device: device.id, name: unique('eth'), type: '1000base-t' });
      }),
    );
    const ends = `a_terminations_type=dcim.interface&a_terminations=${a.id}&b_terminations_type=dcim.interface&b_terminations=${b.id}`;
    const path = `/dcim/cables/add/?${ends}`;
    const page = await read(path);
    expect(page).toContain(`selected>${a.name}</option>`);
    const refused = await send(path, { length: '7' });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(`selected>${b.name}</option>`);
    const made = await send(path, { length: '7', length_unit: 'm' }, refused.html);
    expect(made.status).toBe(303);
    const cable = await used.admin.read(`/api${made.location}`);
    expect([cable.a_terminations[0].object_id, cable.b_terminations[0].object_id]).toEqual([a.id, b.id]);
    const edit = await read(`${made.location}edit/`);
    expect(edit).toMatch(new RegExp(`name="a_terminations\\.0\\._in"[\\s\\S]*?selected>${a.device.display}<`));
    expect(await read(made.location!)).toContain(`/dcim/interfaces/${a.id}/`);
  });

  test('choices are typed one by one, and one that is only labelled is called so', async () => {
    const name = unique('set');
    const made = await send('/extras/custom-field-choices/add/', {
      name,
      'extra_choices.0.value': 'red',
      'extra_choices.0.label': 'Red one',
      'extra_choices.3.label': 'plain',
      'choice_colors.0.value': 'red',
      'choice_colors.0.color': 'red',
    });
    expect(made.status).toBe(303);
    const [set] = (await used.admin.read(`/api/extras/custom-field-choice-sets/?name=${name}`)).results;
    expect(set).toMatchObject({
      extra_choices: [
        ['red', 'Red one'],
        ['plain', 'plain'],
      ],
      choice_colors: { red: 'red' },
    });
  });
});

describe('what a deletion would do', () => {
  const countsIn = (html: string, title: string): Record<string, number> => {
    const [, section = ''] = new RegExp(`<h2>${title}</h2>([\\s\\S]*?)</section>`).exec(html) ?? [];
    return Object.fromEntries(
      [...section.matchAll(/<li><span>(?:<a [^>]*>)?([^<:]+)[\s\S]*?<span class="count">(\d+)<\/span>/g)].map(
        ([, label, count]) => [label!, Number(count)],
      ),
    );
  };

  test('is what it does: over several services, and all that hangs on what goes', async () => {
    const site = await anySite();
    const type = await typed();
    await used.admin.make('/api/dcim/interface-templates/', { device_type: type.id, name: 'eth0', type: '1000base-t' });
    const device = await deviceIn(site, type);
    const [port] = (await used.admin.read(`/api/dcim/interfaces/?device_id=${device.id}`)).results;
    const below = await used.admin.make('/api/dcim/interfaces/', {
      device: device.id,
      name: 'eth0.1',
      type: 'virtual',
      parent: port.id,
    });
    await used.admin.make('/api/ipam/ip-addresses/', {
      address: '10.201.7.1/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: below.id,
    });
    await used.admin.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
      comments: 'cleaned',
    });
    const path = `/dcim/devices/${device.id}/delete/`;
    const stopped = countsIn(await read(path), 'These stand in the way');
    // A parent prevents the deletion of its interface, but not when both are deleted.
    expect(stopped).toEqual({});
    const foreseen = countsIn(await read(path), 'These go along');
    expect(foreseen).toEqual({ Interfaces: 2, 'IP addresses': 1, 'Journal entries': 1 });

    const gone = await send(path, {});
    const [, request] = /_deleted=([\da-f-]{36})/.exec(gone.location!)!;
    await eventually(async () => {
      const records = `/api/core/object-changes/?request_id=${request}&action=delete&limit=0`;
      const types = (await used.admin.read(records)).results.map((one: Body) => one.changed_object_type);
      expect(types.toSorted()).toEqual([
        'dcim.device',
        'dcim.interface',
        'dcim.interface',
        'extras.journalentry',
        'ipam.ipaddress',
      ]);
    });
  });

  test('of several is confirmed at once, and what protects one of them is named', async () => {
    const [empty, used1] = [await anySite(), await anySite()];
    const rack = await used.admin.make('/api/dcim/racks/', { name: unique('rack'), site: used1.id });
    const html = await read(`/dcim/sites/delete/?pk=${empty.id}&pk=${used1.id}`);
    expect(countsIn(html, 'These stand in the way')).toEqual({ Racks: 1 });
    expect(html).toContain(rack.name);
  });

  test('says nothing of what somebody may not view, but that something stands in the way', async () => {
    const site = await anySite();
    const rack = await used.admin.make('/api/dcim/racks/', { name: unique('rack'), site: site.id });
    const location = unique('location');
    await used.admin.make('/api/dcim/locations/', { name: location, slug: location, site: site.id });
    const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'delete'] });
    const guest = await logIn(used.system.base, name, 'Correct-Horse-9');
    const { status, html } = await guest.get(`/dcim/sites/${site.id}/delete/`);
    expect(status).toBe(200);
    expect(countsIn(html, 'These stand in the way')).toEqual({ Racks: 1 });
    expect(countsIn(html, 'These go along')).toEqual({});
    expect(html).not.toContain(rack.name);
    expect(html).not.toContain(location);
  });
});

test('models, fields and groups are called in the language of who reads', async () => {
  const site = await anySite();
  const response = await fetch(`${used.system.base}/dcim/sites/${site.id}/edit/`, {
    headers: { cookie: admin.cookie, 'accept-language': 'de' },
  });
  const html = await response.text();
  expect(html).toMatch(/<legend>Standort<\/legend>[\s\S]*>Mandant<[\s\S]*>Zeitzone<|<legend>Lage<\/legend>/);
  expect(html).toContain('Geräte');
  expect(await read(`/dcim/sites/${site.id}/edit/`)).toContain('<legend>Site</legend>');
});

test('attributes and requests are filters of a form, too', async () => {
  const profile = await used.admin.make('/api/dcim/module-type-profiles/', {
    name: unique('profile'),
    schema: { properties: { wattage_of_parts: { type: 'integer', title: 'Wattage of parts' } } },
  });
  const types = await Promise.all(
    [100, 900].map((wattage_of_parts) =>
      used.admin.make('/api/dcim/module-types/', {
        manufacturer: maker.id,
        model: unique('module'),
        profile: profile.id,
        attributes: { wattage_of_parts },
      }),
    ),
  );
  const form = await read('/dcim/module-types/?_show=filters');
  expect(form).toContain('name="attr_wattage_of_parts"');
  expect(form).toContain('name="created_by_request"');
  const { location } = await admin.get(
    '/dcim/module-types/?_filter=1&attr_wattage_of_parts=500&_lookup.attr_wattage_of_parts=gte',
  );
  const list = await read(location!);
  expect([list.includes(types[0].model), list.includes(types[1].model)]).toEqual([false, true]);
  expect(list).toContain('class="chips"');
  // The form shows the filters that are applied.
  expect(await read(`${location}&_show=filters`)).toMatch(/name="attr_wattage_of_parts"[^>]*value="500"/);
});
