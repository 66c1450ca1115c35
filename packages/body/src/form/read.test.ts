import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bodyLimits } from '../limits.ts';
import { readForm } from './read.ts';
import { readUrlencoded } from './urlencoded.ts';

const limits = bodyLimits.form;
const refusal = async (reading: Promise<unknown>) => {
  const error = (await reading.then(
    () => undefined,
    (e: unknown) => e,
  )) as { status: number; body: { detail: string } };
  return [error?.status, error?.body.detail];
};
const urlencoded = (text: string, more = {}) =>
  readForm(Buffer.from(text), 'application/x-www-form-urlencoded', { ...limits, ...more });
const boundary = 'XX';
const parts = (...all: [head: string, content: string][]) =>
  Buffer.from(
    `${all.map(([head, content]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`,
  );
const multipart = (bytes: Buffer, more = {}) =>
  readForm(bytes, `multipart/form-data; boundary=${boundary}`, { ...limits, ...more });

test('reads what browsers write, as URLSearchParams does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const text = new URLSearchParams(pairs).toString();
      expect(readUrlencoded(Buffer.from(text), limits)).toEqual([...new URLSearchParams(text)]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '%', '4', '1', '=', '&', '+', 'F', '?') }), (text) => {
      // URLSearchParams drops one question mark at the beginning.
      expect(readUrlencoded(Buffer.from(text), limits)).toEqual([...new URLSearchParams(`?${text}`)]);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['fields', 'a=1&'.repeat(11)],
  ['fields without names', '=&'.repeat(11)],
  ['separators with nothing in between', '&'.repeat(11)],
])('a form has a limit of %s, and nothing is read beyond it', async (_what, text) => {
  expect(await refusal(urlencoded(text, { fields: 10 }))).toEqual([413, 'A form may have at most 10 fields.']);
});

test('a form of as many fields as may be is read, one with a longer name is not', async () => {
  expect((await urlencoded('a=1&'.repeat(10), { fields: 10 }))!.fields).toHaveLength(10);
  expect(await refusal(urlencoded(`${'n'.repeat(31)}=1`, { name: 10 }))).toEqual([
    400,
    expect.stringContaining('10 bytes'),
  ]);
});

/** The processor time that work takes, in ms: the least of several runs. */
function cost(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 7 }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
}

test('nameless fields cost no more than what is read of them', () => {
  const read = (count: number) => () => readUrlencoded(Buffer.alloc(2 * count, '=&'), { ...limits, fields: count + 1 });
  read(50_000)();
  // If the cost grew with the square, it would be sixteen times as much; Node's parser takes seconds.
  expect(cost(read(400_000))).toBeLessThan(9 * Math.max(2, cost(read(100_000))));
});

test('multipart fields and files are read, and files have memory of their own', async () => {
  const form = await multipart(
    parts(
      ['name="ä"', 'ü'],
      ['name="f"; filename="ö.gif"', 'GIF89a'],
      ['name="none"; filename=""\r\nContent-Type: application/octet-stream', ''],
      ['name="ä"', ''],
    ),
  );
  expect(form.fields).toEqual([
    ['ä', 'ü'],
    ['ä', ''],
  ]);
  expect(form.files.map(({ field, name, bytes }) => [field, name, bytes.toString()])).toEqual([
    ['f', 'ö.gif', 'GIF89a'],
    ['none', '', ''],
  ]);
  for (const { bytes } of form.files) expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, bytes.length]);
});

test('multipart has limits of fields, files and names, and is refused when it is none', async () => {
  const fields = parts(...Array.from({ length: 11 }, (): [string, string] => ['name="a"', '']));
  const files = parts(...Array.from({ length: 3 }, (): [string, string] => ['name="a"; filename="b"', 'x']));
  expect(await refusal(multipart(fields, { fields: 10 }))).toEqual([413, 'A form may have at most 10 fields.']);
  expect((await multipart(fields, { fields: 11 })).fields).toHaveLength(11);
  expect(await refusal(multipart(files, { files: 2 }))).toEqual([413, 'A form may have at most 2 files.']);
  expect((await multipart(files, { files: 3 })).files).toHaveLength(3);
  expect(await refusal(multipart(parts(['name="abcdef"', '']), { name: 5 }))).toEqual([
    400,
    expect.stringContaining('5 bytes'),
  ]);
  expect(await refusal(multipart(parts(['name="abcdef"; filename="f"', '']), { name: 5 }))).toEqual([
    400,
    expect.stringContaining('5 bytes'),
  ]);
  for (const bytes of [Buffer.from('x'), parts(['name="a"', '1']).subarray(0, 40), Buffer.alloc(200_000, '\r\n')])
    expect(await refusal(multipart(bytes))).toEqual([400, expect.stringContaining('Multipart form parse error')]);
  expect(await refusal(readForm(Buffer.from('x'), 'multipart/form-data', limits))).toEqual([400, expect.any(String)]);
  expect(await refusal(readForm(Buffer.from('x'), 'text/plain', limits))).toEqual([415, 'A form is expected.']);
});

test('a part with headers without end is refused or read, and costs what it has bytes', async () => {
  const head = 'X-A: b\r\n'.repeat(100_000);
  const bytes = Buffer.from(
    `--${boundary}\r\n${head}Content-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`,
  );
  expect((await refusal(multipart(bytes)))[0]).toBe(400);
});

test('parts with an empty name, or without one, are parts like others', async () => {
  const form = await multipart(
    parts(['name=""', 'null'], ['name=""; filename="a.txt"', 'a'], ['filename="b.txt"', 'b'], ['name="c"', 'd']),
  );
  expect(form!.fields).toEqual([
    ['', 'null'],
    ['c', 'd'],
  ]);
  expect(form!.files.map(({ field, name }) => [field, name])).toEqual([
    ['', 'a.txt'],
    ['', 'b.txt'],
  ]);
});
