import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const password = 'Correct-Horse-9';
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

async function site(more = {}): Promise<{ id: number; name: string }> {
  const name = unique('site');
  return used.admin.make('/api/dcim/sites/', { name, slug: name, ...more });
}
/** A user with an empty home page, and without preferences. */
async function somebody(
  types = ['dcim.site'],
  actions = ['view'],
): Promise<{ session: Session; id: number; name: string }> {
  const { id, name } = await userWith(used.admin, { types, actions });
  return { session: await logIn(used.system.base, name, password), id, name };
}
const send = async (session: Session, path: string, form: Record<string, string>) =>
  session.post(path.replace(/\?.*/, ''), { csrf_token: await session.csrfToken(path), ...form });
const main = (html: string): string => html.slice(html.indexOf('<main'));

describe('the search', () => {
  test('finds objects of all types by name, the best first, and leads to the lists', async () => {
    const one = await site();
    await site({ description: one.name });
    await used.admin.make('/api/tenancy/tenants/', { name: `${one.name}-tenant`, slug: `${one.name}-tenant` });
    const html = main((await admin.get(`/search/?q=${one.name}`)).html);
    expect(html.indexOf(`/dcim/sites/${one.id}/`)).toBeGreaterThan(0);
    expect(html).toContain(`href="/dcim/sites/?q=${one.name}"`);
    expect(html).toContain(`${one.name}-tenant`);
    const first = /<ul><li><a href="([^"]+)"/.exec(html)![1];
    expect(first).toBe(`/dcim/sites/${one.id}/`);
  });
  test('shows no more than the API gives', async () => {
    const one = await site();
    const { session } = await somebody(['dcim.region']);
    expect((await session.get(`/search/?q=${one.name}`)).html).not.toContain(`/dcim/sites/${one.id}/`);
  });
  test('says what to enter, that nothing was found, and escapes what was typed', async () => {
    expect((await admin.get('/search/')).html).toContain('Enter a name');
    const html = main((await admin.get(`/search/?q=${encodeURIComponent('<b>none"')}`)).html);
    expect(html).toContain('Nothing was found for “&lt;b&gt;none&quot;”');
  });
  test('as one types, it is a part of a page', async () => {
    const one = await site();
    const answer = await fetch(`${used.system.base}/search/?q=${one.name}`, {
      headers: { cookie: admin.cookie, 'x-partial': '1' },
    });
    const html = await answer.text();
    expect(html).toContain(`/dcim/sites/${one.id}/`);
    expect(html).not.toContain('<html');
  });
});

describe('the home page', () => {
  test('widgets are added, moved, made wider, removed, and kept where the API keeps them', async () => {
    const { session } = await somebody();
    expect(main((await session.get('/')).html)).toContain('Bookmarks');
    const note = unique('note');
    expect(await send(session, '/?edit=1', { add: 'note', title: note, text: '<i>text</i>' })).toMatchObject({
      status: 303,
      location: '/?edit=1',
    });
    const order = async () =>
      [...main((await session.get('/?edit=1')).html).matchAll(/name="remove" value="([^"]+)"/g)].map(([, id]) => id!);
    const before = await order();
    const id = before.at(-1)!;
    await send(session, '/?edit=1', { earlier: id });
    expect((await order()).indexOf(id)).toBe(before.length - 2);
    await send(session, '/?edit=1', { wider: id });
    const html = main((await session.get('/')).html);
    expect(html).toMatch(new RegExp(`w-8"><h2>${note}</h2>\\s*<p class="text">&lt;i&gt;text&lt;/i&gt;</p>`));
    await send(session, '/?edit=1', { remove: id });
    expect(main((await session.get('/')).html)).not.toContain(note);
    await send(session, '/?edit=1', { reset: '1' });
    expect(await order()).toEqual(before.filter((one) => one !== id));
  });
  test('a list of objects shows what its filters select', async () => {
    const { session } = await somebody();
    const [one, other] = await Promise.all([site(), site()]);
    await send(session, '/?edit=1', { add: 'list', type: 'dcim.site', filters: `name=${one.name}` });
    const html = main((await session.get('/')).html);
    expect([html.includes(one.name), html.includes(other.name)]).toEqual([true, false]);
  });
  test('what somebody may not see has no widget', async () => {
    const { session } = await somebody(['dcim.region']);
    const html = main((await session.get('/')).html);
    expect([html.includes('/dcim/sites/'), html.includes('Failed deliveries')]).toEqual([false, false]);
  });
});

