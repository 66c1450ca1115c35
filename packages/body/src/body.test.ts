import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Body, bodyOf, bodyOn, dictionaryIn } from './body.ts';
import { type BodyLimits, bodyLimits } from './limits.ts';

const json = { 'content-type': 'application/json' };
const refusal = async (reading: Promise<unknown>) => {
  const error = (await reading.then(
    () => undefined,
    (e: unknown) => e,
  )) as { status: number; body: { detail: string } };
  return [error?.status, error?.body];
};
const packed = (bytes: Buffer, encoding: string, limits?: BodyLimits) =>
  bodyOf(bytes, { ...json, 'content-encoding': encoding }, limits);

test('JSON is read packed and unpacked, a form as well', async () => {
  const text = Buffer.from('{"a":[1,"ä"]}');
  const read = { a: [1, 'ä'] };
  expect(await bodyOf(text, json).json()).toEqual(read);
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
  ] as const)
    expect(await packed(bytes, encoding).json()).toEqual(read);
  const form = bodyOf(gzipSync('a=1&b=%C3%A4'), {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'content-encoding': 'gzip',
  });
  expect(await form.form()).toEqual({
    fields: [
      ['a', '1'],
      ['b', 'ä'],
    ],
    files: [],
  });
  expect(await bodyOf(Buffer.alloc(0), json).json()).toBeUndefined();
  expect(await dictionaryIn(bodyOf(Buffer.alloc(0), {}))).toEqual({});
  expect(await refusal(dictionaryIn(bodyOf(Buffer.from('[]'), json)))).toEqual([
    400,
    { non_field_errors: [expect.stringContaining('dictionary')] },
  ]);
});

test('a large body is the same packed as unpacked', async () => {
  const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `device ${id * 7919}`, tags: [] }));
  const text = Buffer.from(JSON.stringify(items));
  expect(await packed(gzipSync(text), 'gzip').json()).toEqual(items);
  expect(await bodyOf(text, json).json()).toEqual(items);
});

test('what is packed is unpacked no further than a limit says', async () => {
  const small = { ...bodyLimits, size: { bytes: 300_000, ratio: 50 } };
  const detail = (text: string) => ({ detail: expect.stringContaining(text) });
  const list = (items: number) => gzipSync(`[${'{},'.repeat(items)}{}]`);
  // Unpacking ends where the items exceed their limit, long before the end of the list.
  expect(await refusal(packed(list(3_000_000), 'gzip').json())).toEqual([413, detail('100000 items')]);
  const noise = Buffer.from(JSON.stringify('x'.repeat(250_000)));
  expect(await refusal(packed(gzipSync(noise), 'gzip', small).json())).toEqual([413, detail('50 times larger')]);
  const large = Buffer.from(JSON.stringify(Array.from({ length: 50_000 }, () => Math.random())));
  expect(await refusal(packed(gzipSync(large), 'gzip', small).json())).toEqual([
    413,
    detail('larger than 300000 bytes'),
  ]);
  // The ratio is checked while unpacking: a body that compresses too well at its beginning is refused before its end.
  const mixed = Buffer.concat([
    Buffer.from(`["${'x'.repeat(2_000_000)}",`),
    Buffer.from(`"${randomBytes(300_000).toString('hex')}"]`),
  ]);
  const texts = { ...bodyLimits, json: { ...bodyLimits.json, text: 10_000_000 } };
  expect(await refusal(packed(gzipSync(mixed), 'gzip', texts).json())).toEqual([413, detail('200 times larger')]);
  // Small bodies may be compressed at any ratio.
  expect(await packed(gzipSync(JSON.stringify('x'.repeat(60_000))), 'gzip', small).json()).toHaveLength(60_000);
});

test('what cannot be unpacked is refused', async () => {
  const whole = gzipSync('{"a":1}');
  for (const [encoding, bytes] of [
    ['gzip', Buffer.from('{}')],
    ['gzip', whole.subarray(0, whole.length - 9)],
    ['deflate', whole],
    ['br', Buffer.from('{"a":1}')],
  ] as const)
    expect([encoding, await refusal(packed(bytes, encoding).json())]).toEqual([
      encoding,
      [400, { detail: 'The request body cannot be decompressed.' }],
    ]);
  for (const encoding of ['zstd', 'gzip, gzip', 'compress'])
    expect((await refusal(packed(whole, encoding).json()))[0]).toBe(415);
});

