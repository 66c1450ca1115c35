// A session ends in the middle of a form: what was typed is restored, whichever way the user logs in again.
import { describe, expect, test } from '@jest/globals';
import { enrol } from '../../../support/identity/factors.ts';
import { Jar } from '../../../support/pages/jar.ts';
import { type Jar as Browser, jar, type Shown } from '../../../support/identity/sites.ts';
import { leadsTo, sent, useSso } from '../../../support/identity/sso.ts';
import { unique } from '../../../support/unique.ts';

const used = useSso({ OIDC_SUPERUSER_GROUPS: 'bosses', SECOND_FACTOR_GROUPS: 'careful' });
const { here, logIn } = used;

const add = '/dcim/sites/add/';
const PASSWORD = 'Correct-Horse-9';
const elsewhere = { selector: 'form:has(#oidc)', button: ['elsewhere', '1'] as [string, string] };
const comments = 'First line\n\n"quoted" <b>bold</b> & äöü 漢字';
const sites = async (name: string): Promise<Record<string, unknown>[]> =>
  (await used.admin.read(`/api/dcim/sites/?name=${name}`)).results;

/** A user of the provider whose session has ended when they send a form: the login page that they see then. */
async function late(): Promise<{ sub: string; browser: Browser; name: string; asked: Shown }> {
  const { sub, browser } = used.person({ groups: ['bosses'] });
  await logIn(browser, sub);
  const name = unique('late');
  const page = await browser.ask(here(add));
  browser.cookies(used.system.base).clear();
  const asked = await sent(browser, page, { name, slug: name, comments });
  expect([asked.status, asked.html.includes('what you typed is kept')]).toEqual([403, true]);
  return { sub, browser, name, asked };
}

/** Sends the form that was kept, with the values that it is filled in with. */
async function savedFrom(browser: Browser, kept: Shown, name: string): Promise<void> {
  const form = await sent(browser, kept);
  expect([form.status, form.html.includes('It has not been saved yet.'), await sites(name)]).toEqual([200, true, []]);
  expect((await sent(browser, form)).status).toBe(303);
  expect(await sites(name)).toEqual([expect.objectContaining({ name, comments })]);
}

describe('a login by the provider', () => {
  test('goes on with what was typed', async () => {
    const { sub, browser, name, asked } = await late();
    const leaving = await sent(browser, asked, {}, elsewhere);
    expect([leaving.status, leaving.html.includes('What you typed is kept.')]).toEqual([200, true]);
    // It cannot be read in the database.
    const stored = await used.sql('select content from pending_form');
    expect([stored.length > 0, JSON.stringify(stored).includes(name)]).toEqual([true, false]);
    used.identities.next = sub;
    await savedFrom(browser, await browser.go(leadsTo(leaving)), name);
    expect(await used.sql('select content from pending_form')).toEqual([]);
  });

  test('that fails keeps it for the next, also for one with a password', async () => {
    const { browser, name, asked } = await late();
    // A user who is still logged in at the provider is asked nothing there, and could not cancel.
    browser.cookies(used.identities.issuer).clear();
    used.identities.next = null;
    const failed = await browser.go(leadsTo(await sent(browser, asked, {}, elsewhere)));
    expect([failed.status, failed.html.includes('The login was cancelled')]).toEqual([403, true]);
    const username = unique('local');
    await used.admin.make('/api/users/users/', { username, password: PASSWORD });
    const kept = await sent(browser, failed, { username, password: PASSWORD });
    expect(kept.html).toContain(name);
    // Another user may submit it, but only with their own permissions.
    expect((await sent(browser, await sent(browser, kept))).status).toBe(403);
    expect(await sites(name)).toEqual([]);
  });

  test('gives it to the browser that has typed it alone', async () => {
    const { sub, browser, name, asked } = await late();
    await sent(browser, asked, {}, elsewhere);
    const other = jar();
    const shown = await logIn(other, sub);
    expect([shown.status, shown.html.includes(name)]).toEqual([200, false]);
  });

  test('takes a form of no other site along', async () => {
    const { browser, asked } = await late();
    const kept = JSON.stringify({ to: add, fields: [['name', 'of somebody else']] });
    const count = async () => (await used.sql('select count(*) from pending_form'))[0]!['count'];
    const before = await count();
    for (const csrfToken of [
      '',
      'x',
      /name="csrf_token" value="([^"]*)"/.exec((await jar().ask(here('/login/'))).html)![1]!,
    ]) {
      const { status } = await browser.post(here('/login/'), { csrf_token: csrfToken, kept, elsewhere: '1' });
      expect([status, await count()]).toEqual([403, before]);
    }
    expect(asked.status).toBe(403);
  });
});

describe('a login after which a second factor has to be set up', () => {
  async function careful() {
    const username = unique('careful');
    const [found] = (await used.admin.read('/api/users/groups/?name=careful')).results;
    const group = found ?? (await used.admin.make('/api/users/groups/', { name: 'careful' }));
    const { id } = await used.admin.make('/api/users/users/', { username, password: PASSWORD });
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['dcim.site'],
      actions: ['view', 'add'],
      users: [id],
    });
    const browser = new Jar(used.system.base);
    await browser.logIn(username, PASSWORD);
    const page = await browser.get(add);
    await used.admin.patch(`/api/users/users/${id}/`, { groups: [group.id] });
    return { username, browser, page };
  }
  const second = '/user/factors/';

  test('goes on with what was typed when there is one', async () => {
    const { username, browser, page } = await careful();
    const name = unique('late');
    browser.cookies.clear();
    const asked = await browser.send(page, { name, slug: name, comments });
    const kept = await browser.send(asked, { username, password: PASSWORD });
    expect((await browser.send(kept)).location).toBe(second);
    // What is looked at on the way is what it was.
    expect((await browser.get(add)).location).toBe(second);
    const { shown } = await enrol(browser);
    expect(shown.html).toContain('Recovery codes');
    const resumed = await browser.get('/');
    expect([resumed.status, resumed.html.includes('is still here')]).toEqual([200, true]);
    const form = await browser.send(resumed);
    expect([form.status, await sites(name)]).toEqual([200, []]);
    expect((await browser.send(form)).status).toBe(303);
    expect(await sites(name)).toEqual([expect.objectContaining({ name, comments })]);
    // It is offered once only.
    expect((await browser.get('/')).html).not.toContain('is still here');
  });

  test('also where it is asked for in the middle of a session; a logout forgets it', async () => {
    const { username, browser, page } = await careful();
    const name = unique('late');
    expect((await browser.send(page, { name, slug: name })).location).toBe(second);
    const { html } = await browser.get(second);
    const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(html)![1]!;
    await browser.post('/logout/', { csrf_token: csrfToken });
    await browser.logIn(username, PASSWORD);
    await enrol(browser);
    expect((await browser.get('/')).html).not.toContain(name);
  });

  test('takes a form of no other site along', async () => {
    const { browser } = await careful();
    await browser.post(add, { csrf_token: 'x', name: 'of somebody else' });
    expect([...browser.cookies.keys()]).not.toContain('cadastre_aside');
  });
});

test('who comes from the provider needs no second factor here, as it has asked for its own', async () => {
  const { sub, browser } = used.person({ groups: ['careful', 'bosses'] });
  await used.admin.post('/api/users/groups/', { name: 'careful' });
  expect((await logIn(browser, sub, '/dcim/sites/')).url).toBe(here('/dcim/sites/'));
});
