import { bodyOf, isMultipart as isForm } from '@cadastre/body';
import { describe, expect, test } from '@jest/globals';
import { house } from '../../testing/town.ts';
import { PNG } from '../../testing/images.ts';
import { formOf } from './form.ts';

async function parsed(fill: (form: FormData) => void, limit = 1000) {
  const form = new FormData();
  fill(form);
  const sent = new Response(form);
  const type = sent.headers.get('content-type')!;
  const read = await formOf(bodyOf(Buffer.from(await sent.arrayBuffer()), { 'content-type': type }), house, limit);
  return { ...read, body: read.body! };
}

test('a form is told by its media type', () => {
  expect(
    [
      'multipart/form-data; boundary=x',
      'Multipart/Form-Data;boundary=x',
      'application/json',
      'multipart/mixed',
      undefined,
    ].map(isForm),
  ).toEqual([true, true, false, false, false]);
});

test('values mean what their fields are for', async () => {
  const { body, files } = await parsed((form) => {
    for (const [name, value] of [
      ['name', 'Höhe "1"'],
      ['floors', '3'],
      ['district', ''],
      ['notes', '{"a": [1]}'],
      ['custom_fields', '{"code": "1"}'],
      ['code', ''],
      ['tags', '1'],
      ['tags', '{"slug": "a"}'],
      ['add_tags', '2'],
      ['comments', 'null'],
      ['unknown', 'x'],
      ['constructor', 'x'],
    ] as const)
      form.append(name, value);
  });
  expect({ ...body }).toEqual({
    name: 'Höhe "1"',
    floors: '3',
    district: null,
    notes: { a: [1] },
    custom_fields: { code: '1' },
    code: null,
    tags: [1, { slug: 'a' }],
    add_tags: [2],
    comments: 'null',
    unknown: 'x',
    constructor: 'x',
  });
  expect(files.size).toBe(0);
});

test('a list may be one JSON text', async () => {
  expect(
    (
      await parsed((form) => {
        form.append('tags', '[1, 2]');
      })
    ).body['tags'],
  ).toEqual([1, 2]);
});

test('files are looked at, and stand in the body by a word', async () => {
  const { body, files } = await parsed((form) => {
    form.append('image', new Blob([PNG], { type: 'text/html' }), '../ä.png');
    form.append('other', new Blob(['x'.repeat(1001)]), 'big');
  });
  expect(files.get(String(body['image']))).toEqual({
    name: 'ä.png',
    bytes: PNG,
    image: { extension: 'png', width: 1, height: 1 },
  });
  expect(files.get(String(body['other']))!.image).toEqual({ problem: 'The file is larger than 1000 bytes.' });
});

describe('what is no form is refused', () => {
  test.each<[string, string, string]>([
    ['no boundary', 'x', 'multipart/form-data'],
    [
      'an end that is missing',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      'multipart/form-data; boundary=b',
    ],
    ['a header that is none', '--b\r\nContent-Disposition: form-data', 'multipart/form-data; boundary=b'],
  ])('%s', async (_, text, type) => {
    await expect(formOf(bodyOf(Buffer.from(text), { 'content-type': type }), house, 10)).rejects.toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^Multipart form parse error - /) },
    });
  });
  test('too many parts', async () => {
    await expect(
      parsed((form) => {
        for (let i = 0; i < 5001; i++) form.append('name', 'x');
      }),
    ).rejects.toMatchObject({ status: 413 });
  });
});

test.each(['tags', 'custom_fields', 'notes', 'guests', 'add_tags'])(
  'JSON in the field %s has the limits of JSON in a body',
  async (field) => {
    const deep = (depth: number) => parsed((form) => form.append(field, '['.repeat(depth) + ']'.repeat(depth)));
    await deep(100);
    for (const depth of [101, 5_000, 100_000])
      await expect(deep(depth)).rejects.toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('nested deeper than 100') },
      });
    await expect(parsed((form) => form.append(field, '{"a": 1, "a": 2}'))).rejects.toMatchObject({ status: 400 });
    await expect(parsed((form) => form.append(field, `[${'{},'.repeat(200_000)}{}]`))).rejects.toMatchObject({
      status: 413,
    });
  },
);
