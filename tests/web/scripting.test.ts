// What people write stays text, on every generic page: nothing of it runs, and the browser has nothing to refuse.
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser, useBrowser, type Window } from '../support/browser.ts';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { logIn } from '../support/visitor.ts';

const used = useSystem();
const browsers = useBrowser();

const mark = unique('xss');
const evil = `${mark}<img src=x onerror="window.hit=1">'"<script>window.hit=1</script>{{7*7}}`.slice(0, 100);
const link = 'javascript:window.hit=1';

let site: Body;
let pages: string[];
beforeAll(async () => {
  const { admin } = used;
  const field = mark.replaceAll('-', '_');
  await admin.make('/api/extras/custom-fields/', {
    name: field,
    label: evil.slice(0, 50),
    group_name: evil.slice(0, 50),
    description: evil,
    type: 'longtext',
    object_types: ['dcim.site'],
  });
  const named = { name: evil, slug: mark };
  const tag = await admin.make('/api/extras/tags/', { ...named, description: evil });
  const region = await admin.make('/api/dcim/regions/', { ...named, description: evil });
  await admin.make('/api/extras/custom-links/', {
    name: mark,
    object_types: ['dcim.site'],
    link_text: evil,
    link_url: link,
  });
  await admin.make('/api/extras/saved-filters/', {
    name: evil,
    slug: mark,
    object_types: ['dcim.site'],
    parameters: { q: [evil] },
  });
  // Custom fields follow by events.
  site = await eventually(() =>
    admin.make('/api/dcim/sites/', {
      ...named,
      description: evil,
      comments: `[x](${link}) ${evil}\n<svg onload="window.hit=1">`,
      physical_address: evil,
      region: region.id,
      tags: [tag.id],
      custom_fields: { [field]: evil },
    }),
  );
  await admin.patch(`/api/dcim/sites/${site.id}/`, { facility: evil.slice(0, 50), changelog_message: evil });
  await admin.make('/api/extras/journal-entries/', {
    assigned_object_type: 'dcim.site',
    assigned_object_id: site.id,
    comments: `${evil} [x](${link})`,
  });
  const at = `/dcim/sites/${site.id}/`;
  const said = encodeURIComponent(evil);
  pages = [
    '/',
    `/dcim/sites/?q=${mark}`,
    `/dcim/sites/?q=${said}&name=${said}&nonsense=${said}&columns=${said}&ordering=${said}`,
    `/dcim/sites/?tag=${mark}`,
    ...['', 'edit/', 'delete/', 'changelog/', 'journal/'].map((rest) => at + rest),
    `/dcim/regions/${region.id}/`,
    `/dcim/regions/${region.id}/delete/`,
    `/extras/tags/${tag.id}/`,
    `/extras/tags/${tag.id}/edit/`,
    `/dcim/sites/add/?name=${said}&region=${region.id}&description=${said}&tags=${tag.id}&region=${said}`,
    `/dcim/sites/import/?data=${said}`,
    `/search/?q=${said}`,
    `/search/?q=${mark}`,
    `/extras/saved-filters/?q=${mark}`,
    `/nowhere/${said}/`,
  ];
});

inBrowser('in a browser', () => {
  let window: Window;
  beforeAll(async () => {
    window = await browsers.open();
    const { cookie } = await logIn(used.system.base, 'admin', adminPassword);
    const [name, value] = cookie.split(/=(.*)/s) as [string, string];
    await window.page.context().addCookies([{ name, value, url: used.system.base }]);
  });

  test('nothing runs, and no policy is broken', async () => {
    const { page, errors } = window;
    for (const path of pages) {
      errors.length = 0;
      const answer = await page.goto(used.system.base + path);
      expect([path, answer!.status() < 500]).toEqual([path, true]);
      expect([path, await page.evaluate('window.hit')]).toEqual([path, undefined]);
      // A page that is not there is told of by the browser, too.
      expect([path, errors.filter((text) => !/status of 40\d/.test(text))]).toEqual([path, []]);
    }
  });

  test('no address of a script is a link, and no markup of people is one of the page', async () => {
    const { page } = window;
    for (const path of pages) {
      await page.goto(used.system.base + path);
      const found = await page
        .locator('a[href^="javascript:" i], img[src="x"], [onerror], [onload], [style], script:not([src])')
        .count();
      expect([path, found]).toEqual([path, 0]);
    }
  });
});

test('what was written comes back as it was', async () => {
  const session = await logIn(used.system.base, 'admin', adminPassword);
  const { html } = await session.get(`/dcim/sites/${site.id}/`);
  expect(html).toContain(mark);
  expect(html).not.toContain('<img src=x');
  expect(await used.admin.read(`/api/dcim/sites/${site.id}/`)).toMatchObject({ name: evil });
});
