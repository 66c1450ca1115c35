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
