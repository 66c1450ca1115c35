import { beforeAll, describe, expect, test } from '@jest/globals';
import { ZipFile } from 'yazl';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);
let admin: Session;
let maker: Body;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
  maker = await kit.manufacturer();
});

/** One pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
type Files = Record<string, string | Buffer>;

async function zipOf(files: Files): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const tidy = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&[a-z]+;|&#\d+;/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What an import page says of files: in total, and for each file. */
async function imported(
  field: 'file' | 'folder',
  files: Files,
  more: Record<string, string> = {},
  list = 'dcim/device-types',
): Promise<{ status: number; said: string; files: Record<string, string[]> }> {
  const path = `/${list}/import/`;
  const form = new FormData();
  form.append('csrf_token', await admin.csrfToken(path));
  for (const [name, value] of Object.entries(more)) form.append(name, value);
  for (const [name, content] of Object.entries(files))
    form.append(field, new Blob([new Uint8Array(Buffer.from(content))]), name);
  const answer = await fetch(used.system.base + path, {
    method: 'POST',
    headers: { cookie: admin.cookie },
    body: form,
  });
  const html = await answer.text();
  const rows = [...html.matchAll(/<tr><td>([^<]*)<\/td><td>([^<]*)<\/td><td>([\s\S]*?)<\/td><\/tr>/g)];
  return {
    status: answer.status,
    said: tidy(/role="(?:status|alert)" tabindex="-1"[^>]*>([\s\S]*?)<\/div>/.exec(html)?.[1] ?? ''),
    files: Object.fromEntries(rows.map(([, file, came, what]) => [file!, [came!, tidy(what!)]])),
  };
}
const typesOf = async (slug: string): Promise<Body[]> =>
  (await used.admin.read(`/api/dcim/device-types/?slug=${slug}`)).results;

const document = (slug: string, rest = ''): string =>
  `---\nmanufacturer: ${maker['name']}\nmodel: ${slug}\nslug: ${slug}\nu_height: 1\nis_full_depth: true\n${rest}`;
const PORTS = 'rear-ports:\n  - name: R\n    type: lc\nfront-ports:\n  - name: F\n    type: lc\n';

describe('an archive', () => {
  test('is imported file by file, with the pictures beside', async () => {
    const [good, wrong, there, loose] = [unique('good'), unique('wrong'), unique('there'), unique('loose')];
    await kit.deviceType({ model: there, slug: there });
    const zip = await zipOf({
      'device-types/M/good.yaml': document(good, `front_image: true\nrear_image: true\n${PORTS}`),
      [`elevation-images/M/${good}.front.gif`]: GIF,
      [`elevation-images/M/${loose}.rear.gif`]: GIF,
      'device-types/M/wrong.yaml': document(
        wrong,
        `${PORTS}port-mappings:\n  - front_port: F\n    rear_port: X\n  - front_port: G\n    rear_port: R\n`,
      ),
      'device-types/M/there.yaml': document(there),
      'device-types/M/broken.yaml': 'model: [1',
      'README.md': '# Types',
    });
    const answer = await imported('file', { 'library.zip': zip });
    expect(answer).toEqual({
      // A longer import is answered by a page that is sent as it grows, so it begins before the outcome is known.
      status: expect.any(Number),
      said: 'Of 4 files, 1 were imported, 1 brought what is there already, and 2 were refused.',
      files: {
        'device-types/M/good.yaml': [
          'Imported',
          expect.stringMatching(new RegExp(`^1 objects were made\\. Passed over[^:]*: rear_image\\. ${good}$`)),
        ],
        'device-types/M/wrong.yaml': ['Refused', expect.any(String)],
        'device-types/M/there.yaml': ['There already', expect.stringContaining('already exists')],
        'device-types/M/broken.yaml': ['Refused', expect.stringMatching(/^Line 1:\d+ This is not valid YAML/)],
        'README.md': ['Passed over', 'Passed over: this is neither a text with objects nor a picture.'],
        [`elevation-images/M/${loose}.rear.gif`]: [
          'Passed over',
          'Passed over: no object of these files has this picture.',
        ],
      },
    });
    expect(answer.files['device-types/M/wrong.yaml']![1]).toBe(
      'Line 15:5 port-mappings 1, rear_port: There is no “X” among the rear-ports. Line 16:5 port-mappings 2, front_port: There is no “G” among the front-ports.',
    );
    expect(await typesOf(good)).toMatchObject([
      { front_image: expect.stringContaining('devicetype-images/'), rear_image: null, rear_port_template_count: 1 },
    ]);
    expect(await typesOf(wrong)).toEqual([]);
  });

  test('is looked at without being imported', async () => {
    const slug = unique('dry');
    const zip = await zipOf({ 'a.yaml': document(slug, PORTS), 'b.yaml': document(slug, 'u_hight: 3\n') });
    const answer = await imported('file', { 'x.zip': zip }, { _check: '1' });
    expect([answer.files['a.yaml']![0], answer.files['b.yaml']]).toEqual([
      'Can be imported',
      ['Can be imported', expect.stringMatching(/^1 objects would be made\. .*Passed over.*: u_hight\.$/)],
    ]);
    expect(await typesOf(slug)).toEqual([]);
  });

  test('that cannot be read, or is too much, says so, and nothing of it is imported', async () => {
    const slug = unique('bomb');
    const bomb = await zipOf({ 'a.yaml': document(slug), 'b.yaml': Buffer.alloc(2_000_000) });
    expect((await imported('file', { 'x.zip': bomb })).status).toBe(400);
    expect((await imported('file', { 'x.zip': Buffer.from('PK\x03\x04 no archive') })).status).toBe(400);
    expect(await typesOf(slug)).toEqual([]);
  });
});

