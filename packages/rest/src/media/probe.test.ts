import { describe, expect, test } from '@jest/globals';
import { pathFor } from './path.ts';
import { probe } from './probe.ts';
import { mediaTypeOf } from './types.ts';
import { GIF, PNG } from '../testing/images.ts';

const problem = {
  problem: 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.',
};
const damaged = Buffer.from(PNG);
damaged[45]! ^= 1;

describe('what a file shows', () => {
  test.each<[string, Buffer, unknown]>([
    ['a PNG', PNG, { extension: 'png', width: 1, height: 1 }],
    ['a GIF', GIF, { extension: 'gif', width: 3, height: 2 }],
    ['a text', Buffer.from('hello'), problem],
    ['nothing', Buffer.alloc(0), problem],
    ['a PNG that breaks off', PNG.subarray(0, 50), problem],
    ['a PNG that was damaged', damaged, problem],
    [
      'an SVG, which may run scripts',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"><script/></svg>'),
      problem,
    ],
    ['the beginning of a PNG', PNG.subarray(0, 8), problem],
    ['something too large', Buffer.alloc(1001), { problem: 'The file is larger than 1000 bytes.' }],
  ])('%s', (_, bytes, expected) => {
    expect(probe(bytes, 1000)).toEqual(expected);
  });
});

const u16 = (value: number) => [value & 255, value >> 8];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const be32 = (value: number) => u32(value).reverse();
const text = (value: string) => [...Buffer.from(value, 'latin1')];
const box = (name: string, ...parts: number[][]) => {
  const content = parts.flat();
  return [...be32(content.length + 8), ...text(name), ...content];
};
const webp = (kind: string, ...data: number[]) => [
  ...text('RIFF'),
  ...u32(data.length + 12),
  ...text('WEBP'),
  ...text(kind),
  ...u32(data.length),
  ...data,
];

/** The beginnings of pictures of three by two pixels, in every form that is taken, as far as they say that. */
const BEGINNINGS: Record<string, number[]> = {
  gif: [...GIF],
  bmp: [...text('BM'), ...u32(78), 0, 0, 0, 0, ...u32(54), ...u32(40), ...u32(3), ...u32(2), 1, 0, 24, 0],
  'webp, lossy': webp('VP8 ', 0x10, 0, 0, 0x9d, 0x01, 0x2a, ...u16(3), ...u16(2)),
  'webp, lossless': webp('VP8L', 0x2f, 2, 0x40, 0, 0),
  'webp, extended': webp('VP8X', 0, 0, 0, 0, 2, 0, 0, 1, 0, 0),
  jpg: [
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    ...text('JFIF'),
    0,
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
    0xff,
    0xc0,
    0,
    17,
    8,
    0,
    2,
    0,
    3,
    3,
    1,
    0x22,
    0,
  ],
  tiff: [
    ...text('II'),
    42,
    0,
    ...u32(8),
    ...u16(3),
    ...u16(256),
    ...u16(3),
    ...u32(1),
    ...u32(3),
    ...u16(257),
    ...u16(3),
    ...u32(1),
    ...u32(2),
    ...u16(259),
    ...u16(3),
    ...u32(1),
    ...u32(1),
    ...u32(0),
  ],
  avif: [
    ...box('ftyp', text('avif'), [0, 0, 0, 0], text('avif')),
    ...box('meta', [0, 0, 0, 0], box('iprp', box('ipco', box('ispe', [0, 0, 0, 0], be32(3), be32(2))))),
  ],
};

describe('a file that ends before it has said its size is no picture', () => {
  test.each(Object.entries(BEGINNINGS))('%s', (name, whole) => {
    const found = { extension: name.split(',')[0], width: 3, height: 2 };
    expect(probe(Buffer.from(whole), 1000)).toEqual(found);
    let least = whole.length;
    for (const others of [0x00, 0x07, 0xff])
      for (let length = 0; length < whole.length; length++) {
        // Bytes that follow a file in memory are not part of the picture.
        const memory = Buffer.alloc(whole.length + 64, others);
        memory.set(whole.slice(0, length), 16);
        const seen = probe(memory.subarray(16, 16 + length), 1000);
        if ('problem' in (seen as object)) expect(seen).toEqual(problem);
        else {
          expect([length, seen]).toEqual([length, found]);
          least = Math.min(least, length);
        }
      }
    expect(least).toBeGreaterThan(9);
  });
});

describe('where a file is put', () => {
  const at = (name: string, named?: (object: object, file: string) => string) =>
    pathFor({ folder: 'houses', ...(named ? { named } : {}) }, {}, name, 'png');
  test.each([
    ['front.jpeg', 'front'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\x\\Bild 1.png', 'Bild_1'],
    ['häuser & höfe.png', 'hauser_hofe'],
    ['.png', 'unnamed'],
    ['', 'unnamed'],
    ['a\0b/<script>.svg', 'script'],
  ])('%s', (name, stem) => {
    expect(at(name)).toMatch(new RegExp(`^houses/${stem}_[A-Za-z0-9]{10}\\.png$`));
  });
  test('is never the same twice, and never too long', () => {
    const paths = Array.from({ length: 100 }, () => at('x'.repeat(300)));
    expect(new Set(paths).size).toBe(100);
    expect(Math.max(...paths.map((path) => path.length))).toBe(100);
  });
  test('may be said by the object', () => {
    expect(at('a.png', (_, file) => `house 1 ${file}`)).toMatch(/^houses\/house_1_a_/);
  });
  test('tells the media type', () => {
    expect([mediaTypeOf('a/b.jpg'), mediaTypeOf('a/b.exe'), mediaTypeOf('a/b')]).toEqual([
      'image/jpeg',
      'application/octet-stream',
      'application/octet-stream',
    ]);
  });
});
