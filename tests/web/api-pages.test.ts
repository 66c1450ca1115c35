import { beforeAll, describe, expect, test } from '@jest/globals';
import { PIXEL } from '../support/objects/maker.ts';
import { adminPassword, adminToken, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

/** Requests a page like a browser; with a form where there is one. */
async function visit(
  path: string,
  { cookie = admin.cookie, form }: { cookie?: string; form?: Record<string, string> } = {},
) {
  const response = await fetch(used.system.base + path, {
    redirect: 'manual',
    headers: { accept: browser, ...(cookie ? { cookie } : {}) },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    location: response.headers.get('location'),
    html: await response.text(),
  };
}
const ask = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(used.system.base + path, { redirect: 'manual', ...init, headers });
const csrfTokenIn = (html: string): string => /name="csrf_token" value="([^"]+)"/.exec(html)![1]!;
const text = (html: string): string =>
  html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
async function site(more = {}): Promise<{ id: number; name: string }> {
  const name = unique('site');
  return used.admin.make('/api/dcim/sites/', { name, slug: name, ...more });
}

describe('programs see what they saw before', () => {
  test.each([
    '/api/',
    '/api/dcim/',
    '/api/status/',
    '/api/dcim/sites/?name=nothing-is-called-this',
    '/api/dcim/sites/999999999/',
    '/api/nothing/',
    '/api/users/config/',
  ])('%s', async (path) => {
    const token = { authorization: `Token ${adminToken}` };
    const plain = await ask(path, token);
    const body = await plain.text();
    expect(plain.headers.get('content-type')).toMatch(/^application\/json/);
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*', browser])
      expect(await (await ask(path, { ...token, accept })).text()).toBe(body);
    for (const accept of ['*/*', 'application/json']) {
      const answer = await ask(path, { cookie: admin.cookie, accept });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        plain.status,
        plain.headers.get('content-type'),
      ]);
      expect(await answer.text()).toBe(body);
    }
  });
  test('without anything to show, and with a cookie only, they write nothing', async () => {
    const sent = { method: 'POST', body: '{}' };
    for (const headers of [{}, { cookie: admin.cookie }, { cookie: admin.cookie, accept: browser }])
      expect(
        (
          await ask(
            '/api/dcim/sites/',
            { ...headers, 'content-type': 'application/json' } as Record<string, string>,
            sent,
          )
        ).status,
      ).toBe(403);
  });
  test('a format that is named is given', async () => {
    const answer = await ask('/api/dcim/sites/?format=json&limit=1', { cookie: admin.cookie, accept: browser });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toHaveProperty('results');
  });
});

