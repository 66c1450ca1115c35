import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const tasks = '/extras/webhook-deliveries/';
const delivery = 'extras.webhookdelivery';
let receiver: Receiver;
let admin: Session;
beforeAll(async () => {
  receiver = await startReceiver();
  admin = await logIn(used.system.base, 'admin', adminPassword);
});
afterAll(() => receiver.close());

async function failing(): Promise<{ webhook: Body; site: Body; id: number }> {
  const name = unique('hook');
  const site = await used.admin.make('/api/dcim/sites/', { name, slug: name });
  receiver.answer(500);
  const webhook = await used.admin.make('/api/extras/webhooks/', { name, payload_url: `${receiver.url}/${name}` });
  const { id } = await used.admin.make(`/api/extras/webhooks/${webhook.id}/test/`, {
    object_type: 'dcim.site',
    object_id: site.id,
  });
  await ended(id, 'failed');
  receiver.answer(200);
  return { webhook, site, id };
}
const ended = (id: number, status: string) =>
  eventually(async () =>
    expect((await used.admin.read(`/api/extras/webhook-deliveries/${id}/`)).status.value).toBe(status),
  );

describe('the login', () => {
  test('is asked for, and leads back', async () => {
    const nobody = await fetch(`${used.system.base}${tasks}?status=failed`, { redirect: 'manual' });
    expect([nobody.status, nobody.headers.get('location')]).toEqual([
      303,
      `/login/?next=${encodeURIComponent(`${tasks}?status=failed`)}`,
    ]);
    const session = await logIn(used.system.base, 'admin', adminPassword, `${tasks}?status=failed`);
    expect([session.status, session.location]).toEqual([303, `${tasks}?status=failed`]);
    expect(session.setCookie).toMatch(
      /^cadastre_session=[\w.-]+; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect((await logIn(used.system.base, 'admin', adminPassword, '//evil.example/')).location).toBe('/');
  });
  test('over https gives a cookie that never travels without', async () => {
    expect(
      (await logIn(used.system.base, 'admin', adminPassword, '/', { 'X-Forwarded-Proto': 'https' })).setCookie,
    ).toMatch(
      /^__Host-cadastre_session=[\w.-]+; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
  test('is refused with a wrong password, for nobody, and after too many guesses', async () => {
    const name = unique('nobody');
    const first = await logIn(used.system.base, name, 'x');
    expect([first.status, first.setCookie]).toEqual([403, undefined]);
    expect(first.html).toContain('Invalid username or password.');
    const { name: user } = await userWith(used.admin, { types: [delivery], actions: ['view'] });
    const right = 'Correct-Horse-9';
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const bad = '192.0.2.10';
    const good = '192.0.2.11';
    const provisioning = '/api/users/tokens/provision/';
    const provision = (password: string, address: string) =>
      used.admin.as().post(provisioning, { username: user, password }, from(address));
    // A failed attempt at either way to log in counts for both. On a slow machine the first may be forgotten before the
    // last one.
    await eventually(async () => {
      for (let i = 0; i < 6; i += 1)
        await Promise.all([provision('x', bad), logIn(used.system.base, user, 'x', undefined, from(bad))]);
      expect(await provision(right, bad)).toMatchObject({
        status: 429,
        body: { detail: expect.stringMatching(/^Too many attempts have failed. Please try again in \d+ seconds.$/) },
      });
      expect((await provision(right, bad)).headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      const page = await logIn(used.system.base, user, right, undefined, from(bad));
      expect(page).toMatchObject({
        status: 429,
        setCookie: undefined,
        retryAfter: expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
      });
      expect(page.html).toContain('Too many attempts have failed.');
    });
    // The user, who is at another address, is not locked out, and neither are others at the same address.
    expect((await provision(right, good)).status).toBe(201);
    expect((await logIn(used.system.base, user, right, undefined, from(good))).status).toBe(303);
    expect((await logIn(used.system.base, 'admin', adminPassword, undefined, from(bad))).status).toBe(303);
    // Of several addresses, the last one that is not a proxy's counts: the client may have forged those before it.
    expect((await provision(right, `${good}, ${bad}, 127.0.0.1`)).status).toBe(429);
    expect((await provision(right, `${bad}, ${good}`)).status).toBe(201);
  });
  test('is over after a log out, wherever the cookie is', async () => {
    const session = await logIn(used.system.base, 'admin', adminPassword);
    expect((await session.get(tasks)).status).toBe(200);
    const forged = await session.post('/logout/', { csrf_token: 'forged' });
    expect([forged.location, forged.headers.get('clear-site-data')]).toEqual(['/login/', null]);
    expect((await session.get(tasks)).status).toBe(200);
    const left = await session.post('/logout/', { csrf_token: await session.csrfToken(tasks) });
    expect(left).toMatchObject({ status: 303, location: '/login/' });
    // The header does not clear cookies, as other hosts of the domain have sessions of their own. Only ours is expired.
    expect(left.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(left.headers.getSetCookie().join()).toMatch(/cadastre_session=;.*Expires=Thu, 01 Jan 1970/);
    expect(await session.get(tasks)).toMatchObject({ status: 303 });
  });
  test('is over when the password was changed, or the user deleted', async () => {
    const { id, name } = await userWith(used.admin, { types: [delivery], actions: ['view'] });
    const session = await logIn(used.system.base, name, 'Correct-Horse-9');
    expect((await session.get(tasks)).status).toBe(200);
    await used.admin.patch(`/api/users/users/${id}/`, { password: 'Another-Horse-9' });
    await eventually(async () => expect((await session.get(tasks)).status).toBe(303));
    const again = await logIn(used.system.base, name, 'Another-Horse-9');
    expect((await again.get(tasks)).status).toBe(200);
    await used.admin.patch(`/api/users/users/${id}/`, { is_active: false });
    await eventually(async () => expect((await again.get(tasks)).status).toBe(303));
  });
});

describe('a session', () => {
  test('reads the API, and writes nothing there', async () => {
    expect((await admin.get('/api/dcim/sites/?limit=1')).status).toBe(200);
    expect((await admin.get('/api/')).status).toBe(200);
    const sent = await fetch(`${used.system.base}/api/dcim/sites/`, {
      method: 'POST',
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(sent.status).toBe(403);
  });
  test('does nothing without the CSRF token of a page of its session', async () => {
    const { id } = await failing();
    const other = await logIn(used.system.base, 'admin', adminPassword);
    for (const csrfToken of [undefined, '', 'x', await other.csrfToken(tasks)])
      expect(
        (
          await admin.post(
            `/extras/webhook-deliveries/${id}/requeue/`,
            csrfToken === undefined ? {} : { csrf_token: csrfToken },
          )
        ).status,
      ).toBe(403);
    expect((await used.admin.read(`/api/extras/webhook-deliveries/${id}/`)).status.value).toBe('failed');
  });
});

describe('pages', () => {
  test('come with headers that keep others out', async () => {
    const { headers, html } = await admin.get(tasks);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect([
      headers.get('x-content-type-options'),
      headers.get('x-frame-options'),
      headers.get('cache-control'),
      headers.get('referrer-policy'),
    ]).toEqual(['nosniff', 'DENY', 'no-store', 'same-origin']);
    // Values in attributes do not count: objects of other tests have such names.
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<script>|<[a-z][^>]*\s(?:on\w+|style)=/);
    for (const [, path] of html.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g))
      expect((await fetch(used.system.base + path)).headers.get('cache-control')).toContain('immutable');
  });
  test('escape whatever data says', async () => {
    const name = `<script>alert("${unique()}")</script>`;
    const webhook = await used.admin.make('/api/extras/webhooks/', {
      name,
      payload_url: `${receiver.url}/{{ "<b>" }}`,
      description: '"><img src=x>',
    });
    const slug = unique('site');
    const site = await used.admin.make('/api/dcim/sites/', { name: '<img src=x onerror=alert(1)>', slug });
    const { id } = await used.admin.make(`/api/extras/webhooks/${webhook.id}/test/`, {
      object_type: 'dcim.site',
      object_id: site.id,
    });
    for (const path of [
      tasks,
      `/extras/webhook-deliveries/${id}/`,
      `/extras/webhooks/${webhook.id}/test/?object_type="><script>`,
      `${tasks}?q="><script>&done=<script>`,
      '/extras/webhooks/',
      `/extras/webhooks/${webhook.id}/replay/?since="><script>`,
      '/extras/webhook-replays/?done=<script>',
    ]) {
      const { html } = await admin.get(path);
      expect(html).not.toMatch(/<script>|<img|"><script/);
    }
  });
  test('wrong filters and addresses are said, not broken', async () => {
    for (const [path, status] of [
      ['/extras/webhook-deliveries/999999999/', 404],
      ['/extras/webhook-deliveries/x/', 404],
      ['/extras/webhooks/999999999/test/', 404],
      [`${tasks}?offset=-1`, 200],
      [`${tasks}?status=nope`, 400],
      [`${tasks}?webhook_id=999999999`, 400],
      [`${tasks}?object_type=dcim.nothing`, 400],
      ['/core/parked-events/nowhere/1/', 404],
      ['/extras/webhook-replays/?webhook_id=x', 400],
      ['/extras/webhooks/999999999/replay/', 404],
    ] as const)
      expect([path, (await admin.get(path)).status]).toEqual([path, status]);
    expect((await admin.post(tasks, { csrf_token: await admin.csrfToken(tasks) })).status).toBe(405);
    const large = await fetch(`${used.system.base}/login/`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'x'.repeat(70_000) }),
    });
    expect(large.status).toBe(413);
    expect(
      (
        await fetch(`${used.system.base}/login/`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(415);
    expect(
      (await fetch(`${used.system.base}/extras/webhook-deliveries?a=b`, { redirect: 'manual' })).headers.get(
        'location',
      ),
    ).toBe(`${tasks}?a=b`);
  });
});
