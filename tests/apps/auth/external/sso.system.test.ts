import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../../../tools/local/processes/free-ports.ts';
import { startSystem, type System } from '../../../../tools/testing/fresh-system.ts';
import { Client } from '../../../support/client.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Jar, jar, type Shown } from '../../../support/identity/sites.ts';
import { CLIENT, type Identities, startProvider } from '../../../support/identity/provider.ts';
import { unique } from '../../../support/unique.ts';

let identities: Identities;
let system: System;
let admin: Client;

beforeAll(async () => {
  const port = String(await freePort());
  identities = await startProvider(`http://127.0.0.1:${port}`);
  system = await startSystem({
    PORT: port,
    OIDC_ISSUER: identities.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Example & Co',
    OIDC_GROUPS_CLAIM: 'groups',
    OIDC_GROUP_MAP: '{"/corp/network": "netops"}',
    OIDC_SUPERUSER_GROUPS: 'bosses',
  });
  admin = new Client(system.base, `Token ${system.token}`);
  await admin.make('/api/users/groups/', { name: 'netops' });
  await admin.make('/api/users/groups/', { name: 'apes' });
}, 300_000);
afterAll(async () => {
  await system?.stop();
  await identities?.stop();
}, 60_000);

const BEGIN = '/oauth/login/oidc/';
const here = (path: string) => system.base + path;
const isBack = (url: string) => url.startsWith(here('/oauth/complete/'));
const problemIn = ({ html }: Shown) => /id="problem">([^<]*)</.exec(html)?.[1];

/** A user of the provider, with a browser of their own. */
function person(more: object = {}): { sub: string; username: string; browser: Jar } {
  const username = unique('ann');
  const sub = `sub-${username}`;
  identities.people.set(sub, { preferred_username: username, ...more });
  return { sub, username, browser: jar() };
}

/** The login up to the address that the provider redirects the browser to. */
async function atProvider(browser: Jar, sub: string | null, next = '/user/sessions/'): Promise<string> {
  identities.next = sub;
  const { location } = await browser.go(here(`${BEGIN}?next=${encodeURIComponent(next)}`), isBack);
  expect(location).toContain('/oauth/complete/oidc/?');
  return location!;
}

async function logIn(browser: Jar, sub: string): Promise<Shown> {
  return browser.go(await atProvider(browser, sub));
}

const isIn = async (browser: Jar): Promise<boolean> => (await browser.ask(here('/user/sessions/'))).status === 200;
const userIs = async (username: string) =>
  (await admin.read(`/api/users/users/?username=${username}`)).results[0] as Record<string, unknown> & {
    id: number;
    groups: { name: string }[];
  };
const groupsOf = async (username: string) => (await userIs(username)).groups.map(({ name }) => name).sort();
const sql = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: system.databaseUrl('auth') });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Record<string, string>[];
  } finally {
    await client.end();
  }
};
const loginOf = async (username: string) =>
  (
    await sql(
      `select o.sid, o.id_token, o.issuer, o.subject from oidc_session o join user_session s on s.id = o.session_id
      join users_user u on u.id = s.user_id where u.username = $1`,
      [username],
    )
  )[0];

