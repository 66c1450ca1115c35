import { bodyOf } from '@cadastre/body';
import { expect, test } from '@jest/globals';
import { readSubmitted } from './submitted.ts';

const readForm = (headers: Record<string, string>, bytes: Buffer) => readSubmitted(bodyOf(bytes, headers));

const multipart = (text: string) =>
  [
    { 'content-type': 'multipart/form-data; boundary=B' },
    Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'),
  ] as const;

test('fields of either encoding, in their order and as often as they come', async () => {
  const sent = await readForm(
    { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    Buffer.from('a=1&b=%C3%A9&a=2'),
  );
  expect([...sent.fields]).toEqual([
    ['a', '1'],
    ['b', 'é'],
    ['a', '2'],
  ]);
  const parts = await readForm(
    ...multipart(
      '--B\nContent-Disposition: form-data; name="a"\n\n1\n--B\nContent-Disposition: form-data; name="f"; filename="x.png"\nContent-Type: image/png\n\n\x89P\n--B\nContent-Disposition: form-data; name="g"; filename=""\nContent-Type: application/octet-stream\n\n\n--B--\n',
    ),
  );
  expect(parts.fields.get('a')).toBe('1');
  // A file field that was left empty brings no file.
  expect([...parts.files]).toEqual([['f', { name: 'x.png', type: 'image/png', bytes: Buffer.from([0x89, 0x50]) }]]);
});

test('nothing is an empty form, and what is none is refused', async () => {
  expect((await readSubmitted(undefined)).fields.size).toBe(0);
  await expect(readForm({ 'content-type': 'application/json' }, Buffer.from('{}'))).rejects.toMatchObject({
    status: 415,
  });
  await expect(readForm(...multipart('--B\nContent-Disposition: form-data; name="a"\n\n1'))).rejects.toMatchObject({
    status: 400,
  });
});

test('more fields than a form has are refused', async () => {
  const many = Array.from({ length: 5_001 }, (_, i) => `--B\nContent-Disposition: form-data; name="a"\n\n${i}\n`).join(
    '',
  );
  await expect(readForm(...multipart(`${many}--B--\n`))).rejects.toMatchObject({ status: 413 });
});
