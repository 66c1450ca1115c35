import { describe, expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const password = 'Correct-Horse-9';
const browsers = {
  fox: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' },
  odd: { 'user-agent': '<script>alert(1)</script>' },
};

const somebody = (actions = ['view']) => userWith(used.admin, { types: ['dcim.site'], actions });
const enter = (name: string, headers?: Record<string, string>, word = password) =>
  logIn(used.system.base, name, word, undefined, headers);
const send = async (session: Session, path: string, form: Record<string, string>) =>
  session.post(path, { csrf_token: await session.csrfToken(path), ...form });
const isIn = async (session: Session): Promise<boolean> => (await session.get('/dcim/sites/')).status === 200;
const endings = (html: string): string[] => [...html.matchAll(/name="end" value="(\d+)"/g)].map(([, id]) => id!);

describe('one’s own sessions', () => {
  test('are listed with browser and address; one, or all others, end at once', async () => {
    const { name } = await somebody();
    const [mine, fox, odd] = [await enter(name), await enter(name, browsers.fox), await enter(name, browsers.odd)];
    for (const one of [mine, fox, odd]) expect(await isIn(one)).toBe(true);
    const { html } = await mine.get('/user/sessions/');
    expect(html).toContain('Firefox on Linux');
    expect(html).toContain('127.0.0.1');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script>alert');
    expect(html.match(/This session/g)).toHaveLength(1);
    const row = html.slice(html.indexOf('Firefox on Linux'));
    expect(await send(mine, '/user/sessions/', { end: endings(row)[0]! })).toMatchObject({
      status: 303,
      location: '/user/sessions/?done=one',
    });
    expect([await isIn(mine), await isIn(fox), await isIn(odd)]).toEqual([true, false, true]);
    expect(await send(mine, '/user/sessions/', {})).toMatchObject({ status: 303 });
    expect([await isIn(mine), await isIn(odd)]).toEqual([true, false]);
    const alone = (await mine.get('/user/sessions/?done=others')).html;
    expect([endings(alone), alone.includes('All other sessions have ended')]).toEqual([[], true]);
  });

  test('one that has ended already is no failure', async () => {
    const { name } = await somebody();
    const mine = await enter(name);
    expect(await send(mine, '/user/sessions/', { end: '999999999' })).toMatchObject({ status: 303 });
    expect((await send(mine, '/user/sessions/', { end: 'x' })).status).toBe(400);
  });

  test('a session is not listed any more after logout', async () => {
    const { name } = await somebody();
    const [mine, other] = [await enter(name), await enter(name)];
    expect(endings((await mine.get('/user/sessions/')).html)).toHaveLength(1);
    await other.post('/logout/', { csrf_token: await other.csrfToken('/user/sessions/') });
    expect(endings((await mine.get('/user/sessions/')).html)).toEqual([]);
    expect(await isIn(other)).toBe(false);
  });
});

describe('one’s own password', () => {
  test('is changed with the present one, without any permission; all sessions end', async () => {
    const { name } = await somebody();
    const [mine, other] = [await enter(name), await enter(name)];
    const change = (form: Record<string, string>) => send(mine, '/user/password/', form);
    const next = 'Another-Horse-10';
    const wrong = await change({ current_password: 'Wrong-Horse-9', password: next, again: next });
    expect([wrong.status, wrong.html.includes('not your present password')]).toEqual([400, true]);
    const differs = await change({ current_password: password, password: next, again: `${next}x` });
    expect([differs.status, differs.html.includes('not the same')]).toEqual([400, true]);
    const weak = await change({ current_password: password, password: 'short', again: 'short' });
    expect([weak.status, weak.html.includes('id="password-problem"'), weak.html.includes('too short')]).toEqual([
      400,
      true,
      true,
    ]);
    const missing = await change({ current_password: '', password: '', again: '' });
    expect(missing.html.match(/This field is required/g)).toHaveLength(2);
    expect(await isIn(mine)).toBe(true);
    expect(await change({ current_password: password, password: next, again: next })).toMatchObject({
      status: 303,
      location: '/login/',
    });
    expect([await isIn(mine), await isIn(other)]).toEqual([false, false]);
    expect([(await enter(name)).status, (await enter(name, {}, next)).status]).toEqual([403, 303]);
  });

  test('is changed by the API likewise, and is in no answer and no change record', async () => {
    const { client, id } = await somebody();
    const path = '/api/users/password/';
    expect(await client.post(path, { password: 'Another-Horse-10' })).toMatchObject({
      status: 400,
      body: { current_password: ['This field is required.'] },
    });
    expect(await client.post(path, { current_password: 'x', password: 'Another-Horse-10' })).toMatchObject({
      status: 400,
      body: { current_password: ['This is not your present password.'] },
    });
    const done = await client.post(path, { current_password: password, password: 'Another-Horse-10' });
    expect([done.status, done.text]).toEqual([204, '']);
    expect((await used.admin.as().post(path, {})).status).toBe(403);
    const changes = await used.admin.get(
      `/api/core/object-changes/?changed_object_type=users.user&changed_object_id=${id}`,
    );
    expect(changes.text).not.toMatch(/Another-Horse|argon2/);
  });
});

describe('times', () => {
  test('are shown in the zone that was chosen and as in the language, without any script', async () => {
    const { name } = await somebody();
    const mine = await enter(name, { 'accept-language': 'en-GB' });
    const timeOf = async () => {
      const { html } = await mine.get('/user/sessions/');
      return /<time datetime="([^"]+)" title="[^"]+"( data-zoned)?>([^<]+)</.exec(html)!.slice(1);
    };
    const [at, zoned, utc] = await timeOf();
    expect([zoned, utc]).toEqual([undefined, expect.stringMatching(/UTC$/)]);
    await send(mine, '/user/preferences/', { zone: 'Asia/Kathmandu', language: 'de' });
    const [, chosen, said] = await timeOf();
    const wanted = new Intl.DateTimeFormat('de', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Kathmandu',
    }).format(new Date(at!));
    expect([chosen, said]).toEqual([' data-zoned', wanted]);
    await send(mine, '/user/preferences/', { zone: '', language: '' });
    expect((await timeOf())[2]).toMatch(/UTC$/);
  });
  test('narrow lists down by the clocks of that zone', async () => {
    const { name } = await somebody(['view']);
    const mine = await enter(name, { 'accept-language': 'en-GB' });
    const applied = '/dcim/sites/?created__gte=2026-11-01T00%3A00%3A00Z';
    const form = async () => (await mine.get(`${applied}&_show=filters`)).html;
    const plain = await form();
    expect(plain).toContain('name="_at.created" value="2026-11-01T00:00"');
    expect(plain).toContain('2026-11-01 00:00 UTC');
    await send(mine, '/user/preferences/', { zone: 'Asia/Kathmandu', language: '' });
    const there = await form();
    expect(there).toContain('name="_at.created" value="2026-11-01T05:45"');
    expect(there).toContain('2026-11-01 05:45 Asia/Kathmandu');
    expect(there).toContain('name="_zone" value="Asia/Kathmandu"');
    const asked = new URLSearchParams({
      _filter: '1',
      _zone: 'Asia/Kathmandu',
      '_at.created': '2026-11-01T05:45',
      '_lookup.created': 'gte',
    });
    expect(await mine.get(`/dcim/sites/?${asked}`)).toMatchObject({ status: 303, location: applied });
    // What no such field could hold is typed, with what is wrong.
    const wrong = await mine.get('/dcim/sites/?created__gte=yesterday');
    expect([wrong.status, wrong.html.includes('name="created" value="yesterday"')]).toEqual([400, true]);
  });
});

