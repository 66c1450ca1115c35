import { beforeAll, describe, expect, test } from '@jest/globals';
import { PNG } from '@cadastre/rest/testing/images';
import type { Body } from '../../support/client.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

const site = async (more: object = {}): Promise<Body> => {
  const name = unique('site');
  return used.admin.make('/api/dcim/sites/', { name, slug: name, ...more });
};
const pageOf = ({ id }: Body): string => `/dcim/sites/${id}/`;
const read = async (path: string): Promise<string> => {
  const { status, html } = await admin.get(path);
  expect([path, status]).toEqual([path, 200]);
  return html;
};
async function send(path: string, form: Record<string, string>, from = path) {
  return admin.post(path, { csrf_token: await admin.csrfToken(from), ...form });
}
/** The text of a page without its tags, with single spaces between words. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('the page of an object', () => {
  test('shows comments as Markdown without any markup of their own, and says what is not set in one line', async () => {
    const there = await site({ comments: '# Title\n\n**bold** <script>alert(1)</script> [x](javascript:alert(1))' });
    const html = await read(pageOf(there));
    expect(html).toContain('<h3>Title</h3>');
    expect(html).toContain('<strong>bold</strong>');
    expect(html).not.toMatch(/<script>|href="javascript|style="/);
    expect(textOf(html)).toMatch(/Not set: [^<]*Facility/);
  });
  test('has its parts as tabs, and what else refers to it as counts that lead to lists', async () => {
    const there = await site();
    const slug = unique('location');
    await used.admin.make('/api/dcim/locations/', { name: slug, slug, site: there.id });
    await used.admin.make('/api/dcim/racks/', { name: unique('rack'), site: there.id });
    const html = await read(pageOf(there));
    expect(html).toMatch(new RegExp(`href="${pageOf(there)}locations/">Locations <span class="count">1</span>`));
    expect(html).toMatch(
      new RegExp(`<a href="/dcim/racks/\\?site_id=${there.id}">Racks</a> <span class="count">1</span>`),
    );
    const tab = await read(`${pageOf(there)}locations/`);
    expect(textOf(tab)).toContain(slug);
    expect(tab).toContain(`href="/dcim/locations/add/?site=${there.id}&amp;return_url=`);
    expect((await admin.get(`${pageOf(there)}racks/`)).status).toBe(404);
  });
  test('shows nothing of what somebody may not view', async () => {
    const there = await site();
    const rack = await used.admin.make('/api/dcim/racks/', { name: unique('rack'), site: there.id });
    await used.admin.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: there.id,
      comments: 'secret',
    });
    const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
    const guest = await logIn(used.system.base, name, 'Correct-Horse-9');
    const { status, html } = await guest.get(pageOf(there));
    expect(status).toBe(200);
    expect(html).toContain(there.name);
    expect(html).not.toMatch(/\/dcim\/racks\/\?|journal\/"|\/edit\/"|\/delete\/"/);
    expect((await guest.get(`${pageOf(there)}journal/`)).status).toBe(403);
    expect((await guest.get(`${pageOf(there)}delete/`)).html).not.toContain(rack.name);
  });
  test('is bookmarked and subscribed by its switches, and no longer', async () => {
    const there = await site();
    const count = async (path: string) =>
      (await used.admin.read(`/api/extras/${path}/?object_type=dcim.site&object_id=${there.id}`)).count;
    for (const [name, path] of [
      ['bookmark', 'bookmarks'],
      ['subscription', 'subscriptions'],
    ] as const) {
      const back = `${pageOf(there)}changelog/`;
      expect(await send(pageOf(there), { toggle: name, back })).toMatchObject({ status: 303, location: back });
      expect(await count(path)).toBe(1);
      expect(await read(pageOf(there))).toContain(`name="toggle" value="${name}" aria-pressed="true"`);
      expect((await send(pageOf(there), { toggle: name, back: '//evil.example/' })).location).toBe(pageOf(there));
      expect(await count(path)).toBe(0);
    }
    expect((await send(pageOf(there), { toggle: 'other' })).status).toBe(404);
  });
  test('leads to a form for a copy, without what only this one has', async () => {
    const there = await site({ status: 'planned', facility: 'F1' });
    const [, query] = /href="\/dcim\/sites\/add\/\?([^"]*)">Clone/.exec(await read(pageOf(there)))!;
    const given = new URLSearchParams(query!.replaceAll('&amp;', '&'));
    expect([given.get('status'), given.get('name'), given.get('slug')]).toEqual(['planned', null, null]);
  });
  test('has the custom links of its type, which lead nowhere but to the web', async () => {
    const there = await site();
    const link = (link_text: string, link_url: string) =>
      used.admin.make('/api/extras/custom-links/', {
        name: unique('link'),
        object_types: ['dcim.site'],
        link_text,
        link_url,
      });
    const mark = unique('mark');
    const made = [
      await link(
        `{% if object.slug == "${there.slug}" %}<b>${mark}</b>{% endif %}`,
        'https://example.com/{{ object.slug }}',
      ),
      await link(`{% if object.slug == "${there.slug}" %}bad ${mark}{% endif %}`, 'javascript:alert(1)'),
    ];
    const html = await read(pageOf(there));
    expect(html).toContain(`&lt;b&gt;${mark}&lt;/b&gt;</a>`);
    expect(html).toContain(`href="https://example.com/${there.slug}"`);
    expect(html).not.toContain('javascript:');
    expect(html).toContain(`aria-disabled="true">bad ${mark}`);
    expect(await read(pageOf(await site()))).not.toContain(mark);
    for (const { id } of made) await used.admin.delete(`/api/extras/custom-links/${id}/`);
  });
  test('shows custom fields in their groups', async () => {
    const name = unique('cf').replaceAll('-', '_');
    const group = unique('Group');
    const field = await used.admin.make('/api/extras/custom-fields/', {
      name,
      label: 'Runbook',
      group_name: group,
      type: 'longtext',
      object_types: ['dcim.site'],
    });
    const html = await read(pageOf(await site({ custom_fields: { [name]: 'call **us**' } })));
    expect(html).toContain(`<h2>${group}</h2>`);
    expect(html).toContain('call <strong>us</strong>');
    await used.admin.delete(`/api/extras/custom-fields/${field.id}/`);
  });
});

describe('what is said of an object', () => {
  test('notes are written, changed and deleted', async () => {
    const there = await site();
    const path = `${pageOf(there)}journal/`;
    expect((await send(path, { comments: 'first *note*', kind: 'warning' })).status).toBe(303);
    expect(await read(path)).toContain('first <em>note</em>');
    const list = `/api/extras/journal-entries/?assigned_object_type=dcim.site&assigned_object_id=${there.id}`;
    const [entry] = (await used.admin.read(list)).results;
    expect(await read(`${path}?edit=${entry.id}`)).toContain('first *note*</textarea>');
    const refused = await send(path, { entry: String(entry.id), comments: '', kind: 'info' });
    expect([refused.status, refused.html.includes('role="alert"')]).toEqual([400, true]);
    await send(path, { entry: String(entry.id), comments: 'second', kind: 'info' });
    expect((await used.admin.read(list)).results[0]).toMatchObject({ comments: 'second', kind: { value: 'info' } });
    const elsewhere = `${pageOf(await site())}journal/`;
    expect((await send(elsewhere, { entry: String(entry.id), delete: '1' })).status).toBe(404);
    await send(path, { entry: String(entry.id), delete: '1' });
    expect((await used.admin.read(list)).count).toBe(0);
  });
  test('contacts are added, with errors beside their fields, and removed', async () => {
    const there = await site();
    const path = `${pageOf(there)}contacts/`;
    const slug = unique('role');
    const role = await used.admin.make('/api/tenancy/contact-roles/', { name: slug, slug });
    const contact = await used.admin.make('/api/tenancy/contacts/', { name: unique('contact') });
    const refused = await send(path, { contact: String(contact.id), role: '', priority: '' });
    expect([refused.status, refused.html.includes('id="role-problem"')]).toEqual([400, true]);
    expect((await send(path, { contact: String(contact.id), role: String(role.id), priority: 'primary' })).status).toBe(
      303,
    );
    const html = await read(path);
    expect(textOf(html)).toContain(`${contact.name} ${slug} Primary`);
    const [, id] = /name="remove" value="(\d+)"/.exec(html)!;
    await send(path, { remove: id! });
    expect(await read(path)).not.toContain('name="remove"');
  });
  test('images are uploaded, shown and deleted', async () => {
    const there = await site();
    const path = `${pageOf(there)}images/`;
    const form = new FormData();
    form.append('csrf_token', await admin.csrfToken(path));
    form.append('name', '<b>front</b>');
    form.append('image', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'front.png');
    const sent = await fetch(used.system.base + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: admin.cookie },
      body: form,
    });
    expect(sent.status).toBe(303);
    const html = await read(path);
    const [, source] = /<img src="(\/media\/[^"]+)" alt="&lt;b&gt;front&lt;\/b&gt;" width="1" height="1"/.exec(html)!;
    const file = await fetch(used.system.base + source, { headers: { cookie: admin.cookie } });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
    const nothing = await send(path, { name: 'x' });
    expect(nothing.status).toBe(400);
    const [, id] = /name="remove" value="(\d+)"/.exec(html)!;
    await send(path, { remove: id! });
    expect(await read(path)).not.toContain('/media/');
  });
});

describe('changes', () => {
  test('are told by field, with the names of what references point at, and long texts line by line', async () => {
    const slug = unique('region');
    const region = await used.admin.make('/api/dcim/regions/', { name: slug, slug });
    const there = await site({ comments: 'one\ntwo\nthree' });
    await used.admin.patch(`/api/dcim/sites/${there.id}/`, {
      region: region.id,
      comments: 'one\n2\nthree',
      status: 'retired',
    });
    const html = await read(`${pageOf(there)}changelog/?action=update`);
    expect(html).toContain(`<ins><a href="/dcim/regions/${region.id}/">${slug}</a></ins>`);
    expect(html).toContain('<del>- two</del><ins>+ 2</ins>');
    expect(textOf(html)).toContain('Status Active Retired');
    expect(html.match(/<li><details/g)).toHaveLength(1);
    const [, record] = /href="(\/core\/changelog\/\d+\/)"/.exec(html)!;
    expect(await read(record!)).toContain('<del>- two</del><ins>+ 2</ins>');
    expect(textOf(await read(`${pageOf(there)}changelog/?action=delete`))).toContain('No changes are recorded here.');
  });
  test('what a deletion would do is said before, and undone after', async () => {
    const tag = unique('tag');
    await used.admin.make('/api/extras/tags/', { name: tag, slug: tag });
    const there = await site({ comments: 'kept', tags: [{ name: tag }], latitude: 12.5 });
    const location = unique('location');
    await used.admin.make('/api/dcim/locations/', { name: location, slug: location, site: there.id });
    const rack = await used.admin.make('/api/dcim/racks/', { name: unique('rack'), site: there.id });
    const path = `${pageOf(there)}delete/`;
    const asked = textOf(await read(path));
    expect(asked).toMatch(
      new RegExp(`stand in the way .*Racks : ${rack.name} 1 .*go along .*Locations : ${location} 1`),
    );
    expect((await send(path, { changelog_message: 'typed' })).html).toContain('value="typed"');
    await used.admin.delete(`/api/dcim/racks/${rack.id}/`);
    const { status, location: to } = await send(path, {});
    expect([status, to]).toEqual([303, expect.stringMatching(/^\/dcim\/sites\/\?_deleted=[\da-f-]{36}$/)]);
    const list = await read(to!);
    expect(textOf(list)).toContain(`${there.name} was deleted. 1 more went along.`);
    const [, record] = /href="(\/core\/changelog\/\d+\/)">Undo/.exec(list)!;
    expect(await read(record!)).toMatch(new RegExp(`/dcim/sites/add/\\?[^"]*name=${there.name}[^"]*comments=kept`));
    const made = await send(record!, {});
    expect(made.status).toBe(303);
    const again = await used.admin.read(`/api${made.location}`);
    expect(again).toMatchObject({ name: there.name, comments: 'kept', latitude: 12.5, tags: [{ name: tag }] });
    const twice = await send(record!, {});
    expect([twice.status, twice.html.includes('role="alert"')]).toEqual([409, true]);
  });
});

test('config context and rendered configuration are tabs of devices', async () => {
  const device = await anyDevice();
  const template = await used.admin.make('/api/extras/config-templates/', {
    name: unique('template'),
    template_code: 'hostname {{ device.name }} <b>',
  });
  const path = `/dcim/devices/${device.id}/`;
  expect(textOf(await read(`${path}render-config/`))).toContain('No config template found');
  await used.admin.patch(`/api${path}`, { config_template: template.id, local_context_data: { ntp: 'x<b>' } });
  expect(await read(`${path}render-config/`)).toContain(`hostname ${device.name} &lt;b&gt;`);
  expect(await read(`${path}config-context/`)).toContain('&quot;ntp&quot;: &quot;x&lt;b&gt;&quot;');
});

async function anyDevice(): Promise<Body> {
  const slug = unique('device');
  const named = { name: slug, slug };
  const manufacturer = await used.admin.make('/api/dcim/manufacturers/', named);
  const [type, role, there] = await Promise.all([
    used.admin.make('/api/dcim/device-types/', { model: slug, slug, manufacturer: manufacturer.id }),
    used.admin.make('/api/dcim/device-roles/', named),
    site(),
  ]);
  return used.admin.make('/api/dcim/devices/', { name: slug, device_type: type.id, role: role.id, site: there.id });
}
