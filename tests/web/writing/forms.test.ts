import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { PageForm } from '../../support/pages/pageForm.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

const named = async (name: string): Promise<Body[]> =>
  (await used.admin.read(`/api/dcim/sites/?name__isw=${encodeURIComponent(name)}`)).results;
async function sent(path: string, fields: Record<string, string>) {
  return admin.post(path, { csrf_token: await admin.csrfToken(path), ...fields });
}
/** The value of a field on the page. */
const valueIn = (html: string, name: string): string | undefined =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];

describe('a name with a range', () => {
  test('makes many, each with a slug of its own', async () => {
    const name = unique('many');
    const answer = await sent('/dcim/sites/add/', { name: `${name}-[1-3]`, slug: '', facility: '[a,b,c]' });
    expect([answer.status, answer.location]).toEqual([
      303,
      expect.stringMatching(/^\/dcim\/sites\/\?created_by_request=/),
    ]);
    expect((await named(name)).map(({ slug, facility }) => [slug, facility])).toEqual([
      [`${name}-1`, 'a'],
      [`${name}-2`, 'b'],
      [`${name}-3`, 'c'],
    ]);
    expect((await admin.get(answer.location!)).html).toContain(`${name}-3`);
  });
  test('asks before it makes more than a hundred, and refuses ranges that differ', async () => {
    const name = unique('many');
    const fields = { name: `${name}-[1-101]`, slug: '' };
    const asked = await sent('/dcim/sites/add/', fields);
    expect([asked.status, asked.html.includes('This makes 101 objects')]).toEqual([409, true]);
    expect(await named(name)).toEqual([]);
    const differ = await sent('/dcim/sites/add/', { name: `${name}-[1-3]`, slug: '', facility: '[1-2]' });
    expect([differ.status, differ.html.includes('This stands for 2 objects, the name for 3.')]).toEqual([400, true]);
    expect((await sent('/dcim/sites/add/', { ...fields, _many: '101' })).status).toBe(303);
    expect((await used.admin.read(`/api/dcim/sites/?name__isw=${name}-&limit=1`)).count).toBe(101);
  });
});