describe('forms', () => {
  test('are there for who may add objects, and may not see what custom fields there are', async () => {
    const { name } = await somebody(['view', 'add', 'change']);
    const mine = await enter(name);
    const { status, html } = await mine.get('/dcim/sites/add/');
    expect([status, html.includes('name="name"')]).toEqual([200, true]);
  });

  test('take a password that is typed twice, and say where it is not', async () => {
    const admin = await enter('admin', {}, adminPassword);
    const name = unique('typed');
    const add = async (form: Record<string, string>) =>
      send(admin, '/users/users/add/', { username: name, is_active: 'on', ...form });
    const page = await admin.get('/users/users/add/');
    expect(page.html).not.toContain('Ranges make several');
    const wrong = await add({ password, '_again.password': `${password}x` });
    expect([wrong.status, wrong.html.includes('not the same')]).toEqual([400, true]);
    expect((await add({ password, '_again.password': password })).status).toBe(303);
    expect((await enter(name)).status).toBe(303);
  });

  test('offer the actions of a permission and all types as boxes, and keep other actions', async () => {
    const admin = await enter('admin', {}, adminPassword);
    const made = await used.admin.make('/api/users/permissions/', {
      name: unique('boxes'),
      object_types: ['dcim.site', 'ipam.vlan'],
      actions: ['view', 'render_config'],
    });
    const path = `/users/permissions/${made.id}/edit/`;
    const { html } = await admin.get(path);
    const ticked = [...html.matchAll(/name="(actions|object_types)" value="([^"]+)" checked/g)].map(([, , one]) => one);
    expect(ticked.sort()).toEqual(['dcim.site', 'ipam.vlan', 'view']);
    expect(html).toContain('name="actions" value="render_config"');
    const form = new URLSearchParams([
      ['csrf_token', await admin.csrfToken(path)],
      ['_etag', /name="_etag" value="([^"]*)"/.exec(html)![1]!.replaceAll('&quot;', '"')],
      ['name', made.name],
      ['enabled', 'on'],
      ['object_types', 'dcim.site'],
      ['actions', 'view'],
      ['actions', 'change'],
      ['actions', 'render_config, sync'],
      ['constraints', '{"status": "active"}'],
    ]);
    const answer = await fetch(used.system.base + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: admin.cookie },
      body: form,
    });
    expect(answer.status).toBe(303);
    expect(await used.admin.read(`/api/users/permissions/${made.id}/`)).toMatchObject({
      object_types: ['dcim.site'],
      actions: ['view', 'change', 'render_config', 'sync'],
      constraints: { status: 'active' },
    });
  });
});
