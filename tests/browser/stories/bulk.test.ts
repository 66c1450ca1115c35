// Five hundred interfaces, changed together across all pages of their list.
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../../support/browser/browser.ts';
import type { Body } from '../../support/client.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const COUNT = 500;

inBrowser('five hundred interfaces', () => {
  const used = useSystem();
  const browser = useBrowser();
  const equipment = new Equipment(() => used.admin);
  let device: Body;
  let other: Body;
  let one: Person;
  const counted = async (more: string) =>
    (await used.admin.read(`/api/dcim/interfaces/?device_id=${device.id}&limit=1&${more}`)).count;
  beforeAll(async () => {
    device = await equipment.device();
    other = await equipment.interface(device, { name: 'mgmt0', mgmt_only: true });
    one = new Person(await windowOf(browser, used.system.base));
  });

  test('are made by a name with a range, once it is clear that so many are meant', async () => {
    const { page } = one;
    await page.goto(`/dcim/interfaces/add/?device=${device.id}`);
    await one.fill({ Name: `eth[1-${COUNT}]`, Type: '1000BASE-T (1GE)' });
    await one.press('Save');
    expect(await one.said()).toContain(`This makes ${COUNT} objects at once.`);
    expect(await one.field('Name').inputValue()).toBe(`eth[1-${COUNT}]`);
    await one.press(`Make ${COUNT}`);
    expect(await counted('name__isw=eth')).toBe(COUNT);
  });

  test('are selected by one box and edited, and nothing else is', async () => {
    const { page } = one;
    await page.goto(`/dcim/interfaces/?device_id=${device.id}&name__isw=eth`);
    await page.getByLabel('Select all on this page').check();
    expect(await page.locator('.picked').textContent()).toMatch(/^\d+ selected$/);
    await page.getByLabel(`All ${COUNT} that match, on all pages`).check();
    await one.press('Edit selected');
    expect(await one.heading()).toBe(`Edit ${COUNT} interfaces`);
    await one.fill({ MTU: '70000', Description: 'all of them' });
    await one.press(`Apply to ${COUNT}`);
    // The refusal is shown at its field, and nothing has changed.
    expect(await one.field('MTU').getAttribute('aria-invalid')).toBe('true');
    expect(await one.field('Description').inputValue()).toBe('all of them');
    expect(await counted('description=all+of+them')).toBe(0);
    await one.fill({ MTU: '9000' });
    await one.press(`Apply to ${COUNT}`);
    expect(await page.getByRole('status').first().textContent()).toContain(`${COUNT} interfaces changed.`);
    expect(await counted('mtu=9000&description=all+of+them')).toBe(COUNT);
    expect(await used.admin.read(`/api/dcim/interfaces/${other.id}/`)).toMatchObject({ mtu: null, description: '' });
    // The filter is still the one that was set.
    expect(new URL(page.url()).search).toContain('name__isw=eth');
  });

  test('are renamed by an expression after a preview', async () => {
    const { page } = one;
    await page.getByLabel('Select all on this page').check();
    await page.getByLabel(`All ${COUNT} that match, on all pages`).check();
    await one.press('Rename selected');
    await one.fill({ Find: '^eth(\\d+)$', 'Replace with': 'ge-0/0/$1' });
    await page.getByLabel(/^Use a regular expression/).check();
    await one.press('Preview');
    expect(await one.text()).toContain(`${COUNT} of ${COUNT} get another name.`);
    expect(await counted('name__isw=ge-0/0/')).toBe(0);
    await one.press(`Rename ${COUNT}`);
    expect(await counted('name__isw=ge-0/0/')).toBe(COUNT);
  });

  test('are deleted together, only those', async () => {
    const { page } = one;
    await page.goto(`/dcim/interfaces/?device_id=${device.id}&name__isw=ge-`);
    await page.getByLabel('Select all on this page').check();
    await page.getByLabel(`All ${COUNT} that match, on all pages`).check();
    await one.press('Delete selected');
    expect(await one.heading()).toContain(`Delete ${COUNT} interfaces?`);
    await one.press(new RegExp(`^Delete ${COUNT}`));
    expect(await counted('')).toBe(1);
    expect(one.errors.filter((text) => !/status of 40\d/.test(text))).toEqual([]);
  });

  test('boxes are ticked with the keyboard, a row of them with shift', async () => {
    const { page } = one;
    const name = unique('row');
    await used.admin.make(
      '/api/dcim/interfaces/',
      Array.from({ length: 5 }, (_, i) => ({ device: device.id, name: `${name}${i}`, type: 'virtual' })),
    );
    await page.goto(`/dcim/interfaces/?device_id=${device.id}&name__isw=${name}`);
    const boxes = page.locator('form.bulk [name=pk]');
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await boxes.nth(3).click({ modifiers: ['Shift'] });
    expect(await page.locator('.picked').textContent()).toBe('3 selected');
    await one.press('Edit selected');
    expect(await one.heading()).toBe('Edit 3 interfaces');
  });
});
