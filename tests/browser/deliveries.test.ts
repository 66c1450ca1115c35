import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser, picture, useBrowser } from '../support/browser/browser.ts';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn as logInWithout } from '../support/pages/visitor.ts';

const tasks = '/extras/webhook-deliveries/';

inBrowser('web pages in a browser', () => {
  const used = useSystem();
  const browser = useBrowser();
  let receiver: Receiver;
  // The first password check of a fresh process takes longer.
  beforeAll(async () => {
    receiver = await startReceiver();
    await logInWithout(used.system.base, 'admin', adminPassword);
  });
  afterAll(() => receiver.close());

  async function made(): Promise<{ webhook: Body; site: Body }> {
    const name = unique('hook');
    const site = await used.admin.make('/api/dcim/sites/', { name, slug: name });
    return {
      site,
      webhook: await used.admin.make('/api/extras/webhooks/', { name, payload_url: `${receiver.url}/${name}` }),
    };
  }
  const send = async ({ webhook, site }: { webhook: Body; site: Body }): Promise<number> =>
    (
      await used.admin.make(`/api/extras/webhooks/${webhook.id}/test/`, {
        object_type: 'dcim.site',
        object_id: site.id,
      })
    ).id;
  const ended = (id: number, status: string) =>
    eventually(async () =>
      expect((await used.admin.read(`/api/extras/webhook-deliveries/${id}/`)).status.value).toBe(status),
    );
  async function failed(): Promise<{ webhook: Body; site: Body; id: number }> {
    receiver.answer(500);
    const about = await made();
    const id = await send(about);
    await ended(id, 'failed');
    receiver.answer(200);
    return { ...about, id };
  }
  async function logIn(page: Page, username = 'admin', password = adminPassword): Promise<void> {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }
  async function logOut(page: Page): Promise<void> {
    await page.locator('.account > summary').click();
    await page.getByRole('button', { name: 'Log out' }).click();
  }
  /** The error at a field, once the page shows it. */
  async function said(page: Page, field: Locator): Promise<string | null> {
    await field.and(page.locator('[aria-describedby]')).waitFor();
    return page.locator(`#${(await field.getAttribute('aria-describedby'))!.split(' ')[0]}`).textContent();
  }
  const noSideways = async (page: Page) =>
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(
      0,
    );

  test('log in, see the counts, requeue what failed, and see it succeed without loading the page again', async () => {
    const { page, errors } = await browser.open();
    const { webhook, id } = await failed();
    await page.goto(`${used.system.base}${tasks}?status=failed&webhook_id=${webhook.id}`);
    await picture(page, 'login');
    await logIn(page, 'admin', 'wrong');
    expect(await page.getByRole('alert').textContent()).toBe('Invalid username or password.');
    await picture(page, 'login-wrong');
    await logIn(page);
    const failedTile = page.getByRole('list', { name: 'Deliveries by state' }).getByRole('link', { name: 'Failed' });
    expect(Number((await failedTile.locator('strong').textContent())!.replaceAll(',', ''))).toBeGreaterThan(0);
    await page.getByText('Live', { exact: true }).waitFor();
    await picture(page, 'tasks-failed');
    await page.getByRole('link', { name: new RegExp(`^#${id} `) }).click();
    await page.getByText('The receiver answered 500').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await picture(page, 'delivery-failed');
    await page.getByRole('button', { name: 'Requeue' }).click();
    await page.waitForURL('**/?_done=requeued');
    // Whatever the state was when the page was loaded, the page updates itself.
    await page.locator('.lead [data-value="succeeded"]').waitFor();
    await page.getByText('Attempt 2', { exact: false }).first().waitFor();
    await picture(page, 'delivery-succeeded');
    expect(errors.filter((error) => !error.includes('403'))).toEqual([]);
  });

  test('a list follows what happens, and the focus stays where it is', async () => {
    const { page, errors } = await browser.open();
    const about = await made();
    await page.goto(`${used.system.base}${tasks}?webhook_id=${about.webhook.id}`);
    await logIn(page);
    await page.getByText('Live', { exact: true }).waitFor();
    const tile = page.locator('[data-key="succeeded"]');
    await tile.focus();
    const id = await send(about);
    await page.getByRole('link', { name: new RegExp(`^#${id} `) }).waitFor();
    await page.locator('.list [data-value="succeeded"]').waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Succeeded');
    expect(errors).toEqual([]);
  });

  test('a delivery that hangs is cancelled', async () => {
    const { page } = await browser.open();
    const about = await made();
    receiver.hold(`/${about.webhook.name}`);
    const id = await send(about);
    await ended(id, 'running');
    await page.goto(`${used.system.base}/extras/webhook-deliveries/${id}/`);
    await logIn(page);
    await picture(page, 'delivery-running');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The delivery was cancelled.').waitFor();
    await ended(id, 'cancelled');
  });

  test('a test is sent, and what is wrong with it is said at its field', async () => {
    const { page } = await browser.open();
    const { webhook, site } = await made();
    await page.goto(`${used.system.base}/extras/webhooks/${webhook.id}/test/`);
    await logIn(page);
    await page.getByLabel('Object type').fill('dcim.site');
    await page.getByLabel('Object', { exact: true }).fill('999999999');
    await page.getByRole('button', { name: 'Send the test' }).click();
    // Now that the type is chosen, its objects can be searched.
    const id = page.getByRole('combobox', { name: 'Object', exact: true });
    expect(await said(page, id)).toContain('Related object not found');
    await picture(page, 'test-wrong');
    await id.fill(site.name);
    await page.getByRole('option', { name: site.name }).click();
    await page.getByRole('button', { name: 'Send the test' }).click();
    await page.getByText('The test is on its way.').waitFor();
    await eventually(() => expect(receiver.at(`/${webhook.name}`).length).toBe(1));
  });

  test('a replay is counted and started by keyboard, and its page keeps itself up to date', async () => {
    const { page, errors } = await browser.open();
    const { webhook, site } = await made();
    await used.admin.make('/api/extras/event-rules/', {
      name: unique('rule'),
      object_types: ['dcim.site'],
      event_types: ['object_created'],
      action_type: 'webhook',
      action_object_type: 'extras.webhook',
      action_object_id: webhook.id,
      conditions: { attr: 'slug', value: site.slug },
    });
    await eventually(async () =>
      expect(
        (await used.admin.read(`/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`))
          .count,
      ).toBe(1),
    );
    await page.goto(`${used.system.base}/extras/webhooks/${webhook.id}/replay/`);
    await logIn(page);
    await page
      .getByLabel('From', { exact: true })
      .fill(new Date(Date.parse(site.created) - 2_000).toISOString().slice(0, 19));
    await page.getByLabel('Object types').fill('dcim.nothing');
    await page.keyboard.press('Enter');
    const types = page.getByLabel('Object types');
    expect(await said(page, types)).toContain('dcim.nothing');
    await picture(page, 'replay-wrong');
    await types.fill('dcim.site');
    await page.keyboard.press('Enter');
    await page.getByText(/It would send 1 delivery for \d+ changes?\./).waitFor();
    await picture(page, 'replay-counted');
    await page.getByRole('button', { name: 'Send 1' }).press('Enter');
    await page.getByText('The replay was started.').waitFor();
    // Whatever it was when the page was loaded.
    await page.locator('#progress [data-value="completed"]').waitFor();
    await picture(page, 'replay');
    await page.getByRole('link', { name: '1 deliveries' }).click();
    await page.locator('.list [data-value="replay"]').waitFor();
    await picture(page, 'replay-deliveries');
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('the keyboard is enough, and shows where it is', async () => {
    const { page } = await browser.open();
    const { webhook, id } = await failed();
    await page.goto(`${used.system.base}${tasks}?status=failed&webhook_id=${webhook.id}`);
    // The first field is focused by a script, a moment after the page has loaded.
    await page.locator('input[name="username"]:focus').waitFor();
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type(adminPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${tasks}**`);
    await page.keyboard.press('Tab');
    const focused = async () => {
      const { text, ...rest } = await page.evaluate<{ text: string; tagName: string; outline: string }>(`(() => {
        const { textContent, tagName } = document.activeElement, { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return { text: textContent, tagName, outline: outlineStyle + ' ' + (parseFloat(outlineWidth) > 1) };
      })()`);
      return { text: text.replace(/\s+/g, ' ').trim(), ...rest };
    };
    expect(await focused()).toMatchObject({ text: 'Skip to the content', tagName: 'A' });
    await page.keyboard.press('Enter');
    const seen: string[] = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      const { text, tagName, outline } = await focused();
      expect([text, ['A', 'BUTTON', 'SUMMARY', 'INPUT', 'SELECT', 'DIV'].includes(tagName), outline]).toEqual([
        text,
        true,
        'solid true',
      ]);
      seen.push(text);
      if (text.startsWith(`#${id} `)) break;
    }
    // In reading order; the focus is already past the header.
    expect(seen).not.toContain('Log out');
    const order = [/^Filters/, /Pending$/, /Failed$/, /^last day$/, /^Requeue all 1$/, new RegExp(`^#${id} `)].map(
      (one) => seen.findIndex((text) => one.test(text)),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    await picture(page, 'keyboard');
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Requeue all 1' }).press('Enter');
    await page.getByText('1 delivery requeued.').waitFor();
    await ended(id, 'succeeded');
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on a phone nothing is beyond the edge (${colorScheme})`, async () => {
      const { page } = await browser.open({
        viewport: { width: 360, height: 740 },
        deviceScaleFactor: 2,
        isMobile: true,
        hasTouch: true,
        colorScheme,
      });
      const { webhook, id } = await failed();
      await page.goto(`${used.system.base}${tasks}?webhook_id=${webhook.id}`);
      await noSideways(page);
      await logIn(page);
      for (const [name, path] of Object.entries({
        tasks,
        failed: `${tasks}?status=failed&webhook_id=${webhook.id}`,
        filtered: `${tasks}?object_type=dcim.site`,
        delivery: `/extras/webhook-deliveries/${id}/`,
        workers: '/core/background-workers/',
        webhooks: '/extras/webhooks/',
        replays: '/extras/webhook-replays/',
        replay: `/extras/webhooks/${webhook.id}/replay/`,
        test: `/extras/webhooks/${webhook.id}/test/`,
        webhook: `/extras/webhooks/${webhook.id}/`,
        parked: '/core/parked-events/',
        replicas: '/core/replicas/',
      })) {
        await page.goto(used.system.base + path);
        await noSideways(page);
        await picture(page, `phone-${colorScheme}-${name}`);
      }
    });
  }

  test('without scripts everything else works', async () => {
    const { page } = await browser.open({ javaScriptEnabled: false });
    const { webhook, id } = await failed();
    await page.goto(`${used.system.base}${tasks}?status=failed&webhook_id=${webhook.id}`);
    await logIn(page);
    await page.getByRole('checkbox', { name: /^Select dcim.site/ }).check();
    await page.getByRole('button', { name: 'Requeue', exact: true }).click();
    expect(await page.getByRole('status').first().textContent()).toBe('1 delivery requeued.');
    await ended(id, 'succeeded');
    await logOut(page);
    expect(new URL(page.url()).pathname).toBe('/login/');
  });

  test('who may not see deliveries is told so', async () => {
    const { name } = await userWith(used.admin);
    const { page } = await browser.open();
    await page.goto(used.system.base + tasks);
    await logIn(page, name, 'Correct-Horse-9');
    await page.getByRole('heading', { name: 'Not permitted' }).waitFor();
    expect(await page.getByRole('link', { name: 'Workers' }).count()).toBe(0);
    await picture(page, 'not-permitted');
    await logOut(page);
    await page.getByLabel('Username').waitFor();
  });
});
