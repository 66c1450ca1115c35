import { expect, test } from '@jest/globals';
import { inBrowser, useBrowser } from '../support/browser/browser.ts';
import { adminToken, useSystem } from '../support/system.ts';

inBrowser('in a browser', () => {
  const used = useSystem();
  const browser = useBrowser();

  test('the documentation opens without errors, and a request made in it is answered', async () => {
    const { page, errors } = await browser.open();
    await page.goto(`${used.system.base}/api/schema/swagger-ui/`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').first().fill(adminToken);
    await page.locator('.auth-container button[type=submit]').first().click();
    await page.locator('.modal-ux .btn-done').first().click();
    // Long lists are rendered only where they are visible; the filter finds operations by their address, method and
    // summary.
    await page.locator('#operations-tag-dcim').waitFor();
    await page.locator('.operation-filter-input').fill('get dcim/sites');
    const sites = page.locator('#operations-dcim-dcim_sites_list');
    await sites.locator('.opblock-summary').click();
    await sites.getByRole('button', { name: 'Try it out' }).click();
    await sites.getByRole('button', { name: 'Execute' }).click();
    const answer = sites.locator('.live-responses-table tbody tr').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).toMatch(/^200/);
    expect(await answer.textContent()).toContain('"results"');
    expect(errors).toEqual([]);
  });

  test('the start page leads to the documentation', async () => {
    const { page } = await browser.open();
    await page.goto(`${used.system.base}/`);
    await page.locator('a[href*="swagger-ui"]').first().click();
    await page.waitForURL('**/api/schema/swagger-ui/**');
    expect(await page.title()).toContain('Cadastre');
  });
});
