import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session, type Visited } from '../../support/pages/visitor.ts';

const used = useSystem();
let admin: Session;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
});

/** Submits a text to an import page. */
async function imported(list: string, text: string, more: Record<string, string> = {}, who = admin): Promise<Visited> {
  const path = `/${list}/import/`;
  return who.post(path, { csrf_token: await who.csrfToken(path), text, ...more });
}
/** The lines of the table of problems: line, field, error. */
const problemsIn = ({ html }: Visited): string[][] =>
  placesIn({ html }).map(([place, ...more]) => [place!.split(':')[0]!, ...more]);
/** The same with the place within the line. */
const placesIn = ({ html }: Pick<Visited, 'html'>): string[][] =>
  [...html.matchAll(/<tr><td>([^<]*)<\/td><td>([^<]*)<\/td><td>([^<]*)<\/td><\/tr>/g)].map((one) => one.slice(1));
const named = async (list: string, name: string): Promise<Body[]> =>
  (await used.admin.read(`/api/${list}/?name=${encodeURIComponent(name)}`)).results;

describe('CSV', () => {
  test('makes objects; related ones are named by name, slug, id or an attribute, choices by value or label', async () => {
    const [region, site] = [unique('region'), unique('site')];
    const { id } = await used.admin.make('/api/dcim/regions/', { name: region, slug: region });
    const answer = await imported(
      'dcim/sites',
      `name,slug,status,region,region.slug,region.id,description\n"${site}, a",${site}-a,Planned,${region},,,x\n${site}-b,${site}-b,active,,,${id},\n${site}-c,${site}-c,active,,${region},,`,
    );
    expect([answer.status, answer.html.includes('3 objects were made.')]).toEqual([200, true]);
    const [a] = await named('dcim/sites', `${site}, a`);
    expect(a).toMatchObject({ status: { value: 'planned' }, region: { id }, description: 'x', slug: `${site}-a` });
    for (const end of ['b', 'c'])
      expect((await named('dcim/sites', `${site}-${end}`))[0]).toMatchObject({ region: { id } });
  });

  test('is all or none, and says what is wrong in which line, all at once', async () => {
    const site = unique('site');
    const text = `name,slug,status,region\n${site},${site},active,\n${site}-b,not a slug,active,\n${site}-c,${site}-c,nope,`;
    const answer = await imported('dcim/sites', text);
    expect(answer.status).toBe(400);
    expect(problemsIn(answer).map(([line, field]) => [line, field])).toEqual([
      ['3', 'Slug'],
      ['4', 'Status'],
    ]);
    expect(placesIn(answer).map(([place]) => place)).toEqual(['3:2', '4:3']);
    expect(answer.html).toContain(`${site}-b,not a slug`);
    expect(await named('dcim/sites', site)).toEqual([]);
    const unknown = await imported('dcim/sites', `${text.replace('status,region', 'statuses,region')}nowhere`);
    expect(problemsIn(unknown)).toEqual([['1', 'statuses', 'There is no field “statuses”.']]);
    // References to unknown objects are reported together with all other errors, not before them.
    expect(problemsIn(await imported('dcim/sites', `${text}${site}`))).toEqual([
      ['3', 'Slug', expect.stringContaining('slug')],
      ['4', 'Region', `There is no object “${site}” for Region, or you may not see it.`],
      ['4', 'Status', 'nope is not a valid choice.'],
    ]);
  });

  test('a dry run says what would happen, and writes nothing', async () => {
    const site = unique('site');
    const fine = await imported('dcim/sites', `name,slug\n${site},${site}\n${site}-b,${site}-b`, { _check: '1' });
    expect([fine.status, fine.html.includes('2 objects would be made. Nothing has been written.')]).toEqual([
      200,
      true,
    ]);
    // Violations that only the rules over several objects detect are reported, too.
    const twice = await imported('dcim/sites', `name,slug\n${site},${site}\n${site},${site}`, { _check: '1' });
    expect(twice.status).toBe(400);
    expect(problemsIn(twice).length).toBeGreaterThan(0);
    expect(await named('dcim/sites', site)).toEqual([]);
  });

  test('a column id changes objects', async () => {
    const name = unique('site');
    const { id } = await used.admin.make('/api/dcim/sites/', { name, slug: name, facility: 'old' });
    const answer = await imported('dcim/sites', `id,facility\n${id},new`, { changelog_message: 'by file' });
    expect(answer.html).toContain('1 objects were changed.');
    expect(await used.admin.read(`/api/dcim/sites/${id}/`)).toMatchObject({ name, facility: 'new' });
  });

  test('an object is told from others of its name by what it lies in', async () => {
    const [name, rack] = [unique('site'), unique('rack')];
    const [a, b] = await Promise.all(
      ['a', 'b'].map((end) => used.admin.make('/api/dcim/sites/', { name: `${name}-${end}`, slug: `${name}-${end}` })),
    );
    for (const site of [a!, b!]) await used.admin.make('/api/dcim/locations/', { name, slug: name, site: site.id });
    const answer = await imported('dcim/racks', `name,site,location\n${rack},${name}-b,${name}`);
    expect(problemsIn(answer)).toEqual([]);
    const [made] = await named('dcim/racks', rack);
    expect((await used.admin.read(`/api/dcim/locations/${made!.location.id}/`)).site.id).toBe(b!.id);
  });
});