describe('two people at one object', () => {
  const begin = async (more: Record<string, unknown> = {}) => {
    const name = unique('site');
    const { id } = await used.admin.make('/api/dcim/sites/', { name, slug: name, facility: 'before', ...more });
    const path = `/dcim/sites/${id}/edit/`;
    return {
      path,
      form: new PageForm((await admin.get(path)).html),
      post: (form: PageForm) => admin.post(path, Object.fromEntries(form.sent())),
      theirs: (body: Record<string, unknown>) => used.admin.patch(`/api/dcim/sites/${id}/`, body),
      now: (): Promise<Body> => used.admin.read(`/api/dcim/sites/${id}/`),
    };
  };
  const standing = (html: string) => Object.fromEntries(new PageForm(html).sent());

  test('the second sees whose change it was and both versions; what only one has changed is put together', async () => {
    const { form, post, theirs, now } = await begin({ comments: 'before', physical_address: 'before' });
    await theirs({ facility: 'theirs', comments: 'by <them>', changelog_message: 'moved' });
    form.fill('facility', 'mine');
    form.fill('description', 'typed');
    const { status, html } = await post(form);
    expect(status).toBe(409);
    for (const text of ['admin saved it', 'moved', '<span class="version">theirs</span>', 'by &lt;them&gt;'])
      expect(html).toContain(text);
    expect(standing(html)).toMatchObject({
      facility: 'mine',
      description: 'typed',
      comments: 'by <them>',
      physical_address: 'before',
      '_pick.facility': 'yours',
    });
    expect([...html.matchAll(/name="(_pick\.\w+)"/g)].map(([, name]) => name)).toEqual([
      '_pick.facility',
      '_pick.facility',
    ]);
    expect(await now()).toMatchObject({ facility: 'theirs', description: '' });
    expect((await post(new PageForm(html))).status).toBe(303);
    expect(await now()).toMatchObject({ facility: 'mine', description: 'typed', comments: 'by <them>' });
  });

  test('everybody who has saved meanwhile is named, with the last of what they did, and nobody who did before', async () => {
    const { path, form, post, theirs } = await begin();
    const { client, name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'change'] });
    const api = `/api${path.replace('edit/', '')}`;
    for (const facility of ['first', 'second'])
      expect((await client.patch(api, { facility, changelog_message: `the ${facility}` })).status).toBe(200);
    await theirs({ comments: 'by the other', changelog_message: 'the third' });
    form.fill('description', 'typed');
    const { html } = await post(form);
    const said = [...html.matchAll(/<p>([\w-]+) saved it, .*?“(.*?)”<\/p>/g)].map(([, who, message]) => [who, message]);
    expect(said).toEqual([
      ['admin', 'the third'],
      [name, 'the second'],
    ]);
    // Submitting again from there asks only about later changes.
    await theirs({ comments: 'once more', changelog_message: 'the fourth' });
    const again = await post(new PageForm(html));
    expect([...again.html.matchAll(/<p>([\w-]+) saved it/g)].map(([, who]) => who)).toEqual(['admin']);
  });

  test('theirs can be chosen, also after the form was wrong in another place, and mine is not lost until then', async () => {
    const { form, post, theirs, now } = await begin();
    await theirs({ facility: 'theirs' });
    form.fill('facility', 'mine');
    const chosen = new PageForm((await post(form)).html);
    chosen.fill('_pick.facility', 'theirs');
    chosen.fill('latitude', '99.5');
    const wrong = await post(chosen);
    expect([wrong.status, wrong.html.includes('class="problem" id="latitude-problem"')]).toEqual([400, true]);
    expect(standing(wrong.html)).toMatchObject({ facility: 'mine', latitude: '99.5', '_pick.facility': 'theirs' });
    const mended = new PageForm(wrong.html);
    mended.fill('latitude', '9.5');
    expect((await post(mended)).status).toBe(303);
    expect(await now()).toMatchObject({ facility: 'theirs', latitude: 9.5 });
  });

  test('references, tags, ranges and custom values are told apart as people read them', async () => {
    const tag = await used.admin.make('/api/extras/tags/', { name: unique('tag'), slug: unique('tag') });
    const tenants = [unique('tenant'), unique('tenant')];
    const [one, two] = await Promise.all(
      tenants.map((name) => used.admin.make('/api/tenancy/tenants/', { name, slug: name })),
    );
    const { form, post, theirs, now } = await begin({ tenant: one!.id });
    await theirs({ tenant: two!.id, tags: [{ id: tag.id }], status: 'planned' });
    form.fill('tenant', '');
    const { status, html } = await post(form);
    expect([status, html.includes(`<span class="version">${tenants[1]}</span>`)]).toEqual([409, true]);
    expect(standing(html)).toMatchObject({ tenant: '', tags: String(tag.id), status: 'planned' });
    const chosen = new PageForm(html);
    chosen.fill('_pick.tenant', 'theirs');
    expect((await post(chosen)).status).toBe(303);
    expect(await now()).toMatchObject({
      tenant: { id: two!.id },
      tags: [{ id: tag.id }],
      status: { value: 'planned' },
    });
  });

  test('a third change in between is noticed again, and the choice is kept', async () => {
    const { form, post, theirs, now } = await begin();
    await theirs({ facility: 'second' });
    form.fill('facility', 'mine');
    const chosen = new PageForm((await post(form)).html);
    chosen.fill('_pick.facility', 'theirs');
    await theirs({ facility: 'third' });
    const { status, html } = await post(chosen);
    expect([status, html.includes('<span class="version">third</span>')]).toEqual([409, true]);
    expect(standing(html)).toMatchObject({ facility: 'mine', '_pick.facility': 'theirs' });
    expect((await now()).facility).toBe('third');
  });
});