describe('a login at the provider', () => {
  test('makes the user of somebody who comes for the first time, and leads to where they wanted to go', async () => {
    const { sub, username, browser } = person({ email: 'ann@example.com', given_name: 'Ann', family_name: 'Lee' });
    const page = await browser.ask(here('/login/?next=/user/sessions/'));
    const href = /id="oidc" href="([^"]*)"/.exec(page.html)![1]!;
    expect(page.html).toContain('Log in with Example &amp; Co');
    identities.next = sub;
    const shown = await browser.go(here(href.replaceAll('&amp;', '&')));
    expect([shown.status, shown.url]).toEqual([200, here('/user/sessions/')]);
    expect(await userIs(username)).toMatchObject({
      email: 'ann@example.com',
      first_name: 'Ann',
      last_name: 'Lee',
      groups: [],
      last_login: expect.any(String),
    });
    // Nobody logs in to this account with a password.
    const provision = await admin.as().post('/api/users/tokens/provision/', { username, password: '!' });
    expect(provision.status).toBe(403);
    const [change] = (
      await admin.read(
        `/api/extras/object-changes/?changed_object_type=users.user&changed_object_id=${(await userIs(username)).id}`,
      )
    ).results;
    expect(change).toMatchObject({ user_name: username, action: { value: 'create' } });
  });

  test('ends the session that the browser had, and that of no other', async () => {
    const { sub, browser } = person();
    const elsewhere = jar();
    await logIn(browser, sub);
    await logIn(elsewhere, sub);
    const before = browser.cookies(system.base).get('cadastre_session')!;
    await logIn(browser, sub);
    const thief = jar();
    thief.cookies(system.base).set('cadastre_session', before);
    expect([await isIn(thief), await isIn(browser), await isIn(elsewhere)]).toEqual([false, true, true]);
  });

  test('leads nowhere but to pages of ours', async () => {
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example']) {
      const { sub, browser } = person();
      const back = await atProvider(browser, sub, next);
      expect((await browser.ask(back)).location).toBe(here('/'));
    }
  });

  test('brings the groups along, and the next one removes those that the provider no longer names', async () => {
    const { sub, username, browser } = person({ groups: ['/corp/network', 'elsewhere', 'apes'] });
    await logIn(browser, sub);
    expect(await groupsOf(username)).toEqual(['apes', 'netops']);
    identities.people.set(sub, { preferred_username: username, groups: ['apes'] });
    await logIn(browser, sub);
    expect(await groupsOf(username)).toEqual(['apes']);
    identities.people.set(sub, { preferred_username: username });
    await logIn(browser, sub);
    expect(await groupsOf(username)).toEqual([]);
  });

  test('makes superusers of those in a group, as long as they are', async () => {
    const { sub, username, browser } = person({ groups: ['bosses'] });
    const superuser = async () =>
      (await sql('select is_superuser::text as is from users_user where username = $1', [username]))[0]!['is'];
    await logIn(browser, sub);
    expect(await superuser()).toBe('true');
    const session = browser.cookies(system.base).get('cadastre_session');
    const reads = () => new Client(system.base).get('/api/users/users/', { cookie: `cadastre_session=${session}` });
    expect((await reads()).body.count).toBeGreaterThan(1);
    identities.people.set(sub, { preferred_username: username, groups: [] });
    await logIn(jar(), sub);
    expect(await superuser()).toBe('false');
    // This also holds for a session that began earlier.
    await eventually(async () => expect((await reads()).status).toBe(403), 30_000);
  });

  test('does not take over an account with a password', async () => {
    const { sub, username, browser } = person();
    await admin.make('/api/users/users/', { username, password: 'Correct horse battery 1' });
    const shown = await logIn(browser, sub);
    expect([shown.status, problemIn(shown)]).toEqual([
      403,
      'Your name belongs to another account here already. Please ask your administrator.',
    ]);
    expect(await isIn(browser)).toBe(false);
  });

  test('is refused to who is not active, without a name, or cancels', async () => {
    const { sub, username, browser } = person();
    await logIn(browser, sub);
    await admin.patch(`/api/users/users/${(await userIs(username)).id}/`, { is_active: false });
    expect(problemIn(await logIn(browser, sub))).toContain('Your account is not active.');
    identities.people.set('nameless', { email: 'x@example.com' });
    expect(problemIn(await logIn(jar(), 'nameless'))).toContain('does not say who you are');
    const third = jar();
    expect(problemIn(await third.go(await atProvider(third, null)))).toContain('The login was cancelled');
  });

  test('speaks the language of the browser', async () => {
    const shown = await jar().ask(here('/oauth/complete/oidc/?state=x&code=y'), {
      headers: { 'accept-language': 'de' },
    });
    expect(problemIn(shown)).toContain('Diese Anmeldung wurde in einem anderen Fenster begonnen');
  });
});

