// The main pages in a browser, light and dark: axe-core finds nothing, nothing goes wrong, and they fit a telephone.
import { expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../support/browser.ts';
import { looked, lookedWithout } from '../support/looked.ts';
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
});
