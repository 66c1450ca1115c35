// What users write stays text on every page: none of it runs as a script, and the browser has nothing to block.
import { beforeAll, expect, test } from '@jest/globals';
import { GIF } from '@cadastre/rest/testing/images';
import { inBrowser, useBrowser, type Window, windowOf } from '../support/browser/browser.ts';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { eventually } from '../support/eventually.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { Person } from '../support/browser/person.ts';
import { nextNetwork, nextVid, unique } from '../support/unique.ts';
import { logIn } from '../support/pages/visitor.ts';

const used = useSystem();
const browsers = useBrowser();

const mark = unique('xss');
const evil = `${mark}<img src=x onerror="window.hit=1">'"<script>window.hit=1</script>{{7*7}}`.slice(0, 100);
const link = 'javascript:window.hit=1';

const equipment = new Equipment(() => used.admin);
let site: Body;
let pages: string[];
/** The pages on which the names certainly stand. */
let showing: string[];

/** Creates drawings and lists that contain names of other objects; returns the addresses of their pages. */
async function pictured(): Promise<string[]> {
  const { admin } = used;
  const place = { site: site.id, tags: site.tags.map(({ id }: Body) => id) };
  const name = evil.slice(0, 64);
  const [maker, role] = await Promise.all([
    admin.make('/api/dcim/manufacturers/', { name: evil, slug: unique('m') }),
    admin.make('/api/dcim/device-roles/', { name: evil, slug: unique('r'), description: evil }),
  ]);
  const type = await admin.make('/api/dcim/device-types/', {
    manufacturer: maker.id,
    model: evil,
    slug: unique('t'),
    is_full_depth: false,
  });
  const rack = await equipment.rack(site, { name: evil, u_height: 8, description: evil });
  const devices: Body[] = [];
  for (const position of [1, 3, null])
    devices.push(
      await admin.make('/api/dcim/devices/', {
        ...place,
        rack: rack.id,
        ...(position === null ? {} : { position, face: 'front' }),
        device_type: type.id,
        role: role.id,
        name: `${position ?? ''}${name}`.slice(0, 64),
        serial: evil.slice(0, 50),
        comments: evil,
      }),
    );
  const ports = await Promise.all(
    devices.map((device) => equipment.interface(device, { name, label: name, description: evil })),
  );
  const [a, b] = ports.map(({ id }) => [{ object_type: 'dcim.interface', object_id: id }]);
  const cable = await admin.make('/api/dcim/cables/', { a_terminations: a, b_terminations: b, label: evil });
  const user = await admin.read('/api/users/users/?username=admin');
  await admin.make('/api/dcim/rack-reservations/', {
    rack: rack.id,
    units: [5],
    user: user.results[0].id,
    description: evil,
  });
  const { four } = nextNetwork();
  const prefix = await admin.make('/api/ipam/prefixes/', { prefix: `${four}.0/24`, description: evil });
  await admin.make('/api/ipam/prefixes/', { prefix: `${four}.0/26`, description: evil });
  await admin.make('/api/ipam/ip-addresses/', { address: `${four}.1/26`, description: evil });
  await admin.make('/api/ipam/ip-ranges/', {
    start_address: `${four}.10/24`,
    end_address: `${four}.20/24`,
    description: evil,
  });
  const group = await admin.make('/api/ipam/vlan-groups/', { name: evil, slug: unique('g'), description: evil });
  await admin.make('/api/ipam/vlans/', { vid: nextVid(), name, group: group.id, description: evil });
  const contact = await admin.make('/api/tenancy/contacts/', {
    name: evil,
    title: evil,
    address: evil,
    comments: evil,
  });
  await admin.make('/api/tenancy/contact-assignments/', {
    object_type: 'dcim.site',
    object_id: site.id,
    contact: contact.id,
    role: (await admin.make('/api/tenancy/contact-roles/', { name: evil, slug: unique('c') })).id,
  });
  const template = await admin.make('/api/extras/config-templates/', { name: evil, template_code: evil });
  await admin.patch(`/api/dcim/devices/${devices[0]!.id}/`, { config_template: template.id });
  const hook = await admin.make('/api/extras/webhooks/', {
    name: evil,
    payload_url: 'http://127.0.0.1:9/',
    description: evil,
  });
  await admin.make('/api/extras/event-rules/', {
    name: evil,
    object_types: ['dcim.cablebundle'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: hook.id,
    description: evil,
  });
  return [
    ...['', 'edit/', 'elevation/', 'delete/'].map((rest) => `/dcim/racks/${rack.id}/${rest}`),
    `/dcim/rack-elevations/?site_id=${site.id}`,
    `/dcim/racks/${rack.id}/topology/`,
    `/dcim/topology/?site_id=${site.id}`,
    `/dcim/sites/${site.id}/topology/`,
    `/dcim/devices/?site_id=${site.id}&columns=name,rack,device_type,role,serial,comments,tags`,
    ...['', 'edit/', 'interfaces/', 'config-context/', 'render-config/', 'changelog/'].map(
      (rest) => `/dcim/devices/${devices[0]!.id}/${rest}`,
    ),
    ...['', 'trace/', 'edit/'].map((rest) => `/dcim/interfaces/${ports[0]!.id}/${rest}`),
    ...['', 'edit/'].map((rest) => `/dcim/cables/${cable.id}/${rest}`),
    `/dcim/cables/?site_id=${site.id}`,
    `/dcim/device-types/${type.id}/`,
    ...['', 'edit/'].map((rest) => `/ipam/prefixes/${prefix.id}/${rest}`),
    '/ipam/prefixes/',
    `/ipam/vlan-groups/${group.id}/`,
    `/dcim/sites/${site.id}/contacts/`,
    `/tenancy/contacts/${contact.id}/`,
    `/circuits/map/?id=${site.id}`,
    '/extras/webhooks/',
    `/extras/webhooks/${hook.id}/`,
    '/extras/event-rules/',
    `/extras/config-templates/${template.id}/`,
    `/api/dcim/devices/${devices[0]!.id}/`,
    `/api/dcim/sites/?q=${mark}`,
  ];
}
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
  // Custom fields reach other services by events.
  site = await eventually(() =>
    admin.make('/api/dcim/sites/', {
      ...named,
      description: evil,
      comments: `[x](${link}) ${evil}\n<svg onload="window.hit=1">`,
      physical_address: evil,
      latitude: 1,
      longitude: 1,
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
    `/core/changelog/?q=${mark}`,
  ];
  showing = await pictured();
  pages.push(...showing);
  const { results } = await admin.read(
    `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`,
  );
  pages.push(...results.map(({ id }: Body) => `/core/changelog/${id}/`));
});

inBrowser('in a browser', () => {
  let window: Window;
  beforeAll(async () => {
    window = await windowOf(browsers, used.system.base);
  });

  test('nothing runs, and no policy is broken', async () => {
    const { page, errors } = window;
    for (const path of pages) {
      errors.length = 0;
      const answer = await page.goto(path);
      expect([path, answer!.status() < 500]).toEqual([path, true]);
      expect([path, await page.evaluate('window.hit')]).toEqual([path, undefined]);
      if (showing.includes(path))
        expect([path, answer!.status(), (await page.content()).includes(mark)]).toEqual([path, 200, true]);
      // The browser logs a missing page as an error, too.
      expect([path, errors.filter((text) => !/status of 40\d/.test(text))]).toEqual([path, []]);
    }
  });

  test('no address of a script is a link, and no markup of people is one of the page', async () => {
    const { page } = window;
    for (const path of pages) {
      await page.goto(path);
      const found = await page
        .locator('a[href^="javascript:" i], img[src="x"], [onerror], [onload], [style], script:not([src])')
        .count();
      expect([path, found]).toEqual([path, 0]);
    }
  });

  const quiet = async (where: string) => {
    const { page, errors } = window;
    expect([where, await page.evaluate('window.hit'), errors.splice(0)]).toEqual([where, undefined, []]);
  };

  test('nor where scripts of ours put it: in pickers, lists that change, messages, previews', async () => {
    const one = new Person(window);
    const { page, errors } = window;
    errors.length = 0;
    await page.goto('/dcim/racks/add/');
    await one.pick('Site', mark);
    expect(await one.field('Site').inputValue()).toBe(evil);
    await quiet('a picker');
    await one.pick('Tags', mark);
    expect(await page.locator('.combo .chip').first().textContent()).toContain(evil);
    await quiet('a picker of several');
    await page.goto(`/dcim/sites/?q=${mark}`);
    await page.getByRole('searchbox', { name: 'Search sites' }).fill(evil);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === evil);
    await quiet('a list that changes in place');
    await page.goto(`/dcim/sites/?q=${mark}`);
    await page.locator('form.bulk [name=pk]').first().check();
    await one.press('Edit selected');
    await quiet('several that are edited');
    await page.goBack();
    await page.locator('form.bulk [name=pk]').first().check();
    await one.press('Rename selected');
    await one.fill({ Find: mark, 'Replace with': evil });
    await one.press('Preview');
    await quiet('a preview of names');
    await page.goto(`/dcim/sites/${site.id}/edit/`);
    await used.admin.patch(`/api/dcim/sites/${site.id}/`, { comments: `${evil} again`, changelog_message: evil });
    await one.fill({ Description: `${evil.slice(0, 90)} mine` });
    await one.press('Save');
    await page.locator('section.conflict').waitFor();
    errors.splice(0, errors.length, ...errors.filter((text) => !/status of 409/.test(text)));
    await quiet('two versions');
  });

  test('and files are served as what they are: pictures, or not at all', async () => {
    const { page, errors } = window;
    const script = '<script>window.hit=1</script>';
    const files = {
      'a.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"><script>window.hit=1</script></svg>`,
      'a.html': `<!doctype html>${script}`,
      'a.png': `<!doctype html>${script}`,
    };
    const images = `/dcim/sites/${site.id}/images/`;
    for (const [name, text] of Object.entries(files)) {
      await page.goto(images);
      await page.setInputFiles('[name=image]', { name, mimeType: 'image/png', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByRole('alert').waitFor();
    }
    expect((await used.admin.read(`/api/extras/image-attachments/?object_id=${site.id}`)).count).toBe(0);
    // A drawing with a link at its end, and a name that is markup.
    await page.setInputFiles('[name=image]', {
      name: '"><img src=x onerror=window.hit=1>.html',
      mimeType: 'text/html',
      buffer: Buffer.concat([GIF, Buffer.from(`<!doctype html>${script}`)]),
    });
    await page.locator('[name=name]').fill(evil.slice(0, 50));
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.locator('main img').first().waitFor();
    errors.splice(0, errors.length, ...errors.filter((text) => !/status of 400/.test(text)));
    await quiet('the images of a site');
    const [one] = (await used.admin.read(`/api/extras/image-attachments/?object_id=${site.id}`)).results;
    const answer = await page.goto(one.image);
    expect([answer!.headers()['content-type'], answer!.headers()['x-content-type-options']]).toEqual([
      'image/gif',
      'nosniff',
    ]);
    expect(await page.evaluate('window.hit')).toBe(undefined);
  });

  test('what an export template makes is no page of ours', async () => {
    const { page } = window;
    const name = unique('export');
    await used.admin.make('/api/extras/export-templates/', {
      name,
      object_types: ['dcim.site'],
      template_code: '<!doctype html><body onload="window.hit=1"><script>window.hit=1</script>{{ queryset|length }}',
      mime_type: 'text/html',
      as_attachment: false,
    });
    for (const path of ['/dcim/sites/', '/api/dcim/sites/']) {
      const download = page.waitForEvent('download', { timeout: 5_000 }).catch(() => undefined);
      await page.goto(`${path}?export=${name}`).catch(() => undefined);
      await download;
      expect([path, await page.evaluate('window.hit').catch(() => undefined)]).toEqual([path, undefined]);
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
