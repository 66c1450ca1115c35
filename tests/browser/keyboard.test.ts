import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser, useBrowser } from '../support/browser/browser.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { userWith } from '../support/users.ts';

const password = 'Correct-Horse-9';

inBrowser('keys, and the home page arranged by hand', () => {
  const used = useSystem();
  const browser = useBrowser();

  /** A new user, on a page. */
  async function at(path: string): Promise<{ page: Page; errors: string[]; name: string }> {
    const { name } = await userWith(used.admin, { actions: ['view', 'add', 'change'] });
    const { page, errors } = await browser.open();
    await page.goto(`${used.system.base}/login/?next=${encodeURIComponent(path)}`);
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`**${path}`);
    return { page, errors, name };
  }
  const order = (page: Page) =>
    page.evaluate<string>(
      `[...document.querySelectorAll('[data-widget]')].map((one) => one.dataset.widget + ' ' + one.dataset.width).join()`,
    );
  const USUAL = 'usual-counts 12,usual-changes 8,usual-bookmarks 4,usual-notifications 6,usual-failures 6';
  /** Waits until the page shows this order after a reload. */
  const kept = (page: Page, wanted: string) =>
    eventually(async () => {
      await page.reload();
      expect(await order(page)).toBe(wanted);
    });

  test('? tells of the keys and Escape closes it; g and a letter lead to lists; / searches; f, a and e act', async () => {
    const { page, errors } = await at('/user/profile/');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.waitFor();
    expect(await dialog.getByRole('link', { name: 'Devices' }).count()).toBe(1);
    // While the dialog is open, other shortcuts do nothing.
    await page.keyboard.press('/');
    expect(await page.evaluate<string>('document.activeElement.localName')).not.toBe('input');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('q');
    // In a text field, shortcuts are ordinary letters.
    await page.keyboard.type('gs?');
    expect(await page.locator('.find input').inputValue()).toBe('gs?');
    // Results may cover the heading by now, or appear later, or never: Escape has to remove them in each case.
    await page.keyboard.press('Escape');
    await page.locator('main h1').click();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL('**/dcim/sites/');
    await page.keyboard.press('f');
    await page.locator('.list-aside.filters').waitFor();
    await page.locator('main h1').click();
    await page.keyboard.press('a');
    await page.waitForURL('**/dcim/sites/add/');
    await page.locator('main h1').click();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForURL(`${used.system.base}/`);
    expect(errors).toEqual([]);
  });

  test('a search under way is aborted when the field is left', async () => {
    const { page, errors } = await at('/user/profile/');
    const asked = Promise.withResolvers<void>();
    // The request gets no answer, so only the page can end it.
    await page.route('**/search/?q=*', () => asked.resolve());
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/search/?q='));
    await page.keyboard.press('/');
    await page.keyboard.type('profile');
    await asked.promise;
    await page.locator('main h1').click();
    await ended;
    expect(await page.locator('.find .as-typed').isVisible()).toBe(false);
    expect(errors).toEqual([]);
  });

  test('who turns the keys off has none', async () => {
    const { page } = await at('/user/keyboard/');
    await page.getByRole('button', { name: 'Turn them off' }).click();
    await page.getByRole('button', { name: 'Turn them on' }).waitFor();
    await page.locator('main h1').click();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.keyboard.press('/');
    expect(await page.evaluate<string>('document.activeElement.localName')).not.toBe('input');
    expect(new URL(page.url()).pathname).toBe('/user/keyboard/');
  });

  test('widgets are moved and resized by keys, keep the focus, and stay so', async () => {
    const { page, errors } = await at('/?edit=1');
    // A user with few permissions sees fewer panels: the positions of hidden ones are kept all the same.
    const before = await order(page);
    expect(USUAL).toContain('usual-bookmarks 4');
    const grip = page.getByRole('button', { name: 'Move Bookmarks' });
    await grip.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowRight');
    const ids = before.split(',');
    const i = ids.indexOf('usual-bookmarks 4');
    const after = ids
      .toSpliced(i, 1)
      .toSpliced(i - 1, 0, 'usual-bookmarks 6')
      .join();
    expect(await order(page)).toBe(after);
    expect(await page.evaluate<string>(`document.activeElement.getAttribute('aria-label')`)).toBe('Move Bookmarks');
    expect(await page.locator('#arrange-status').textContent()).toMatch(/^Bookmarks: \d of \d, 6 of 12 columns wide$/);
    await kept(page, after);
    expect(errors).toEqual([]);
  });

  test('and by the pointer', async () => {
    const { page, errors } = await at('/?edit=1');
    await page.setViewportSize({ width: 1280, height: 900 });
    const middle = async (selector: string) => {
      const box = (await page.locator(selector).boundingBox())!;
      return { x: box.x + box.width / 2, y: box.y + Math.min(30, box.height / 2) };
    };
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 8 });
      await page.mouse.up();
    };
    const first = (await order(page)).split(',')[0]!.split(' ')[0]!;
    await drag(await middle('[data-widget=usual-bookmarks] .grip'), await middle(`[data-widget=${first}]`));
    const moved = await order(page);
    expect(moved.startsWith('usual-bookmarks 4')).toBe(true);
    const sizer = await middle('[data-widget=usual-bookmarks] .sizer');
    await drag(sizer, { x: sizer.x + 600, y: sizer.y });
    const wanted = moved.replace('usual-bookmarks 4', 'usual-bookmarks 12');
    expect((await order(page)).replace(/usual-bookmarks \d+/, '')).toBe(wanted.replace(/usual-bookmarks \d+/, ''));
    const wide = Number(/usual-bookmarks (\d+)/.exec(await order(page))![1]);
    expect(wide).toBeGreaterThan(6);
    await kept(page, await order(page));
    expect(errors).toEqual([]);
  });
});
