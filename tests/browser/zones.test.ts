// Times in forms are in the time zone of the browser, unless the user has chosen another zone.
import { expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../support/browser/browser.ts';
import { Person } from '../support/browser/person.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

inBrowser('times in forms', () => {
  const used = useSystem();
  const browser = useBrowser();

  test('are in the zone of the browser, which is named beside them', async () => {
    const [{ id: user }] = (await used.admin.read('/api/users/users/?username=admin')).results;
    const expires = '2030-07-01T20:30:00Z';
    const { id } = await used.admin.make('/api/users/tokens/', { user, expires, description: unique('token') });
    const now = async () => Date.parse((await used.admin.read(`/api/users/tokens/${id}/`)).expires);
    const one = new Person(await windowOf(browser, used.system.base, { timezoneId: 'Asia/Tokyo' }));
    await one.page.goto(`/users/tokens/${id}/edit/`);
    const field = await one.there('expires');
    expect(await field.inputValue()).toBe('2030-07-02T05:30');
    expect(await one.main.locator('#expires-zone').textContent()).toBe('Asia/Tokyo');
    // A field that is not touched keeps its value.
    await one.press('Save');
    expect(await now()).toBe(Date.parse(expires));
    await one.page.goto(`/users/tokens/${id}/edit/`);
    await (await one.there('expires')).fill('2030-12-24T08:00');
    await one.press('Save');
    expect(await now()).toBe(Date.parse('2030-12-23T23:00:00Z'));
    expect(one.errors).toEqual([]);
  });
});