describe('what comes back from the provider counts', () => {
  const stale = 'This login was begun in another window, took too long, or has been used already. Please try again.';

  test('once', async () => {
    const { sub, browser } = person();
    const back = await atProvider(browser, sub);
    const flow = browser.cookies(system.base).get('cadastre_flow')!;
    expect((await browser.ask(back)).location).toBe(here('/user/sessions/'));
    expect(browser.cookies(system.base).has('cadastre_flow')).toBe(false);
    // The same browser has forgotten it; one that has not is refused, too.
    expect(problemIn(await browser.ask(back))).toBe(stale);
    const thief = jar();
    thief.cookies(system.base).set('cadastre_flow', flow);
    const again = await thief.ask(back);
    expect([again.status, problemIn(again), await isIn(thief)]).toEqual([400, stale, false]);
  });

  test('in the browser that began', async () => {
    const { sub, browser } = person();
    const back = await atProvider(browser, sub);
    const victim = jar();
    expect(problemIn(await victim.ask(back))).toBe(stale);
    // Also when that browser has begun a login of its own.
    const other = person();
    await atProvider(victim, other.sub);
    expect(problemIn(await victim.ask(back))).toBe(stale);
    expect(await isIn(victim)).toBe(false);
    expect((await browser.ask(back)).location).toBe(here('/user/sessions/'));
  });

  test('with the state that it began with, which another does not end', async () => {
    const { sub, browser } = person();
    const back = await atProvider(browser, sub);
    const forged = new URL(back);
    forged.searchParams.set('state', 'forged');
    expect(problemIn(await browser.ask(forged.href))).toBe(stale);
    expect((await browser.ask(back)).location).toBe(here('/user/sessions/'));
  });

  test.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (url: URL) => url.searchParams.delete('iss')],
    ['another code', (url: URL) => url.searchParams.set('code', 'forged')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['two states', (url: URL) => url.searchParams.append('state', 'x')],
  ])('not with %s', async (_, change) => {
    const { sub, browser } = person();
    const url = new URL(await atProvider(browser, sub));
    change(url);
    const shown = await browser.ask(url.href);
    expect([shown.status, problemIn(shown), await isIn(browser)]).toEqual([
      403,
      'What the login service said does not count. Please try again.',
      false,
    ]);
  });

  test('not as a form, which pages elsewhere can send', async () => {
    const { sub, browser } = person();
    const url = new URL(await atProvider(browser, sub));
    expect((await browser.post(here('/oauth/complete/oidc/'), Object.fromEntries(url.searchParams))).status).toBe(405);
  });
});

describe('a logout', () => {
  test('here ends the session at the provider, too', async () => {
    const { sub, username, browser } = person();
    const page = await logIn(browser, sub);
    const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(page.html)![1]!;
    const session = browser.cookies(system.base).get('cadastre_session')!;
    const left = await browser.post(here('/logout/'), { csrf_token: csrfToken });
    expect(left.status).toBe(200);
    const to =
      /id="go-on"/.test(left.html) && /href="([^"]*)" id="go-on"/.exec(left.html)![1]!.replaceAll('&amp;', '&');
    expect(to).toContain(`${identities.issuer}/session/end?`);
    expect(left.html).toContain('http-equiv="refresh"');
    expect(await loginOf(username)).toBeUndefined();
    const asked = await browser.ask(String(to));
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(asked.html)![1]!;
    const done = await browser.post(`${identities.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    expect(done.location).toBe(here('/logout/'));
    expect((await browser.go(done.location!)).html).toContain('You are logged out.');
    // The cookie that was there before is worth nothing, and the provider asks again who it is.
    browser.cookies(system.base).set('cadastre_session', session);
    expect(await isIn(browser)).toBe(false);
    browser.cookies(system.base).clear();
    expect((await browser.go(await atProvider(browser, null))).status).toBe(403);
  });

  test('at the provider ends the sessions that began there, and no others', async () => {
    const { sub, username, browser } = person();
    const elsewhere = jar();
    await logIn(browser, sub);
    const { sid } = (await loginOf(username))!;
    await logIn(elsewhere, sub);
    expect(await Promise.all([isIn(browser), isIn(elsewhere)])).toEqual([true, true]);
    await identities.end(sub, sid!);
    expect(await isIn(browser)).toBe(false);
    expect(await isIn(elsewhere)).toBe(true);
  });

  test('what is kept for it is not readable', async () => {
    const { sub, username, browser } = person();
    await logIn(browser, sub);
    expect(await loginOf(username)).toMatchObject({
      issuer: identities.issuer,
      subject: sub,
      sid: expect.any(String),
      id_token: expect.stringMatching(/^sealed:1:/),
    });
  });

  test.each([
    ['nothing', {}],
    ['no token', { logout_token: 'x' }],
    ['an unsigned one', { logout_token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` }],
  ])('is not begun by %s', async (_, form) => {
    const { status, html, headers } = await jar().post(
      here('/oauth/backchannel-logout/oidc/'),
      form as Record<string, string>,
    );
    expect([status, JSON.parse(html), headers.get('cache-control')]).toEqual([
      400,
      { error: 'invalid_request' },
      'no-store',
    ]);
  });
});