describe('one’s own account', () => {
  test('a token is made, works, is shown once, and is deleted; nobody else’s is', async () => {
    const { session, id } = await somebody();
    // No setting limits tokens here; the form and the API say so.
    expect((await session.get('/user/api-tokens/')).html).toContain('Leave it empty for a token that does not expire.');
    expect(await used.admin.read('/api/users/tokens/policy/')).toMatchObject({ max_days: null, idle_days: null });
    const made = await send(session, '/user/api-tokens/', { description: 'mine', write_enabled: 'on' });
    const token = /(svc_\w+\.\w+)</.exec(made.html)![1]!;
    expect(made.html).toContain('with nbt_ in place of svc_');
    expect(
      (await used.admin.as(`Bearer ${token.replace('svc_', 'nbt_')}`).get('/api/dcim/sites/?limit=1')).status,
    ).toBe(200);
    const asked = await fetch(`${used.system.base}/api/authentication-check/`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([asked.status, ((await asked.json()) as { id: number }).id]).toEqual([200, id]);
    const page = await session.get('/user/api-tokens/');
    expect(page.html).not.toContain(token.split('.')[1]);
    const own = /name="delete" value="(\d+)"/.exec(page.html)![1]!;
    const { results } = await used.admin.read(`/api/users/tokens/?user=admin`);
    expect((await send(session, '/user/api-tokens/', { delete: String(results[0].id) })).status).toBe(404);
    expect((await send(session, '/user/api-tokens/', { delete: own })).status).toBe(303);
    expect((await used.admin.get(`/api/users/tokens/${own}/`)).status).toBe(404);
    const wrong = await send(session, '/user/api-tokens/', { description: 'kept', allowed_ips: 'nonsense' });
    expect([wrong.status, wrong.html.includes('value="kept"'), wrong.html.includes('allowed_ips-problem')]).toEqual([
      400,
      true,
      true,
    ]);
  });
  test('preferences are kept by the API, and act', async () => {
    const { session } = await somebody();
    expect((await session.get('/user/preferences/')).html).toMatch(/<html lang="en">/);
    await send(session, '/user/preferences/', { language: 'de', zone: 'Asia/Tokyo', per_page: '100', scheme: 'dark' });
    const { html } = await session.get('/user/preferences/');
    expect(html).toMatch(/<html lang="de" data-scheme="dark">/);
    expect(html).toContain('Einstellungen');
    const config = await fetch(`${used.system.base}/api/users/config/`, { headers: { cookie: session.cookie } });
    expect(await config.json()).toMatchObject({
      ui: { colormode: 'dark' },
      locale: { language: 'de', timezone: 'Asia/Tokyo' },
      pagination: { per_page: 100 },
    });
    const wrong = await send(session, '/user/preferences/', { zone: 'Mars/Base' });
    expect([wrong.status, wrong.html.includes('value="Mars/Base"')]).toEqual([400, true]);
    // The menu of every page changes the colour theme, and no other preference.
    expect((await send(session, '/user/profile/', {})).status).toBe(405);
    const back = await session.post('/user/preferences/', {
      csrf_token: await session.csrfToken('/'),
      scheme: 'light',
      back: '//evil.example/',
    });
    expect(back.location).toBe('/user/preferences/');
    expect(
      (
        await session.post('/user/preferences/', {
          csrf_token: await session.csrfToken('/'),
          scheme: 'light',
          back: '/search/',
        })
      ).location,
    ).toBe('/search/');
    expect((await session.get('/')).html).toMatch(/data-scheme="light"/);
  });
  test('the language is the browser’s where none was chosen', async () => {
    const answer = await fetch(`${used.system.base}/search/`, {
      headers: { cookie: admin.cookie, 'accept-language': 'de-CH,de;q=0.9' },
    });
    expect(await answer.text()).toMatch(/<html lang="de"/);
  });
  test('bookmarks and subscriptions are listed and removed', async () => {
    const one = await site();
    const about = { object_type: 'dcim.site', object_id: one.id, user: 1 };
    for (const [path, home] of [
      ['/api/extras/bookmarks/', '/user/bookmarks/'],
      ['/api/extras/subscriptions/', '/user/subscriptions/'],
      ['/api/extras/notifications/', '/user/notifications/'],
    ] as const) {
      const made = await used.admin.make(path, {
        ...about,
        ...(path.includes('notif') ? { event_type: 'object_updated' } : {}),
      });
      expect((await admin.get(home)).html).toContain(`/dcim/sites/${one.id}/`);
      if (path.includes('notif')) {
        await send(admin, home, { read: String(made.id) });
        expect((await used.admin.read(`${path}${made.id}/`)).read).not.toBeNull();
      }
      expect(await send(admin, home, { delete: String(made.id) })).toMatchObject({ status: 303 });
      expect((await used.admin.get(`${path}${made.id}/`)).status).toBe(404);
    }
  });
});

describe('the rights of a user', () => {
  test('are told with the permissions that say so, and their constraints', async () => {
    const [one, { id }] = await Promise.all([site(), somebody(['dcim.site'], ['view'])]);
    const group = await used.admin.make('/api/users/groups/', { name: unique('group') });
    await used.admin.patch(`/api/users/users/${id}/`, { groups: [group.id] });
    const limited = await used.admin.make('/api/users/permissions/', {
      name: unique('limited'),
      object_types: ['dcim.site'],
      actions: ['change'],
      constraints: { status: 'planned' },
      groups: [group.id],
    });
    const ask = async (question: string) =>
      main((await admin.get(`/users/users/${id}/rights/?${question}`)).html).replace(/&quot;/g, '"');
    expect(await ask(`action=view&type=dcim.site&object=${one.id}`)).toMatch(
      new RegExp(`<strong>Yes.</strong>[^]*/dcim/sites/${one.id}/`),
    );
    const some = await ask('action=change&type=dcim.site');
    expect(some).toContain('<strong>If it matches.</strong>');
    expect(some).toContain('<option value="dcim.site" selected>');
    // For one object the page says whether it matches.
    expect(await ask(`action=change&type=dcim.site&object=${one.id}`)).toMatch(
      /<strong>No.<\/strong>[\s\S]*meets none/,
    );
    await used.admin.patch(`/api/dcim/sites/${one.id}/`, { status: 'planned' });
    expect(await ask(`action=change&type=dcim.site&object=${one.id}`)).toMatch(
      /<strong>Yes.<\/strong>[\s\S]*meets one/,
    );
    expect(some).toContain('{"status":"planned"}');
    expect(some).toContain(`/users/groups/${group.id}/`);
    expect(some).toContain(`/users/permissions/${limited.id}/`);
    expect(await ask('action=delete&type=dcim.site')).toContain('<strong>No.</strong>');
    await used.admin.patch(`/api/users/permissions/${limited.id}/`, { enabled: false });
    const disabled = await ask('action=change&type=dcim.site');
    expect(disabled).toContain('<strong>No.</strong>');
    expect(disabled).toContain('would, if they were enabled');
    const { results } = await used.admin.read('/api/users/users/?username=admin');
    const superuser = await admin.get(`/users/users/${results[0].id}/rights/?action=delete&type=dcim.site`);
    expect(superuser.html).toContain('is a superuser');
    expect(await ask('action=view&type=no.such&object=1')).toContain('which there is not');
  });
  test('are nobody’s business who may not see permissions', async () => {
    const { session, id } = await somebody(['users.user']);
    expect((await session.get(`/users/users/${id}/rights/`)).status).toBe(403);
  });
});
