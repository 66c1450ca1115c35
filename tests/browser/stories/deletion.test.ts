// Before a deletion its page says what will be deleted as well and what prevents it; afterwards there is a way back.
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, picture, useBrowser, windowOf } from '../../support/browser/browser.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

inBrowser('deletion', () => {
  const used = useSystem();
  const browser = useBrowser();
  const equipment = new Equipment(() => used.admin);
  let one: Person;
  beforeAll(async () => {
    one = new Person(await windowOf(browser, used.system.base));
  });

  test('says what stands in the way and what goes along; refused until it is out of the way', async () => {
    const { page } = one;
    const site = await equipment.site();
    const device = await equipment.device({ site: site.id, name: unique('dev') });
    const room = unique('room');
    await used.admin.make('/api/dcim/locations/', { name: room, slug: room, site: site.id });

    await page.goto(`/dcim/sites/${site.id}/`);
    await one.follow('Delete');
    const stops = page.locator('section.stops');
    expect(await one.shown(stops)).toContain(device.name);
    expect(await one.text()).toContain(room);
    await picture(page, 'story-deletion');
    await one.press('Delete for good');
    expect(await one.said()).not.toBe('');
    expect((await used.admin.get(`/api/dcim/sites/${site.id}/`)).status).toBe(200);

    await one.gone(() => stops.getByRole('link', { name: device.name }).click());
    await one.follow('Delete');
    await one.press('Delete for good');
    await page.goto(`/dcim/sites/${site.id}/delete/`);
    expect(await stops.count()).toBe(0);
    await one.press('Delete for good');
    expect((await used.admin.get(`/api/dcim/sites/${site.id}/`)).status).toBe(404);
    expect((await used.admin.read(`/api/dcim/locations/?name=${room}`)).count).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/dcim/sites/');
    expect(await one.shown(page.getByRole('status').first())).toContain(`${site.name} was deleted.`);
  });

  test('is undone by the change log: made again as it was', async () => {
    const { page } = one;
    const tenant = unique('tenant');
    const { id: owner } = await used.admin.make('/api/tenancy/tenants/', { name: tenant, slug: tenant });
    const name = unique('back');
    const before = await used.admin.make('/api/dcim/sites/', {
      name,
      slug: name,
      tenant: owner,
      facility: 'F7',
      comments: 'as it *was*',
      latitude: 47.5,
    });
    await page.goto(`/dcim/sites/${before.id}/delete/`);
    await one.fill({ 'Message for the change log': 'by mistake' });
    await one.press('Delete for good');
    await one.follow('Undo');
    expect(await one.text()).toContain('by mistake');
    await picture(page, 'story-restore');
    await one.press('Make it again');
    const [again] = (await used.admin.read(`/api/dcim/sites/?name=${name}`)).results;
    expect(again).toMatchObject({
      slug: name,
      tenant: { id: owner },
      facility: 'F7',
      comments: 'as it *was*',
      latitude: 47.5,
    });
    expect(again.id).not.toBe(before.id);
    expect(new URL(page.url()).pathname).toBe(`/dcim/sites/${again.id}/`);

    // Another user finds it later by the global change log.
    await used.admin.delete(`/api/dcim/sites/${again.id}/`);
    await page.goto(`/core/changelog/?q=${name}&action=delete`);
    expect(await one.text()).toContain(name);
    expect(one.errors.filter((text) => !/status of 409/.test(text))).toEqual([]);
  });
});