describe('times in forms', () => {
  const expires = '2030-07-01T10:00:00.5Z';
  const token = async (): Promise<Body> =>
    used.admin.make('/api/users/tokens/', { user: (await me()).id, expires, description: unique('token') });
  const me = async (): Promise<Body> => (await used.admin.read('/api/users/users/?username=admin')).results[0];
  const form = async (path: string) => {
    const { html } = await admin.get(path);
    return { html, form: new PageForm(html) };
  };

  test('are UTC where nobody has chosen, and say so; what was not touched stays exact', async () => {
    const { id } = await token();
    const path = `/users/tokens/${id}/edit/`;
    const { html, form: opened } = await form(path);
    expect(Object.fromEntries(opened.sent())).toMatchObject({ expires: '2030-07-01T10:00', _zone: 'UTC' });
    expect(html).toMatch(/type="datetime-local"[^>]* aria-describedby="[^"]*expires-zone"/);
    expect(html).toContain('data-zone-name>UTC</span>');
    opened.fill('description', 'another');
    expect((await admin.post(path, Object.fromEntries(opened.sent()))).status).toBe(303);
    const after = await used.admin.read(`/api/users/tokens/${id}/`);
    expect([Date.parse(after.expires), after.description]).toEqual([Date.parse(expires), 'another']);
  });

  test('a form says in which zone it was filled in, as a browser does of its own', async () => {
    const { id } = await token();
    const path = `/users/tokens/${id}/edit/`;
    const { form: opened } = await form(path);
    opened.fill('_zone', 'Asia/Tokyo');
    opened.fill('expires', '2030-07-01T08:30');
    expect((await admin.post(path, Object.fromEntries(opened.sent()))).status).toBe(303);
    const { expires: now } = await used.admin.read(`/api/users/tokens/${id}/`);
    expect(Date.parse(now)).toBe(Date.parse('2030-06-30T23:30:00Z'));
  });

  test('are in the zone that somebody has chosen, there and back, and in the form of new tokens', async () => {
    const types = ['users.token'];
    const { id: user, name } = await userWith(used.admin, { types, actions: ['view', 'add', 'change'] });
    const { id } = await used.admin.make('/api/users/tokens/', { user, expires });
    const session = await logIn(used.system.base, name, 'Correct-Horse-9');
    const csrfToken = await session.csrfToken('/user/preferences/');
    await session.post('/user/preferences/', { csrf_token: csrfToken, zone: 'Europe/Zurich' });
    const path = `/users/tokens/${id}/edit/`;
    const { html } = await session.get(path);
    expect(html).toContain('data-zone-name>Europe/Zurich</span>');
    expect(html).not.toContain('data-own-zone');
    const opened = new PageForm(html);
    expect(Object.fromEntries(opened.sent())).toMatchObject({ expires: '2030-07-01T12:00', _zone: 'Europe/Zurich' });
    opened.fill('expires', '2030-12-01T12:00');
    expect((await session.post(path, Object.fromEntries(opened.sent()))).status).toBe(303);
    const { expires: now } = await used.admin.read(`/api/users/tokens/${id}/`);
    expect(Date.parse(now)).toBe(Date.parse('2030-12-01T11:00:00Z'));
    const own = new PageForm((await session.get('/user/api-tokens/')).html, 'form.panel');
    const description = unique('token');
    own.fill('description', description);
    own.fill('expires', '2031-01-01T00:00');
    expect((await session.post('/user/api-tokens/', Object.fromEntries(own.sent()))).status).toBe(200);
    const { results } = await used.admin.read(`/api/users/tokens/?description=${description}`);
    expect(Date.parse(results[0].expires)).toBe(Date.parse('2030-12-31T23:00:00Z'));
  });
});

