// A user of an identity provider re-authenticates: at the provider, and nowhere else.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Jar, Shown } from '../../../support/identity/sites.ts';
import { leadsTo, sent, useSso } from '../../../support/identity/sso.ts';

const used = useSso({ OIDC_CLOCK_TOLERANCE: '0' });
const { here, logIn, person, tooOld } = used;

const tokens = '/user/api-tokens/';
const newToken = { selector: 'main form.panel' };
const again = { button: ['again', '1'] as [string, string] };
const problemIn = ({ html }: Shown) => /role="alert"[^>]*>([^<]*)</.exec(html)?.[1];

const make = async (browser: Jar, description: string): Promise<Shown> =>
  sent(browser, await browser.ask(here(tokens)), { description }, newToken);
const made = async (username: string) =>
  (
    await used.sql(
      'select t.description from users_token t join users_user u on u.id = t.user_id where u.username = $1 order by t.id',
      [username],
    )
  ).map(({ description }) => description);
const sessionOf = (browser: Jar) => browser.cookies(used.system.base).get('cadastre_session');

/** A user who logged in too long ago, at the page that leads to the provider. */
async function asked(next = tokens) {
  const one = person();
  await logIn(one.browser, one.sub);
  await tooOld(one.username);
  // Providers give times in whole seconds.
  await sleep(1_000);
  const page = await one.browser.ask(here(`/reauthenticate/?next=${encodeURIComponent(next)}`));
  const leaving = await sent(one.browser, page, {}, again);
  return { ...one, leaving, to: leadsTo(leaving) };
}

test('a login there is a proof as long as it is recent, by the time of the provider', async () => {
  const { sub, username, browser } = person();
  await logIn(browser, sub);
  expect((await make(browser, 'fresh')).status).toBe(200);
  const ages = () =>
    used.sql(
      `select (s.created - s.proved > interval '4 seconds')::text as old from user_session s
        join users_user u on u.id = s.user_id where u.username = $1 order by s.id`,
      [username],
    );
  expect(await ages()).toEqual([{ old: 'false' }]);
  // A second login for which the provider asks nothing proves nothing new.
  await sleep(4_500);
  browser.cookies(used.system.base).clear();
  used.identities.next = null;
  expect((await browser.go(here('/oauth/login/oidc/?next=/user/sessions/'))).status).toBe(200);
  expect(await ages()).toEqual([{ old: 'false' }, { old: 'true' }]);
  await tooOld(username);
  expect((await make(browser, 'later')).status).toBe(403);
  expect(await made(username)).toEqual(['fresh']);
});

describe('who is to prove once more who they are', () => {
  test('is asked by the provider anew, and goes on', async () => {
    const { sub, username, browser, leaving, to } = await asked();
    expect([leaving.status, new URL(to).origin]).toEqual([200, used.identities.issuer]);
    expect([new URL(to).searchParams.get('prompt'), new URL(to).searchParams.get('max_age')]).toEqual(['login', '0']);
    // Until then the session stays what it was.
    expect((await make(browser, 'not yet')).status).toBe(403);
    const before = sessionOf(browser);
    used.identities.next = sub;
    const back = await browser.go(to);
    expect([back.status, back.url]).toEqual([200, here(tokens)]);
    expect(sessionOf(browser)).not.toBe(before);
    expect((await make(browser, 'proved')).status).toBe(200);
    expect(await made(username)).toEqual(['proved']);
  });

  test('and finds again what they had typed', async () => {
    const { sub, username, browser } = person();
    await logIn(browser, sub);
    const page = await browser.ask(here(tokens));
    await tooOld(username);
    const refused = await sent(browser, page, { description: 'typed before' }, newToken);
    const to = leadsTo(await sent(browser, await sent(browser, refused), {}, again));
    used.identities.next = sub;
    const back = await browser.go(to);
    expect([back.status, back.html.includes('typed before')]).toEqual([200, true]);
    expect((await sent(browser, back)).status).toBe(200);
    expect(await made(username)).toEqual(['typed before']);
  });

  test('is refused when the provider has asked nothing', async () => {
    const { username, browser, to } = await asked('/users/groups/add/');
    // As a browser could have it that wants to be let in silently.
    const silent = new URL(to);
    silent.searchParams.delete('prompt');
    silent.searchParams.set('max_age', '31536000');
    used.identities.next = null;
    const back = await browser.go(silent.href);
    expect([back.status, problemIn(back)]).toEqual([
      403,
      'The login service has not asked you anew who you are. Please try again, or ask your administrator.',
    ]);
    expect(back.html).toContain('Log in once more');
    expect((await make(browser, 'silent')).status).toBe(403);
    expect(await made(username)).toEqual([]);
  });

  test('cannot be somebody else', async () => {
    const { username, browser, to } = await asked();
    const other = person();
    used.identities.next = other.sub;
    // The provider ends the session of the first one there, which ends the one here, too.
    const ending = await browser.go(to);
    const next = await sent(browser, ending, {}, { selector: 'form' });
    const back = await browser.go(next.location!);
    expect([back.status, problemIn(back)]).toEqual([
      403,
      'Somebody else has logged in at the login service. Please log in there as yourself.',
    ]);
    const { location } = await browser.ask(here(tokens));
    expect([location, await made(username)]).toEqual([here(`/login/?next=${encodeURIComponent(tokens)}`), []]);
  });

  test('who cancels it reads so, and may try again', async () => {
    const { sub, browser, to } = await asked();
    used.identities.next = null;
    const back = await browser.go(to);
    expect([back.status, problemIn(back)]).toEqual([403, 'The login was cancelled, or you may not log in here.']);
    used.identities.next = sub;
    expect((await browser.go(leadsTo(await sent(browser, back, {}, again)))).status).toBe(200);
    expect((await make(browser, 'in the end')).status).toBe(200);
  });
});