/** The hidden fields with which an import page continues; undefined where it has ended. */
function further({ html }: Visited): [string, string][] | undefined {
  const form = /<form [^>]*data-go-on>([\s\S]*?)<\/form>/.exec(html)?.[1];
  const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#39;', "'");
  return form === undefined
    ? undefined
    : [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
        name!,
        unescaped(value!),
      ]);
}
/** Continues as a browser does, and returns the progress that each page reports. */
async function toEnd(path: string, first: Visited, who = admin): Promise<{ last: Visited; said: string[] }> {
  const said: string[] = [];
  let last = first;
  for (let fields = further(last); fields; fields = further(last)) {
    said.push(/<label>([^<]*?) ?<progress/.exec(last.html)![1]!);
    last = await who.post(path, fields);
  }
  return { last, said };
}

describe('more than fit into one portion', () => {
  const rowsOf = (name: string, count: number, more = ''): string =>
    `name,slug\n${Array.from({ length: count }, (_, i) => `${name}-${i},${name}-${i}${more}`).join('\n')}`;
  const countOf = async (name: string): Promise<number> =>
    (await used.admin.read(`/api/extras/tags/?name__isw=${name}-&limit=1`)).count;

  test('are looked at page by page, and then written page by page', async () => {
    const name = unique('tag');
    const first = await imported('extras/tags', rowsOf(name, 1_001));
    expect(await countOf(name)).toBe(0);
    const { last, said } = await toEnd('/extras/tags/import/', first);
    expect(said).toEqual([
      ...['0 of 1001 looked at', '500 of 1001 looked at', '1000 of 1001 looked at'],
      ...['0 of 1001 imported', '500 of 1001 imported', '1000 of 1001 imported'],
    ]);
    expect(last.html).toContain('1001 objects were made.');
    expect(await countOf(name)).toBe(1_001);
  });

  test('a dry run of them writes nothing, and tells all that is wrong with its lines', async () => {
    const name = unique('tag');
    const text = `${rowsOf(name, 700)}\n${name}-3,${name}-3\n${name}-x,not a slug`;
    const { last } = await toEnd('/extras/tags/import/', await imported('extras/tags', text, { _check: '1' }));
    expect([last.status, problemsIn(last).map(([line, field]) => [line, field])]).toEqual([
      400,
      [
        ['702', 'Name'],
        ['702', 'Slug'],
        ['703', 'Slug'],
      ],
    ]);
    expect(await countOf(name)).toBe(0);
  });

  test('when one of them is not in order, none is written', async () => {
    const name = unique('tag');
    const { last } = await toEnd(
      '/extras/tags/import/',
      await imported('extras/tags', `${rowsOf(name, 600)}\nx,not a slug`),
    );
    expect([last.status, last.html.includes('Nothing was imported')]).toEqual([400, true]);
    expect(await countOf(name)).toBe(0);
  });

  test('can be stopped, and what is refused halfway is shown to be imported again', async () => {
    const name = unique('tag');
    let page = await imported('extras/tags', rowsOf(name, 1_100));
    while (!page.html.includes('500 of 1100 imported')) page = await admin.post('/extras/tags/import/', further(page)!);
    const stopped = await admin.post('/extras/tags/import/', [...further(page)!, ['_stop', '1']]);
    expect([stopped.html.includes('500 of 1100 had been imported'), await countOf(name)]).toEqual([true, 500]);
    await used.admin.make('/api/extras/tags/', { name: `${name}-700`, slug: `${name}-700` });
    const refused = await admin.post('/extras/tags/import/', further(page)!);
    expect([refused.status, refused.html.includes('500 of 1100 were imported before this portion')]).toEqual([
      400,
      true,
    ]);
    expect(refused.html).toContain(`${name}-1099`);
    expect(refused.html).not.toContain(`${name}-499`);
    expect(await countOf(name)).toBe(501);
  });

  test('what does not arrive whole is refused, and nothing is written', async () => {
    const name = unique('tag');
    const fields = further(await imported('extras/tags', rowsOf(name, 501)))!;
    const without = (spoilt: string) =>
      fields.map(([field, value]): [string, string] => [field, field === 'portion' ? spoilt : value]);
    for (const spoilt of ['', 'x', Buffer.from('[]').toString('base64url'), fields.at(-1)![1].slice(0, 40)]) {
      const answer = await admin.post('/extras/tags/import/', without(spoilt));
      expect([answer.status, problemsIn(answer)[0]![2]]).toEqual([
        400,
        'What was to be imported has not arrived whole. Please begin again with the text.',
      ]);
    }
  });
});