describe('a browser reads', () => {
  test.each([
    '/api/',
    '/api/dcim/',
    '/api/plugins/installed-plugins/',
    '/api/status/',
    '/api/core/parked-events/',
    '/api/users/config/',
    '/api/extras/dashboard/',
    '/api/core/background-queues/',
    '/api/authentication-check/',
  ])('%s as a page', async (path) => {
    const page = await visit(path);
    expect([page.status, page.type]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(text(page.html)).toContain('HTTP 200 OK');
  });
  test('an object with its status, headers, links and its web page; markup in it is text', async () => {
    const one = await site({ comments: '<script>alert(1)</script>"' });
    const { status, html } = await visit(`/api/dcim/sites/${one.id}/`);
    expect(status).toBe(200);
    expect(text(html)).toMatch(/Allow: GET, PUT, PATCH, DELETE, HEAD, OPTIONS/);
    expect(html).toContain(`href="/dcim/sites/${one.id}/"`);
    expect(html).toContain(`href="/api/dcim/sites/${one.id}/"`);
    expect(html).not.toContain('<script>alert');
    expect(text(html)).toContain('ETag: W/');
  });
  test('a list with its pages and filters', async () => {
    await Promise.all([site(), site()]);
    const { html } = await visit('/api/dcim/sites/?limit=1');
    expect(html).toMatch(/rel="next" href="\/api\/dcim\/sites\/\?limit=1&amp;offset=1"/);
    expect(html).toContain('<option>name</option>');
    expect((await visit('/api/dcim/sites/?limit=1&_filter=name__ic&_value=a+b')).location).toBe(
      '/api/dcim/sites/?limit=1&name__ic=a+b',
    );
  });
  test('a list with the filters of its web page beside it', async () => {
    const one = await site();
    expect((await visit('/api/dcim/sites/')).html).toContain('href="/api/dcim/sites/?_show=filters"');
    const { html } = await visit(`/api/dcim/sites/?name=${one.name}&_show=filters`);
    expect(text(html)).toContain(`GET /api/dcim/sites/?name=${one.name}`);
    expect(html).toMatch(new RegExp(`name="name" value="${one.name}"`));
    expect((await visit('/api/dcim/sites/?_filter=1&name=x&status=&description=y')).location).toBe(
      '/api/dcim/sites/?name=x&description=y',
    );
    expect((await visit('/api/')).html).not.toContain('_show=filters');
  });
  test('what is refused, with its status', async () => {
    const gone = await visit('/api/dcim/sites/999999999/');
    expect([gone.status, text(gone.html).includes('HTTP 404 Not Found')]).toEqual([404, true]);
    const wrong = await visit('/api/dcim/sites/?region_id=x');
    expect([wrong.status, text(wrong.html).includes('HTTP 400 Bad Request')]).toEqual([400, true]);
    expect((await visit('/api/nothing/')).type).toMatch(/json/);
  });
  test('after a login, unless everybody may', async () => {
    expect(await visit('/api/dcim/sites/?limit=1', { cookie: '' })).toMatchObject({
      status: 303,
      location: `/login/?next=${encodeURIComponent('/api/dcim/sites/?limit=1')}`,
    });
  });
  test('what the user may see, and no more', async () => {
    const one = await site();
    const { name } = await userWith(used.admin, { types: ['dcim.region'], actions: ['view'] });
    const session = await logIn(used.system.base, name, 'Correct-Horse-9');
    const refused = await visit(`/api/dcim/sites/${one.id}/`, session);
    expect(refused.status).toBeGreaterThanOrEqual(403);
    expect(refused.html).not.toContain(one.name);
    expect((await visit('/api/core/parked-events/', session)).status).toBe(403);
  });
});

describe('a browser writes', () => {
  const send = async (path: string, method: string, body?: unknown) => {
    const { html } = await visit(path.replace(/\?.*/, ''));
    return visit(path, {
      form: {
        csrf_token: csrfTokenIn(html),
        _method: method,
        ...(body === undefined ? {} : { _body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    });
  };
  test('with the forms that OPTIONS tells of: new, other, gone', async () => {
    const name = unique('site');
    const page = await visit('/api/dcim/sites/');
    expect(text(page.html)).toContain('"slug": ""');
    const made = await send('/api/dcim/sites/', 'POST', { name, slug: name });
    expect([made.status, text(made.html).includes('HTTP 201 Created')]).toEqual([201, true]);
    const id = (await used.admin.read(`/api/dcim/sites/?name=${name}`)).results[0].id;
    const one = `/api/dcim/sites/${id}/`;
    // The content of the form is what the API accepts.
    const offered = /id="body-PUT"[^>]*>([^<]*)</.exec((await visit(one)).html)![1]!.replaceAll('&quot;', '"');
    expect(await send(one, 'PUT', { ...JSON.parse(offered), facility: 'F' })).toMatchObject({ status: 200 });
    expect((await send(one, 'PATCH', { description: 'D' })).status).toBe(200);
    expect(await used.admin.read(one)).toMatchObject({ name, facility: 'F', description: 'D' });
    expect((await send(one, 'OPTIONS')).html).toContain('Site Instance');
    expect((await send(one, 'DELETE')).status).toBe(204);
    expect((await used.admin.get(one)).status).toBe(404);
  });
  test.each([
    ['/api/dcim/manufacturers/', () => ({})],
    ['/api/dcim/regions/', () => ({})],
    ['/api/tenancy/tenants/', () => ({ tags: [] })],
    ['/api/ipam/roles/', () => ({ weight: 7 })],
    ['/api/circuits/circuit-types/', () => ({ color: 'ff0000' })],
    ['/api/virtualization/cluster-types/', () => ({})],
    ['/api/extras/tags/', () => ({ color: '00ff00' })],
  ])('an object of %s as its form offers it, and back again, changes nothing', async (path, more) => {
    const name = unique('offered');
    const made = await used.admin.make(path, { name, slug: name, ...more() });
    const one = `${path}${made.id}/`;
    const { html } = await visit(one);
    const offered = /id="body-PUT"[^>]*>([^<]*)</.exec(html)![1]!.replaceAll('&quot;', '"');
    const before = await used.admin.read(one);
    expect((await send(one, 'PUT', offered)).status).toBe(200);
    const after = await used.admin.read(one);
    expect({ ...after, last_updated: null }).toEqual({ ...before, last_updated: null });
  });
  test('and files beside the JSON, for fields that take some', async () => {
    const name = unique('type');
    const manufacturer = await used.admin.make('/api/dcim/manufacturers/', { name, slug: name });
    const path = '/api/dcim/device-types/';
    const { html } = await visit(path);
    expect([html.includes('multipart/form-data'), html.includes('type="file" name="front_image"')]).toEqual([
      true,
      true,
    ]);
    const upload = async (body: string) => {
      const form = new FormData();
      form.set('csrf_token', csrfTokenIn(html));
      form.set('_method', 'POST');
      form.set('_body', body);
      form.set('front_image', new Blob([new Uint8Array(PIXEL)], { type: 'image/png' }), 'front.png');
      return ask(path, { accept: browser, cookie: admin.cookie }, { method: 'POST', body: form });
    };
    const answer = await upload(JSON.stringify({ manufacturer: manufacturer.id, model: name, slug: name }));
    expect(answer.status).toBe(201);
    const { results } = await used.admin.read(`${path}?model=${name}`);
    expect(results[0].front_image).toContain('/media/');
    expect((await upload('[]')).status).toBe(400);
    expect((await visit('/api/dcim/sites/')).html).not.toContain('type="file"');
  });
  test('and keeps what was typed when it is refused', async () => {
    const wrong = await send('/api/dcim/sites/', 'POST', '{"name": "typed-here"');
    expect([wrong.status, wrong.html.includes('typed-here')]).toEqual([400, true]);
    expect((await send('/api/dcim/sites/', 'TRACE')).status).toBe(405);
  });
  test('from pages of the same session only', async () => {
    const name = unique('site');
    const form = {
      csrf_token: 'x'.repeat(22) + '.1.' + 'y'.repeat(43),
      _method: 'POST',
      _body: JSON.stringify({ name, slug: name }),
    };
    expect((await visit('/api/dcim/sites/', { form })).status).toBe(403);
    expect((await used.admin.read(`/api/dcim/sites/?name=${name}`)).count).toBe(0);
  });
});
