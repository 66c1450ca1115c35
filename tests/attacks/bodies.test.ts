import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const json = { 'Content-Type': 'application/json' };
const list = (items: number) => Buffer.from(`[${'{},'.repeat(items)}{}]`);
/** Lists of lists, each of which is as long as may be. */
const wide = Buffer.from(`[${Array.from({ length: 9 }, () => `[${'{},'.repeat(80_000)}{}]`).join(',')}]`);

test('without a token no body is unpacked, and only a small one is read', async () => {
  const nobody = used.admin.as();
  const provision = '/api/users/tokens/provision/';
  const bombs = [
    ['gzip', gzipSync(list(3_000_000))],
    ['deflate', deflateSync(list(3_000_000))],
    ['br', brotliCompressSync(list(300_000))],
    ['rot13', list(1)],
  ] as const;
  for (const [encoding, raw] of bombs) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        nobody.ask('POST', provision, { raw, headers: { ...json, 'Content-Encoding': encoding } }),
      ),
    );
    expect([encoding, ...new Set(answers.map(({ status }) => status))]).toEqual([encoding, 415]);
  }
  expect((await nobody.ask('POST', provision, { raw: Buffer.alloc(70_000, ' '), headers: json })).status).toBe(413);
  expect((await nobody.ask('POST', provision, { raw: '[]', headers: json })).status).toBe(400);
});

test('who may only look is told so, whatever they send', async () => {
  const { client } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
  for (const raw of [list(1), list(1_600_000), Buffer.from('[[['), Buffer.from('')])
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const answer = await client.ask(method, sites, {
        raw: gzipSync(raw),
        headers: { ...json, 'Content-Encoding': 'gzip' },
      });
      expect([method, answer.status]).toEqual([method, 403]);
    }
  const text = await client.ask('POST', sites, { raw: 'x', headers: { 'Content-Type': 'text/plain' } });
  expect(text.status).toBe(403);
});

test('twenty packed lists at once are refused where they become too much', async () => {
  for (const bytes of [list(3_000_000), wide, Buffer.from(`{"tags":${wide}}`)]) {
    const raw = gzipSync(bytes);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        used.admin.ask('POST', sites, { raw, headers: { ...json, 'Content-Encoding': 'gzip' } }),
      ),
    );
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([413]);
  }
});

test.each<[string, number, string]>([
  ['a name of 2 MB', 400, `{"${'n'.repeat(2_000_000)}":1}`],
  ['a number of 2 MB', 400, `{"name":${'1'.repeat(2_000_000)}}`],
  ['a text of 2 MB', 400, `{"name":"${'x'.repeat(2_000_000)}"}`],
  ['a list of 100,001', 413, `{"name":"x","tags":[${'0,'.repeat(100_000)}0]}`],
  ['600,000 values', 413, `{"tags":[${`[${'0,'.repeat(59_999)}0],`.repeat(10)}0]}`],
])('%s is refused with %i', async (_what, status, raw) => {
  expect((await used.admin.ask('POST', sites, { raw, headers: json })).status).toBe(status);
});

const multipart = (parts: [head: string, content: string | Buffer][]) => ({
  raw: Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]),
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
});

test.each(['tags', 'custom_fields', 'asns', 'add_tags', 'region'])(
  'JSON in the field %s of a form is held to the same',
  async (field) => {
    const name = unique();
    const send = async (text: string) =>
      (
        await used.admin.ask(
          'POST',
          sites,
          multipart([
            ['name="name"', name],
            ['name="slug"', name],
            [`name="${field}"`, text],
          ]),
        )
      ).status;
    for (const depth of [5_000, 100_000]) expect(await send('['.repeat(depth) + ']'.repeat(depth))).toBe(400);
    expect(await send('{"a":1,"a":2}')).toBe(400);
    expect(await send(`[${'{},'.repeat(150_000)}{}]`)).toBe(413);
  },
);

test('forms end being read where they become too much', async () => {
  const fields = multipart(Array.from({ length: 5_001 }, () => ['name="a"', '1']));
  expect((await used.admin.ask('POST', sites, fields)).status).toBe(413);
  const named = multipart([[`name="${'n'.repeat(100_000)}"`, '1']]);
  expect((await used.admin.ask('POST', sites, named)).status).toBe(400);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const raw of ['=&'.repeat(1_000_000), '&'.repeat(2_000_000), '=&'.repeat(30_000), 'a=1&'.repeat(6_000)])
    expect((await used.admin.as().ask('POST', '/login/', { raw, headers: form })).status).toBe(413);
});

test('addresses with too many parameters are refused', async () => {
  for (const search of ['&'.repeat(2_000), 'a=1&'.repeat(1_500), '=&'.repeat(3_000)])
    for (const path of [sites, '/api/status/', '/api/dcim/connected-device/'])
      expect([path, (await used.admin.get(`${path}?${search}`)).status]).toEqual([path, 400]);
});

test('a picture that was cut short is refused', async () => {
  const site = await used.admin.make(sites, { name: unique(), slug: unique() });
  for (const head of [
    '474946383961ff00',
    '424d4e0000000000000036000000280000000300',
    '52494646110000005745425056503 84c'.replace(' ', ''),
  ]) {
    const form = multipart([
      ['name="object_type"', 'dcim.site'],
      ['name="object_id"', String(site.id)],
      ['name="image"; filename="a.gif"\r\nContent-Type: image/gif', Buffer.from(head, 'hex')],
    ]);
    expect((await used.admin.ask('POST', '/api/extras/image-attachments/', form)).status).toBe(400);
  }
});