describe('a folder', () => {
  test('is imported file by file, also of other objects', async () => {
    const [one, other] = [unique('one'), unique('other')];
    const answer = await imported(
      'folder',
      {
        'sites/one.csv': `name,slug\n${one},${one}`,
        'sites/other.json': JSON.stringify([{ name: other, slug: other }]),
        'sites/again.yaml': `name: ${one}\nslug: ${one}\n`,
        'sites/none.csv': 'name,slug\n',
      },
      {},
      'dcim/sites',
    );
    const came = Object.fromEntries(
      Object.entries(answer.files).map(([path, [how]]) => [path.slice(path.lastIndexOf('/') + 1), how]),
    );
    // Files are imported in the order of their names, so `one.csv` finds its object there already.
    expect(came).toEqual({
      'again.yaml': 'Imported',
      'none.csv': 'Refused',
      'one.csv': 'There already',
      'other.json': 'Imported',
    });
    expect((await used.admin.read(`/api/dcim/sites/?slug=${one}&slug=${other}`)).count).toBe(2);
  });

  test('may have files of several portions, each with its outcome', async () => {
    const [long, wrong, short] = [unique('long'), unique('wrong'), unique('short')];
    const rows = (name: string, count: number): string =>
      `name,slug\n${Array.from({ length: count }, (_, i) => `${name}-${i},${name}-${i}`).join('\n')}\n`;
    const files = {
      'tags/1.csv': rows(long, 1_001),
      'tags/2.csv': `${rows(wrong, 600)}x,not a slug\n`,
      'tags/3.csv': rows(short, 1),
    };
    const counts = () =>
      Promise.all(
        [long, wrong, short].map(async (name) => (await used.admin.read(`/api/extras/tags/?name__isw=${name}-`)).count),
      );
    const dry = await imported('folder', files, { _check: '1' }, 'extras/tags');
    expect(Object.values(dry.files).map(([came]) => came)).toEqual(['Can be imported', 'Refused', 'Can be imported']);
    expect(await counts()).toEqual([0, 0, 0]);
    const answer = await imported('folder', files, {}, 'extras/tags');
    expect(answer.said).toBe('Of 3 files, 2 were imported, 0 brought what is there already, and 1 were refused.');
    expect(Object.values(answer.files)).toEqual([
      ['Imported', expect.stringMatching(new RegExp(`^1001 objects were made\\. ${long}-0 .* and 981 more$`))],
      ['Refused', expect.stringMatching(/^Line 602:2 Slug: /)],
      ['Imported', expect.stringContaining(`${short}-0`)],
    ]);
    expect(await counts()).toEqual([1_001, 0, 1]);
  });
});

describe('one document', () => {
  const alone = (text: string) =>
    admin
      .csrfToken('/dcim/device-types/import/')
      .then((csrfToken) => admin.post('/dcim/device-types/import/', { csrf_token: csrfToken, text }));

  test('may say more than there is a place for, which is told', async () => {
    const slug = unique('more');
    const { status, html } = await alone(
      document(
        slug,
        'is_powered: true\nfront_image: true\nspeed: 7\ninterfaces:\n  - name: a\n    type: virtual\n    parent: b\n',
      ),
    );
    expect([status, tidy(html)]).toEqual([
      200,
      expect.stringMatching(/Passed over[^:]*: speed, front_image, interfaces: parent\./),
    ]);
    expect(await typesOf(slug)).toHaveLength(1);
  });

  test('is one object, whatever the number of lines that are not in order', async () => {
    const slug = unique('lines');
    const csrfToken = await admin.csrfToken('/dcim/device-types/import/');
    const text = document(slug, 'interfaces:\n  - name: a\n    type: x\n  - name: b\n    type: y\n');
    const { status, html } = await admin.post('/dcim/device-types/import/', {
      csrf_token: csrfToken,
      text,
      _check: '1',
    });
    expect([status, tidy(html)]).toEqual([400, expect.stringContaining('0 objects would be made.')]);
    expect([...html.matchAll(/<tr><td>(\d+)/g)].map(([, line]) => line)).toEqual(['9', '11']);
  });

  test.each([
    ['a part for a list', 'interfaces: {name: x, type: virtual}\n', 'Expected a list of items but got type "dict".'],
    ['a text for a list', 'interfaces: x\n', 'Expected a list of items but got type "str".'],
    [
      'a name of the language',
      'constructor: 5\ninterfaces:\n  - name: x\n    __proto__: {a: 1}\n',
      'This field is required.',
    ],
  ])('with %s is refused', async (_, rest, why) => {
    const slug = unique('odd');
    const { status, html } = await alone(document(slug, rest));
    expect([status, tidy(html).replaceAll('&quot;', '"')]).toEqual([400, expect.stringContaining(why)]);
    expect(await typesOf(slug)).toEqual([]);
  });

  test('with the id of a type that is there brings no parts', async () => {
    const { id, slug } = await kit.deviceType();
    const { status, html } = await alone(`id: ${id}\ncomments: x\n${PORTS}`);
    expect([status, tidy(html)]).toEqual([
      400,
      expect.stringContaining('is there already, and parts come with a new object.'),
    ]);
    expect(await typesOf(slug as string)).toMatchObject([{ comments: '', rear_port_template_count: 0 }]);
  });
});