describe('a form whose session has ended', () => {
  const fields = { name: 'Kept & "typed"', slug: 'kept', password: 'not-this-one' };
  const post = (headers: Record<string, string>) =>
    fetch(`${used.system.base}/dcim/sites/add/`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ csrf_token: 'x', ...fields }),
    });
  test('is kept over the login, less what is secret', async () => {
    const answer = await post({ origin: used.system.base });
    const html = await answer.text();
    expect([answer.status, html.includes('what you typed is kept')]).toEqual([403, true]);
    const kept = /name="kept" value="([^"]*)"/
      .exec(html)![1]!
      .replaceAll('&quot;', '"')
      .replaceAll('&#92;', '\\')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(kept)).toEqual({
      to: '/dcim/sites/add/',
      fields: [
        ['name', fields.name],
        ['slug', 'kept'],
      ],
    });
    const login = await fetch(`${used.system.base}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: answer.headers.getSetCookie()[0]!.split(';', 1)[0]! },
      body: new URLSearchParams({
        csrf_token: /name="csrf_token" value="([^"]*)"/.exec(html)![1]!,
        username: 'admin',
        password: adminPassword,
        kept,
      }),
    });
    const again = await login.text();
    expect([login.status, /action="([^"]*)"/.exec(again)?.[1]]).toEqual([200, '/dcim/sites/add/']);
    expect(again).toContain('name="name" value="Kept &amp; &quot;typed&quot;"');
    const cookie = login.headers
      .getSetCookie()
      .find((one) => one.includes('session='))!
      .split(';', 1)[0]!;
    const form = await fetch(`${used.system.base}/dcim/sites/add/`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({
        csrf_token: /name="csrf_token" value="([^"]*)"/.exec(again)![1]!,
        _kept: '1',
        ...fields,
      }),
    });
    const text = await form.text();
    expect([form.status, text.includes('It has not been saved yet')]).toEqual([200, true]);
    expect(await named(fields.name)).toEqual([]);
  });
  test('is not kept for a page from elsewhere', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await post(headers as Record<string, string>);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toMatch(/^\/login\//);
      expect(await answer.text()).not.toContain('Kept');
    }
  });
});

test('a pair of a type and an id is a choice of types and a picker, which shows what it holds', async () => {
  const name = unique('site');
  const { id } = await used.admin.make('/api/dcim/sites/', { name, slug: name });
  const answer = await sent('/ipam/prefixes/add/', {
    prefix: '198.51.100.0/24',
    status: 'active',
    scope_type: 'dcim.site',
    scope_id: String(id),
  });
  expect(answer.status).toBe(303);
  const { html } = await admin.get(`${answer.location}edit/`);
  expect(html).toContain(`<option value="${id}" selected>${name}</option>`);
  expect(/<select id="f-scope_type"[\s\S]*?<\/select>/.exec(html)![0].match(/<option/g)).toHaveLength(5);
});

test('pickers are narrowed by what their objects lie in, and by nothing else', async () => {
  const { html } = await admin.get('/dcim/devices/add/');
  const narrowing = (name: string) =>
    JSON.parse(
      (new RegExp(`data-narrowing="([^"]*)">\\s*<select id="f-${name}"`).exec(html)?.[1] ?? '[]').replaceAll(
        '&quot;',
        '"',
      ),
    ) as { filter: string; field: string }[];
  expect(narrowing('rack').map(({ field }) => field)).toEqual(['site', 'location']);
  expect(narrowing('location').map(({ field }) => field)).toEqual(['site']);
  expect(narrowing('site')).toEqual([]);
  expect(narrowing('tenant')).toEqual([]);
});

test('a copy begins with what the object has, less what tells them apart', async () => {
  const name = unique('site');
  const { id } = await used.admin.make('/api/dcim/sites/', { name, slug: name, facility: 'hall 3', status: 'planned' });
  const { html } = await admin.get(`/dcim/sites/${id}/`);
  const href = /href="(\/dcim\/sites\/add\/\?[^"]*)"/.exec(html)![1]!.replaceAll('&amp;', '&');
  const copy = (await admin.get(href)).html;
  expect([valueIn(copy, 'facility'), valueIn(copy, 'name')]).toEqual(['hall 3', '']);
  expect(copy).toContain('<option value="planned" selected>');
});

test('a picture goes along with its form, and is taken away by it', async () => {
  const name = unique('type');
  const maker = await used.admin.make('/api/dcim/manufacturers/', { name, slug: name });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const form = new FormData();
  form.append('csrf_token', await admin.csrfToken('/dcim/device-types/add/'));
  for (const [field, value] of Object.entries({
    manufacturer: String(maker.id),
    model: name,
    slug: name,
    u_height: '2',
  }))
    form.append(field, value);
  form.append('front_image', new Blob([png], { type: 'image/png' }), 'front.png');
  const path = `${used.system.base}/dcim/device-types/add/`;
  const answer = await fetch(path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: admin.cookie },
    body: form,
  });
  expect(answer.status).toBe(303);
  const page = answer.headers.get('location')!;
  expect(await used.admin.read(`/api${page}`)).toMatchObject({
    u_height: 2,
    front_image: expect.stringMatching(/\/media\/devicetype-images\/.*\.png$/),
  });
  const fields = { manufacturer: String(maker.id), model: name, slug: name, u_height: '2' };
  expect((await sent(`${page}edit/`, { ...fields, '_clear.front_image': 'on' })).status).toBe(303);
  expect((await used.admin.read(`/api${page}`)).front_image).toBeNull();
});