describe('a long text', () => {
  const long = (name: string, count: number): string =>
    `[${Array.from({ length: count }, (_, i) => `{"name": "${name}-${i}", "slug": "${name}-${i}", "description": "${'x'.repeat(150)}", "color": "aa1409"}`).join(',\n')}]`;

  test('is read in a process of its own, and imported as a short one', async () => {
    const name = unique('tag');
    const first = await imported('extras/tags', long(name, 1_200));
    const { last } = await toEnd('/extras/tags/import/', first);
    expect(last.html).toContain('1200 objects were made.');
  });

  test('that takes a while shows its progress on a page that grows', async () => {
    const name = unique('tag');
    const text = `${Array.from({ length: 9_000 }, (_, i) => `---\nname: ${name}-${i}\nslug: ${name}-${i}\ncomments:\n  - {a: ${i}}\n`).join('')}`;
    const answer = await imported('extras/tags', text, { _check: '1' });
    expect(answer.html).toContain('</html>');
    expect(answer.html.match(/<html/g)).toHaveLength(1);
    // On a fast machine there is no progress to report.
    if (answer.html.includes('class="underway"')) expect(answer.html).toContain('The text is being read: ');
    expect(problemsIn(answer).map((one) => one.slice(1))).toEqual([['comments', 'There is no field “comments”.']]);
  });

  test('ends at the first object too many', async () => {
    for (const documents of [15_000, 75_000]) {
      const answer = await imported('dcim/sites', '---\na: 1\n'.repeat(documents));
      expect(problemsIn(answer)).toEqual([
        [
          expect.stringContaining('20002'),
          '',
          'No more than 10000 objects can be imported at once. Divide the text into several.',
        ],
      ]);
    }
  });
});

const library = (manufacturer: string, model: string, port = 'R1') => `---
manufacturer: ${manufacturer}
model: ${model}
slug: ${model}
u_height: 2
is_full_depth: false
front_image: true
console-ports:
  - name: con0
    type: rj-45
power-ports:
  - name: PSU1
    type: iec-60320-c14
power-outlets:
  - name: 1
    type: iec-60320-c13
    power_port: PSU1
interfaces:
  - name: ge-0/0/0
    type: 1000base-t
  - name: me0
    type: 1000base-t
    mgmt_only: true
rear-ports:
  - name: R1
    type: lc
    positions: 2
front-ports:
  - name: F1
    type: lc
    rear_port: ${port}
    rear_port_position: 2
inventory-items:
  - name: Fan
    manufacturer: ${manufacturer}
`;

describe('the public library of device types', () => {
  test('makes a type with all its parts', async () => {
    const [maker, model] = [unique('maker'), unique('model')];
    await used.admin.make('/api/dcim/manufacturers/', { name: maker, slug: maker });
    const answer = await imported('dcim/device-types', library(maker, model));
    expect([problemsIn(answer), answer.html.includes('1 objects were made.')]).toEqual([[], true]);
    const [type] = (await used.admin.read(`/api/dcim/device-types/?slug=${model}`)).results as Body[];
    expect(type).toMatchObject({
      u_height: 2,
      is_full_depth: false,
      interface_template_count: 2,
      console_port_template_count: 1,
      inventory_item_template_count: 1,
    });
    const of = async (list: string) => (await used.admin.read(`/api/dcim/${list}/?device_type_id=${type!.id}`)).results;
    const [rear] = await of('rear-port-templates');
    expect((await of('front-port-templates'))[0].rear_ports).toEqual([
      { position: 1, rear_port: rear.id, rear_port_position: 2 },
    ]);
    expect((await of('power-outlet-templates'))[0]).toMatchObject({ name: '1', power_port: { name: 'PSU1' } });
    expect((await of('inventory-item-templates'))[0]).toMatchObject({ manufacturer: { name: maker } });
  });

  test('leaves nothing behind when a part is not in order', async () => {
    const [maker, model] = [unique('maker'), unique('model')];
    await used.admin.make('/api/dcim/manufacturers/', { name: maker, slug: maker });
    const answer = await imported('dcim/device-types', library(maker, model, 'R9'));
    expect([answer.status, /role="alert"[^>]*>[\s\S]*?<\/div>/.exec(answer.html)?.[0]]).toEqual([
      400,
      expect.stringContaining('Nothing was imported'),
    ]);
    expect(problemsIn(answer)[0]![2]).toContain('There is no “R9” among the rear-ports.');
    expect((await used.admin.read(`/api/dcim/device-types/?slug=${model}`)).count).toBe(0);
  });
});

test('who may not add objects imports none', async () => {
  const { name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
  const reader = await logIn(used.system.base, name, 'Correct-Horse-9');
  const site = unique('site');
  const answer = await imported('dcim/sites', `name,slug\n${site},${site}`, {}, reader);
  expect(answer.status).toBe(403);
  expect(await named('dcim/sites', site)).toEqual([]);
});
