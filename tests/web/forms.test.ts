import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { logIn, type Session } from '../support/visitor.ts';

const used = useSystem();
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

const named = async (name: string): Promise<Body[]> =>
  (await used.admin.read(`/api/dcim/sites/?name__isw=${encodeURIComponent(name)}`)).results;
async function sent(path: string, fields: Record<string, string>) {
  return admin.post(path, { proof: await admin.proof(path), ...fields });
}
/** The value of a field as the page has it. */
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

test('two people at one object: the second sees whose change it was, both versions, and what was typed', async () => {
  const name = unique('site');
  const { id } = await used.admin.make('/api/dcim/sites/', { name, slug: name, facility: 'before' });
  const path = `/dcim/sites/${id}/edit/`;
  const { html } = await admin.get(path);
  await used.admin.patch(`/api/dcim/sites/${id}/`, { facility: 'theirs', changelog_message: 'moved' });
  const fields = { name, slug: name, status: 'active', facility: 'mine', description: 'typed' };
  const proof = valueIn(html, 'proof')!;
  const etag = valueIn(html, '_etag')!.replaceAll('&quot;', '"');
  const answer = await admin.post(path, { proof, _etag: etag, ...fields });
  expect(answer.status).toBe(409);
  for (const text of ['admin saved it', 'moved', '<td class="theirs">theirs</td><td class="yours">mine</td>'])
    expect(answer.html).toContain(text);
  expect([valueIn(answer.html, 'facility'), valueIn(answer.html, 'description')]).toEqual(['mine', 'typed']);
  expect((await used.admin.read(`/api/dcim/sites/${id}/`)).facility).toBe('theirs');
  const again = valueIn(answer.html, '_etag')!.replaceAll('&quot;', '"');
  expect((await admin.post(path, { proof, _etag: again, ...fields })).status).toBe(303);
  expect((await used.admin.read(`/api/dcim/sites/${id}/`)).facility).toBe('mine');
});

describe('a form whose session has ended', () => {
  const fields = { name: 'Kept & "typed"', slug: 'kept', password: 'not-this-one' };
  const post = (headers: Record<string, string>) =>
    fetch(`${used.system.base}/dcim/sites/add/`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ proof: 'x', ...fields }),
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
        proof: /name="proof" value="([^"]*)"/.exec(html)![1]!,
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
      body: new URLSearchParams({ proof: /name="proof" value="([^"]*)"/.exec(again)![1]!, _kept: '1', ...fields }),
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
  form.append('proof', await admin.proof('/dcim/device-types/add/'));
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
