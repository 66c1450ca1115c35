// A table of sites with mistakes in it: each is reported with its line, and nothing is written until all are corrected.
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, useBrowser, windowOf } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

inBrowser('an import with mistakes', () => {
  const used = useSystem();
  const browser = useBrowser();
  const name = unique('imp');
  let one: Person;
  const count = async () => (await used.admin.read(`/api/dcim/sites/?name__isw=${name}`)).count;
  const problems = () => one.page.locator('table.problems tbody tr').allTextContents();
  beforeAll(async () => {
    await used.admin.make('/api/dcim/regions/', { name, slug: name });
    one = new Person(await windowOf(browser, used.system.base));
  });

  const lines = [
    'name,slug,status,region,latitude',
    `${name}-a,${name}-a,active,${name},47.1`,
    `${name}-b,not a slug,active,${name},`,
    `${name}-c,${name}-c,nonsense,${name},`,
    `${name}-d,${name}-d,planned,nowhere,`,
    `${name}-e,${name}-e,planned,${name},700`,
  ];

  test('says all of them by line, also of a file, and writes nothing', async () => {
    await one.page.goto('/dcim/sites/');
    await one.follow('Import');
    await one.page.setInputFiles('[name=file]', {
      name: 'sites.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    });
    await one.press('Import');
    const said = await problems();
    expect(said.map((row) => Number(/^\d+/.exec(row)?.[0])).toSorted()).toEqual([3, 4, 5, 6]);
    expect(said.join('\n')).toMatch(/Slug[\s\S]*Status[\s\S]*Region[\s\S]*nowhere[\s\S]*Latitude/);
    expect(await count()).toBe(0);
  });

  test('goes on with what was there, corrected in place, step by step', async () => {
    const text = one.field('CSV, JSON or YAML');
    // The table stands in the form, whether it was typed or came as a file.
    expect((await text.inputValue()).trim()).toBe(lines.join('\n'));
    let table = lines.join('\n').replace('not a slug', `${name}-b`).replace('nonsense', 'planned');
    await text.fill(table);
    await one.press('Check only');
    expect((await problems()).map((row) => Number(/^\d+/.exec(row)?.[0])).toSorted()).toEqual([5, 6]);
    table = table.replace('nowhere', name).replace('700', '7.5');
    await text.fill(table);
    await one.press('Check only');
    expect(await one.text()).toContain('5 objects would be made. Nothing has been written.');
    expect(await count()).toBe(0);
    await one.press('Import');
    expect(await one.text()).toContain('5 objects were made.');
    expect(await count()).toBe(5);
    await one.follow(`${name}-e`);
    expect(await one.text()).toContain('7.5');
    expect(one.errors.filter((said) => !/status of 400/.test(said))).toEqual([]);
  });
});
