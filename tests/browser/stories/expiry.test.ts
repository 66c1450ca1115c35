// A session ends while a user fills in a form: after the next login everything that was typed is still there.
import { expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

inBrowser('a session that ends', () => {
  const used = useSystem();
  const browser = useBrowser();
  const logIn = async ({ page }: Person, name: string, password: string) => {
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  test.each([true, false])('in the middle of a form loses nothing (scripts: %s)', async (javaScriptEnabled) => {
    const one = new Person(await windowOf(browser, used.system.base, { javaScriptEnabled }));
    const { page } = one;
    const name = unique('late');
    const region = await used.admin.make('/api/dcim/regions/', { name, slug: name });
    await page.goto(`/dcim/sites/add/?region=${region.id}`);
    const comments = 'First line\n\n"quoted" <b>bold</b> & äöü 漢字';
    await one.fill({ Name: name, Slug: name, Facility: 'F1', Comments: comments });
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Password').waitFor();
    // A wrong password in between loses nothing, either.
    await logIn(one, 'admin', 'wrong');
    await page.getByRole('alert').waitFor();
    await logIn(one, 'admin', adminPassword);
    await page.getByRole('button', { name: /^(Go on|Save)$/ }).waitFor();
    if (await page.getByRole('button', { name: 'Go on' }).count())
      await page.getByRole('button', { name: 'Go on' }).click();
    await one.button('Save').waitFor();
    expect(await one.text()).toContain('It has not been saved yet.');
    expect((await used.admin.read(`/api/dcim/sites/?name=${name}`)).count).toBe(0);
    expect(await one.field('Name').inputValue()).toBe(name);
    expect(await one.field('Comments').inputValue()).toBe(comments);
    await one.saved();
    expect((await used.admin.read(`/api/dcim/sites/?name=${name}`)).results[0]).toMatchObject({
      facility: 'F1',
      comments,
      region: { id: region.id },
    });
    expect(one.errors.filter((text) => !/status of 40\d/.test(text))).toEqual([]);
  });

  test('and somebody else who logs in gets no more than may be done by them', async () => {
    const one = new Person(await windowOf(browser, used.system.base));
    const { page } = one;
    const { name: other } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
    const name = unique('late');
    await page.goto('/dcim/sites/add/');
    await one.fill({ Name: name });
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Password').waitFor();
    await logIn(one, other, 'Correct-Horse-9');
    // It can still be read and copied, but not saved.
    await one.button('Save').waitFor();
    expect(await one.field('Name').inputValue()).toBe(name);
    await one.press('Save');
    expect(await one.said()).toContain('You do not have permission');
    expect(await one.field('Name').inputValue()).toBe(name);
    await page.goto('/dcim/sites/add/');
    expect(await one.heading()).toBe('Not permitted');
    expect((await used.admin.read(`/api/dcim/sites/?name=${name}`)).count).toBe(0);
  });
});
