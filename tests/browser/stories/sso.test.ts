// Single sign-on in a browser, with a provider that asks on its own page who the user is.
import { expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { inBrowser, picture, useBrowser } from '../../support/browser/browser.ts';
import { codeBefore, PASSWORD } from '../../support/identity/factors.ts';
import { beyondEdge, NARROW } from '../../support/browser/looked.ts';
import { Person } from '../../support/browser/person.ts';
import { useSso } from '../../support/identity/sso.ts';
import { unique } from '../../support/unique.ts';

inBrowser('single sign-on', () => {
  const used = useSso({ OIDC_SUPERUSER_GROUPS: 'bosses', SECOND_FACTOR_GROUPS: 'careful' }, { pages: true });
  const browser = useBrowser();
  const button = 'Log in with Example & Co';

  const open = async (options: BrowserContextOptions = {}): Promise<Person> =>
    new Person(await browser.open({ baseURL: used.system.base, ...options }));
  /** Only the session here; the one at the provider goes on. */
  const sessionEnds = ({ page }: Person) => page.context().clearCookies({ name: 'cadastre_session' });
  const at = ({ page }: Person): string => new URL(page.url()).pathname;
  const problems = ({ errors }: Person): string[] => errors.filter((text) => !/status of 40\d/.test(text));

  /** Tells the provider who the user is, once its page is shown. */
  async function sayWho({ page }: Person, sub: string): Promise<void> {
    await page.getByRole('heading', { name: 'The provider' }).waitFor();
    await page.getByLabel('Who are you?').fill(sub);
    await page.getByRole('button', { name: 'Log in here' }).click();
  }

  async function logIn(one: Person, sub: string, next = '/user/profile/'): Promise<void> {
    await one.page.goto(next);
    await one.link(button).click();
    await sayWho(one, sub);
    await one.page.waitForURL((url) => url.pathname + url.search === next);
  }

  const sites = async (name: string) =>
    (await used.admin.read(`/api/dcim/sites/?name=${name}`)).results as Record<string, unknown>[];

  test('somebody logs in at the provider, is where they wanted to go, and logs out at both', async () => {
    const { sub, username } = used.person();
    const one = await open();
    const { page } = one;
    await page.goto('/user/sessions/?x=1');
    expect(at(one)).toBe('/login/');
    await picture(page, 'sso-login');
    await logIn(one, sub, '/user/sessions/?x=1');
    await page.locator('details.account summary').getByText(username).waitFor();
    await page.goto('/user/profile/');
    await page.locator('details.account summary').click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'End the session there' }).click();
    await one.main.getByText('You are logged out.').waitFor();
    await picture(page, 'sso-logged-out');
    await page.goto('/user/profile/');
    expect(at(one)).toBe('/login/');
    // The provider asks again, too.
    await logIn(one, sub);
    expect(problems(one)).toEqual([]);
  });

  test.each([true, false])(
    'before a token is made the provider asks anew, and what was typed goes on (scripts: %s)',
    async (javaScriptEnabled) => {
      const { sub, username } = used.person();
      const one = await open({ javaScriptEnabled });
      const { page } = one;
      await logIn(one, sub, '/user/api-tokens/');
      await used.tooOld(username);
      const description = unique('by-provider');
      await page.locator('#f-description').fill(description);
      await page.locator('main form.panel button.main').click();
      // Without scripts each step has a button.
      const goOn = async () => {
        if (!javaScriptEnabled)
          await one
            .button('Go on')
            .or(one.button(/^Prove/))
            .click();
      };
      await goOn();
      await one.button('Log in once more').waitFor();
      await picture(page, `sso-again-${javaScriptEnabled}`);
      await one.button('Log in once more').click();
      await sayWho(one, sub);
      await goOn();
      await page.getByText(description).first().waitFor();
      expect(problems(one)).toEqual([]);
    },
  );

  test.each([true, false])(
    'a session that ends in the middle of a form loses nothing (scripts: %s)',
    async (javaScriptEnabled) => {
      const { sub } = used.person({ groups: ['bosses'] });
      const one = await open({ javaScriptEnabled });
      const { page } = one;
      await logIn(one, sub, '/dcim/sites/add/');
      const name = unique('late');
      const comments = 'First line\n\n"quoted" <b>bold</b> & äöü 漢字';
      await one.fill({ Name: name, Slug: name, Comments: comments });
      await sessionEnds(one);
      await one.button('Save').click();
      await one.button(button).waitFor();
      await picture(page, `sso-kept-${javaScriptEnabled}`);
      // The user still has a session at the provider, which asks nothing.
      await one.button(button).click();
      if (!javaScriptEnabled) await one.button('Go on').click();
      await one.button('Save').waitFor();
      expect(await one.text()).toContain('It has not been saved yet.');
      expect([await one.field('Name').inputValue(), await one.field('Comments').inputValue()]).toEqual([
        name,
        comments,
      ]);
      expect(await sites(name)).toEqual([]);
      await one.saved();
      expect(await sites(name)).toEqual([expect.objectContaining({ name, comments })]);
      expect(problems(one)).toEqual([]);
    },
  );

  test('who must have a second factor sets it up first, and then goes on with what they typed', async () => {
    const [username, name] = [unique('careful'), unique('late')];
    const { id: group } = await used.admin.make('/api/users/groups/', { name: 'careful' });
    const { id } = await used.admin.make('/api/users/users/', { username, password: PASSWORD });
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['dcim.site'],
      actions: ['view', 'add'],
      users: [id],
    });
    const one = await open();
    const { page } = one;
    const byPassword = async () => {
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(PASSWORD);
      await one.button('Log in').click();
    };
    await page.goto('/dcim/sites/add/');
    await byPassword();
    await one.fill({ Name: name, Slug: name });
    await used.admin.patch(`/api/users/users/${id}/`, { groups: [group] });
    await sessionEnds(one);
    await one.button('Save').click();
    await page.getByLabel('Password').waitFor();
    await byPassword();
    await page.waitForURL('**/user/factors/');
    await picture(page, 'sso-enrol');
    await page.locator('#f-name').fill('phone');
    await one.press('App with codes');
    const secret = (await page.locator('code.secret').textContent())!;
    await page.locator('#f-code').fill(await codeBefore(secret));
    await one.press('Confirm');
    await picture(page, 'sso-codes');
    const codes = (await page.locator('pre.code').textContent())!.trim().split('\n');
    expect(codes[0]).toMatch(/^(\w{4}-){5}\w{4}$/);
    await one.link('I have kept them').click();
    await one.button('Save').waitFor();
    await picture(page, 'sso-resumed');
    expect([await one.field('Name').inputValue(), await sites(name)]).toEqual([name, []]);
    await one.saved();
    expect(await sites(name)).toEqual([expect.objectContaining({ name })]);
    // A login at the provider counts as a re-authentication.
    const { sub } = used.person({ groups: ['careful'] });
    await logIn(await open(), sub);
    expect(problems(one)).toEqual([]);
  });

  test('the pages on the way fit every screen', async () => {
    const looks: Record<string, BrowserContextOptions> = {
      dark: { colorScheme: 'dark' },
      narrow: { viewport: NARROW, locale: 'de' },
    };
    for (const [look, options] of Object.entries(looks)) {
      const { sub, username } = used.person();
      // Without scripts no step follows by itself.
      const one = await open({ ...options, javaScriptEnabled: false });
      const { page } = one;
      const shot = async (what: string) => {
        await picture(page, `sso-${what}-${look}`);
        expect([look, what, await beyondEdge(page)]).toEqual([look, what, []]);
      };
      await page.goto('/user/profile/');
      await shot('login');
      await page.locator('#oidc').click();
      await sayWho(one, sub);
      await page.waitForURL('**/user/profile/');
      await used.tooOld(username);
      await page.goto('/reauthenticate/?next=%2Fuser%2Fprofile%2F');
      await shot('again');
      await page.locator('[name=again]').click();
      const other = used.person();
      await sayWho(one, other.sub);
      // The provider asks to end the session of the first user there.
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').first().waitFor();
      await shot('another');
    }
  });
});
