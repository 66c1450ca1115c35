// Two people have the same form open: the one who saves last learns whose change it was, sees both versions, and loses nothing.
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, picture, useBrowser, windowOf } from '../../support/browser/browser.ts';
import type { Body } from '../../support/client.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

inBrowser('two people at one object', () => {
  const used = useSystem();
  const browser = useBrowser();
  const name = unique('two');
  let site: Body;
  let ada: Person;
  let ben: Person;
  let benName: string;
  beforeAll(async () => {
    site = await used.admin.make('/api/dcim/sites/', { name, slug: name, facility: 'old', comments: 'line one' });
    benName = (await userWith(used.admin, { types: ['dcim.site', 'core.objectchange'], actions: ['view', 'change'] }))
      .name;
    ada = new Person(await windowOf(browser, used.system.base));
    ben = new Person(await windowOf(browser, used.system.base, {}, 'Correct-Horse-9', benName));
  });

  test('the second one is told, and decides', async () => {
    for (const one of [ada, ben]) {
      await one.page.goto(`/dcim/sites/${site.id}/`);
      await one.follow('Edit');
    }
    await ben.fill({ Facility: 'from Ben', 'Message for the change log': 'moved to another hall' });
    await ben.press('Save');
    expect(await ben.text()).toContain('from Ben');

    const typed = 'line one\nand <b>two</b> of Ada';
    await ada.fill({ Facility: 'from Ada', Comments: typed, Description: 'only Ada' });
    await ada.press('Save');
    const conflict = ada.main.locator('section.conflict');
    const said = await ada.shown(conflict);
    expect(said).toContain(`${benName} saved it`);
    expect(said).toContain('moved to another hall');
    const facility = conflict.getByRole('group', { name: 'Facility' });
    expect(await ada.shown(facility)).toContain('from Ben');
    expect(await facility.getByRole('radio', { name: /from Ada/ }).isChecked()).toBe(true);
    await picture(ada.page, 'story-conflict');
    // Nothing that was typed is lost, and nothing has been written.
    expect(await ada.field('Facility').inputValue()).toBe('from Ada');
    expect(await ada.field('Comments').inputValue()).toBe(typed);
    expect(await ada.field('Description').inputValue()).toBe('only Ada');
    expect(await used.admin.read(`/api/dcim/sites/${site.id}/`)).toMatchObject({
      facility: 'from Ben',
      description: '',
      comments: 'line one',
    });

    await facility.getByRole('radio', { name: /from Ben/ }).check();
    await ada.press('Save with these choices');
    expect(await used.admin.read(`/api/dcim/sites/${site.id}/`)).toMatchObject({
      facility: 'from Ben',
      description: 'only Ada',
      comments: typed,
    });
  });

  test('a third change in between is noticed again', async () => {
    await ada.page.goto(`/dcim/sites/${site.id}/edit/`);
    await used.admin.patch(`/api/dcim/sites/${site.id}/`, { facility: 'second' });
    await ada.fill({ Facility: 'mine' });
    await ada.press('Save');
    await used.admin.patch(`/api/dcim/sites/${site.id}/`, { facility: 'third' });
    await ada.press('Save with these choices');
    expect(await ada.shown(ada.main.locator('section.conflict'))).toContain('third');
    expect((await used.admin.read(`/api/dcim/sites/${site.id}/`)).facility).toBe('third');
    await ada.press('Save with these choices');
    expect((await used.admin.read(`/api/dcim/sites/${site.id}/`)).facility).toBe('mine');
    expect(ada.errors.filter((text) => !/status of 409/.test(text))).toEqual([]);
  });

  test('a form says when its object was deleted meanwhile', async () => {
    const gone = unique('gone');
    const { id } = await used.admin.make('/api/dcim/sites/', { name: gone, slug: gone });
    await ada.page.goto(`/dcim/sites/${id}/edit/`);
    await ada.fill({ Facility: 'late' });
    await used.admin.delete(`/api/dcim/sites/${id}/`);
    await ada.press('Save');
    expect(await ada.heading()).toBe('Not found');
  });
});
