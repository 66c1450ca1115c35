// Users of a directory in a browser: their password and groups there, a second factor, and what happens when they are
// removed from it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  dnOf,
  groupDn,
  lockLdif,
  memberLdif,
  slapdIsThere,
  WITHOUT_SLAPD,
} from '../../../tools/testing/servers/slapd.ts';
import { inBrowser, picture, useBrowser } from '../../support/browser/browser.ts';
import { SECRET, startWithDirectory, type WithDirectory } from '../../support/identity/directory.ts';
import { codeBefore, codeOf } from '../../support/identity/factors.ts';
import { Person } from '../../support/browser/person.ts';
import { unique } from '../../support/unique.ts';

if (!slapdIsThere) console.info(`Skipped: people of a directory in a browser. ${WITHOUT_SLAPD}`);
const withSlapd = slapdIsThere ? inBrowser : describe.skip;

withSlapd('people of a directory', () => {
  const EDITORS = unique('editors');
  let used: WithDirectory;
  beforeAll(async () => {
    used = await startWithDirectory(['ldap-staff', 'ldap-editors', 'ldap-careful'], {
      LDAP_REQUIRE_GROUP: groupDn('ldap-staff'),
      LDAP_GROUP_MAP: JSON.stringify({ 'ldap-editors': EDITORS, 'ldap-careful': 'careful' }),
      SECOND_FACTOR_GROUPS: 'careful',
    });
    const { id } = await used.admin.make('/api/users/groups/', { name: EDITORS });
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['dcim.site'],
      actions: ['view', 'add'],
      groups: [id],
    });
  });
  afterAll(() => used?.stop());
  const browser = useBrowser();

  const open = async (): Promise<Person> => new Person(await browser.open({ baseURL: used.system.base }));
  const problems = ({ errors }: Person): string[] => errors.filter((text) => !/status of 40\d/.test(text));
  const at = ({ page }: Person): string => new URL(page.url()).pathname;
  const alert = async ({ page }: Person): Promise<string> => (await page.getByRole('alert').first().textContent())!;

  async function logIn(one: Person, username: string, password = SECRET, next = '/user/profile/'): Promise<void> {
    await one.page.goto(`/login/?next=${encodeURIComponent(next)}`);
    await one.page.getByLabel('Username').fill(username);
    await one.page.getByLabel('Password').fill(password);
    await one.press('Log in');
  }

  async function logOut({ page }: Person): Promise<void> {
    await page.locator('details.account summary').click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Username').waitFor();
  }

  test('come in by their password there, and may do what their groups there may, until they leave these', async () => {
    const uid = await used.person('ldap-staff', 'ldap-editors');
    const one = await open();
    await logIn(one, uid, 'Wrong-Horse-9');
    expect([at(one), await alert(one)]).toEqual(['/login/', 'Invalid username or password.']);
    await logIn(one, uid, SECRET, '/dcim/sites/');
    expect(at(one)).toBe('/dcim/sites/');
    const name = unique('by-directory');
    await one.add('/dcim/sites/', { Name: name, Slug: name });
    await logOut(one);

    await used.slapd.change(memberLdif('delete', 'ldap-editors', dnOf(uid)));
    await logIn(one, uid, SECRET, '/dcim/sites/');
    expect(await one.text()).not.toContain(name);
    await logOut(one);

    await used.slapd.change(memberLdif('delete', 'ldap-staff', dnOf(uid)));
    await logIn(one, uid);
    await picture(one.page, 'ldap-refused');
    expect([at(one), await alert(one)]).toEqual(['/login/', expect.any(String)]);
    expect(problems(one)).toEqual([]);
  });

  test('have a second factor here where a group of theirs must', async () => {
    const uid = await used.person('ldap-staff', 'ldap-careful');
    const one = await open();
    await logIn(one, uid);
    expect(at(one)).toBe('/user/factors/');
    await one.page.locator('#f-name').fill('phone');
    await one.press('App with codes');
    const secret = (await one.page.locator('code.secret').textContent())!;
    await one.page.locator('#f-code').fill(await codeBefore(secret));
    await one.press('Confirm');
    await one.link('I have kept them').click();
    await logOut(one);

    await logIn(one, uid);
    await picture(one.page, 'ldap-second-step');
    await one.page.locator('[name=code]').fill('000000');
    await one.page.locator('form:has([name=code]) button').first().click();
    await one.page.getByRole('alert').first().waitFor();
    await one.page.locator('[name=code]').fill(codeOf(secret));
    await one.page.locator('form:has([name=code]) button').first().click();
    await one.page.waitForURL('**/user/profile/');
    expect(problems(one)).toEqual([]);
  });

  test('stay out when they are locked there', async () => {
    const uid = await used.person('ldap-staff');
    const one = await open();
    await logIn(one, uid);
    expect(at(one)).toBe('/user/profile/');
    await logOut(one);
    await used.slapd.change(lockLdif(uid));
    await logIn(one, uid);
    expect(at(one)).toBe('/login/');
    expect(problems(one)).toEqual([]);
  });
});
