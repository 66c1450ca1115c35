// The main pages in a browser, light and dark: axe-core finds nothing, there are no errors, and they fit a phone.
import { expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../support/browser/browser.ts';
import { looked, lookedWithout } from '../support/browser/looked.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

inBrowser('in a browser', () => {
  const used = useSystem();
  const browser = useBrowser();

  async function pages(): Promise<string[]> {
    const name = unique('site');
    const { id } = await used.admin.make('/api/dcim/sites/', {
      name,
      slug: name,
      comments: '# A *site*\n\n| a | b |\n|-|-|\n| 1 | 2 |',
    });
    await used.admin.patch(`/api/dcim/sites/${id}/`, { facility: 'F' });
    const of = (tabs: string[]) => tabs.map((tab) => `/dcim/sites/${id}/${tab}`);
    return [
      ...of(['', 'edit/', 'delete/', 'changelog/', 'journal/', 'contacts/', 'images/', 'topology/']),
      '/',
      `/search/?q=${name}`,
      `/dcim/sites/?id=${id}`,
      ...['filters', 'columns', 'export'].map((aside) => `/dcim/sites/?id=${id}&_show=${aside}`),
      '/dcim/sites/import/',
      '/dcim/device-types/import/',
      '/dcim/rack-elevations/',
      '/circuits/map/',
      '/api/dcim/sites/?limit=2',
      ...['', 'preferences/', 'password/', 'api-tokens/', 'bookmarks/'].map((part) => `/user/${part}`),
    ];
  }

  test.each(['light', 'dark'] as const)('the main pages are in order, %s', async (colorScheme) => {
    const window = await windowOf(browser, used.system.base, { colorScheme });
    expect(await looked(window, used.system.base, await pages())).toEqual({});
  });

  test('the main pages are there without scripts', async () => {
    const window = await windowOf(browser, used.system.base, { javaScriptEnabled: false });
    expect(await lookedWithout(window, used.system.base, await pages())).toEqual({});
  });

  test('what has the focus is not covered, whichever way somebody goes through a form', async () => {
    const { page } = await windowOf(browser, used.system.base, { viewport: { width: 1000, height: 600 } });
    for (const path of ['/dcim/devices/add/', '/dcim/devices/?_show=filters'])
      for (const key of ['Tab', 'Shift+Tab']) {
        await page.goto(path);
        await page.locator('main').focus();
        for (let i = 0; i < 25; i++) {
          await page.keyboard.press(key);
          const covered = await page.evaluate<string>(`(() => {
            const one = document.activeElement, { left, top, width, height } = one.getBoundingClientRect();
            const above = document.elementFromPoint(left + width / 2, top + height / 2);
            return !width || one === document.body || one.closest('.combo, .aside') || one.contains(above) || above?.contains(one)
              ? '' : one.outerHTML.slice(0, 200) + ' is under ' + above?.outerHTML.slice(0, 200);
          })()`);
          expect([path, key, covered]).toEqual([path, key, '']);
        }
      }
  });
});