test('JSON in the fields of a form counts together', () => {
  const body = bodyOf(Buffer.from(''), {}, { ...bodyLimits, json: { ...bodyLimits.json, values: 10 } });
  expect(body.jsonIn('[1,2,3]')).toEqual([1, 2, 3]);
  expect(() => body.jsonIn('[1,2,3,4,5,6,7,8,9]')).toThrow('413');
});

let server: Server;
let handle: (body: Body, request: IncomingMessage) => Promise<unknown>;
const rooms: number[] = [];
let held = async () => {};
const limits = { ...bodyLimits, size: { ...bodyLimits.size, bytes: 1_000_000 } };

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = bodyOn(request, limits, async (bytes) => {
      rooms.push(bytes);
      await held();
    });
    handle(body, request).then(
      (value) => response.end(JSON.stringify(value)),
      ({ status, body: said }: { status?: number; body?: unknown }) => {
        response.statusCode = status ?? 500;
        response.end(JSON.stringify(said));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

const send = (
  chunks: Buffer[],
  headers: Record<string, string | number> = {},
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const asking = ask(
      { port, host: '127.0.0.1', method: 'POST', agent: false, headers: { ...json, ...headers } },
      (response) => {
        response.setEncoding('utf8');
        let text = '';
        response
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve({ status: response.statusCode!, text }));
      },
    );
    asking.on('error', reject);
    for (const chunk of chunks) asking.write(chunk);
    asking.end();
  });

test('a body is read off the wire when it is asked for, with room when it is no small one', async () => {
  handle = async (body) => JSON.stringify(await body.json()).length;
  rooms.length = 0;
  expect(await send([Buffer.from('[1,'), Buffer.from('2]')])).toMatchObject({ status: 200, text: '5' });
  expect(await send([Buffer.from('[1]')], { 'content-length': 3 })).toMatchObject({ status: 200, text: '3' });
  expect(rooms).toEqual([]);
  const large = Buffer.from(JSON.stringify('x'.repeat(200_000)));
  expect(await send([large], { 'content-length': large.length })).toMatchObject({ status: 200 });
  // Without a content-length, room is taken for the largest body that is accepted.
  expect(await send([large.subarray(0, 100_000), large.subarray(100_000)])).toMatchObject({ status: 200 });
  const gzip = gzipSync(JSON.stringify(Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 100_003)));
  expect(await send([gzip], { 'content-length': gzip.length, 'content-encoding': 'gzip' })).toMatchObject({
    status: 200,
  });
  expect(rooms).toEqual([large.length, 1_000_000, expect.any(Number)]);
  expect(rooms[2]).toBeGreaterThan(100_000);
});

test('nothing is kept of a body that is too large, and no room is taken for one that says so', async () => {
  handle = async (body) => body.json();
  rooms.length = 0;
  expect(await send([Buffer.alloc(10)], { 'content-length': 10 })).toMatchObject({ status: 400 });
  const large = Array.from({ length: 12 }, () => Buffer.alloc(100_000, ' '));
  expect(await send(large, { 'content-length': 1_200_000 })).toMatchObject({ status: 413 });
  expect(rooms).toEqual([]);
  expect(await send(large)).toMatchObject({ status: 413, text: expect.stringContaining('1000000 bytes') });
});

test('while a body waits for room the client is not read from', async () => {
  handle = async (body) => JSON.stringify(await body.json()).length;
  let go = () => {};
  held = () => new Promise((resolve) => (go = resolve));
  const large = Buffer.from(JSON.stringify('x'.repeat(400_000)));
  let answered = false;
  const sent = send([large]).then((answer) => {
    answered = true;
    return answer;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(answered).toBe(false);
  go();
  expect(await sent).toMatchObject({ status: 200, text: '400002' });
  held = async () => {};
});
