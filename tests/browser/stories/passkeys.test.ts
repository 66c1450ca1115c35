// Second factors in a browser: with a passkey of a virtual authenticator, and how the pages look.
import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, CDPSession } from 'playwright-core';
import { inBrowser, picture, useBrowser } from '../../support/browser/browser.ts';
import { codeBefore, codeOf, onAuth, PASSWORD, person } from '../../support/identity/factors.ts';
import { beyondEdge, NARROW } from '../../support/browser/looked.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';

inBrowser('second factors', () => {
  const used = useSystem();
  const browser = useBrowser();
  // Passkeys are bound to host names, never to IP addresses.
  const base = () => used.system.base.replace('127.0.0.1', 'localhost');

  /** A window whose browser has an authenticator built in. */
  async function open(
    options: BrowserContextOptions = {},
  ): Promise<{ one: Person; cdp: CDPSession; authenticatorId: string }> {
    const one = new Person(await browser.open({ baseURL: base(), ...options }));
    const cdp = await one.page.context().newCDPSession(one.page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { one, cdp, authenticatorId };
  }

  async function logIn(one: Person, name: string): Promise<void> {
    await one.page.goto('/login/');
    await one.page.getByLabel('Username').fill(name);
    await one.page.getByLabel('Password').fill(PASSWORD);
    await one.press('Log in');
  }

  const logOut = async ({ page }: Person) => page.context().clearCookies();
  const methods = async (name: string) =>
    (
      await onAuth<{ method: string }>(
        used.system,
        'select s.method from user_session s join users_user u on u.id = s.user_id where u.username = $1 order by s.id',
        [name],
      )
    ).map(({ method }) => method);

  async function addPasskey(one: Person): Promise<void> {
    await one.page.goto('/user/factors/');
    await one.page.locator('#f-name').fill('laptop');
    await one.press('Passkey');
    await one.press('Make the passkey');
    await one.page.getByText('laptop').first().waitFor();
  }

  test('a passkey is made, is the second step, the only one, and a proof later on', async () => {
    const { name } = await person(used.admin);
    const { one } = await open();
    await logIn(one, name);
    await addPasskey(one);
    expect((await one.page.locator('pre.code').textContent())?.trim().split('\n')).toHaveLength(10);

    await logOut(one);
    await logIn(one, name);
    await one.press('Use a passkey');
    expect(new URL(one.page.url()).pathname).toBe('/');

    await logOut(one);
    await one.page.goto('/login/?next=%2Fuser%2Fprofile%2F');
    await one.press('Use a passkey');
    expect(new URL(one.page.url()).pathname).toBe('/user/profile/');
    expect(await methods(name)).toEqual(['password', 'password+passkey', 'passkey']);

    await onAuth(
      used.system,
      "update user_session set proved = now() - interval '1 day' where user_id = (select id from users_user where username = $1)",
      [name],
    );
    const [user] = await onAuth<{ id: string }>(used.system, 'select id from users_user where username = $1', [name]);
    await used.admin.patch(`/api/users/users/${user!.id}/`, { first_name: 'Ada' });
    await one.page.goto('/user/api-tokens/');
    await one.page.locator('#f-description').fill('by passkey');
    await one.page.locator('main form.panel button.main').click();
    await one.button('Use a passkey').waitFor();
    await one.button('Use a passkey').click();
    await one.page.getByText('by passkey').first().waitFor();
    expect(one.errors.filter((text) => !/status of 403/.test(text))).toEqual([]);
  });

  test('what a passkey has signed counts once, and in its visit alone', async () => {
    const { name } = await person(used.admin);
    const { one } = await open();
    await logIn(one, name);
    await addPasskey(one);
    await logOut(one);
    await one.page.goto('/login/');
    const sent = one.page.waitForRequest((request) => request.method() === 'POST');
    await one.press('Use a passkey');
    const request = await sent;
    const { cookie = '' } = await request.allHeaders();
    const again = (cookies: string) =>
      fetch(`${base()}/login/`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: cookies, origin: base() },
        body: new URLSearchParams(request.postData()!),
      });
    expect(cookie).toContain('cadastre_login=');
    // So that the refusal is not due to the signature counter.
    await onAuth(
      used.system,
      'update user_factor set sign_count = 0 where user_id = (select id from users_user where username = $1)',
      [name],
    );
    const answer = await again(cookie);
    expect([answer.status, (await answer.text()).includes('not known here')]).toEqual([403, true]);
    const page = await fetch(`${base()}/login/`);
    const elsewhere = await again(page.headers.getSetCookie()[0]!.split(';', 1)[0]!);
    expect([elsewhere.status, elsewhere.headers.getSetCookie().some((one) => one.includes('session'))]).toEqual([
      403,
      false,
    ]);
  });

  test('a copy of a passkey is found by its count; one that does not verify its user is a second step only', async () => {
    const { name } = await person(used.admin);
    const { one, cdp, authenticatorId } = await open();
    await logIn(one, name);
    await addPasskey(one);
    await logOut(one);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await one.page.goto('/login/');
    await one.button('Use a passkey').click();
    await one.page.getByText('The passkey has not answered.').waitFor();
    await logIn(one, name);
    await one.press('Use a passkey');
    expect(new URL(one.page.url()).pathname).toBe('/');

    await logOut(one);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await onAuth(
      used.system,
      'update user_factor set sign_count = 1000 where user_id = (select id from users_user where username = $1)',
      [name],
    );
    await logIn(one, name);
    await one.press('Use a passkey');
    expect(await one.said()).toContain('This is not right');
    await one.page.goto('/login/');
    await one.press('Use a passkey');
    expect(await one.said()).toContain('not known here');
  });

  test('who has an app as well chooses; the pages fit every screen', async () => {
    const looks: Record<string, BrowserContextOptions> = {
      light: {},
      dark: { colorScheme: 'dark' },
      narrow: { viewport: NARROW },
    };
    for (const [look, options] of Object.entries(looks)) {
      const { name } = await person(used.admin);
      const { one } = await open(options);
      const shot = async (what: string) => {
        await picture(one.page, `factors-${what}-${look}`);
        expect([look, what, await beyondEdge(one.page)]).toEqual([look, what, []]);
      };
      await one.page.goto('/login/');
      await shot('login');
      await logIn(one, name);
      await one.page.goto('/user/factors/');
      await shot('none');
      await one.page.locator('#f-name').fill('phone');
      await one.press('App with codes');
      await shot('qr');
      const secret = (await one.page.locator('code.secret').textContent())!;
      await one.page.locator('#f-code').fill('000000');
      await one.press('Confirm');
      await shot('wrong');
      await one.page.locator('#f-code').fill(await codeBefore(secret));
      await one.press('Confirm');
      await shot('codes');
      await addPasskey(one);
      await one.page.goto('/user/factors/');
      await shot('some');
      await logOut(one);
      await logIn(one, name);
      await shot('second');
      await one.page.getByLabel('Code').fill(codeOf(secret));
      await one.press('Go on');
      await one.page.goto('/reauthenticate/?next=%2Fuser%2Fprofile%2F');
      await shot('again');
    }
  });
});
