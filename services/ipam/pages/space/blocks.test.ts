import { expect, test } from '@jest/globals';
import { spanOf } from '@cadastre/model';
import { netOf, networkText, rowsOf, shareTaken, sizeText } from './blocks.ts';

const shown = (root: string, ...all: string[]): string[] =>
  rowsOf(
    netOf(root),
    all.map((text) => ({ net: netOf(text), one: text })),
  ).map(({ depth, free, net }) => `${'.'.repeat(depth)}${networkText(net)}${free ? ' free' : ''}`);

test('what is free stands between what is taken, at every depth', () => {
  expect(shown('10.0.0.0/24', '10.0.0.64/26', '10.0.0.128/25', '10.0.0.128/27')).toEqual([
    '10.0.0.0/26 free',
    '10.0.0.64/26',
    '10.0.0.128/25',
    '.10.0.0.128/27',
    '.10.0.0.160/27 free',
    '.10.0.0.192/26 free',
  ]);
  expect(shown('2001:db8::/47')).toEqual(['2001:db8::/47 free']);
});

test('the same network twice is one in the other', () => {
  expect(shown('10.0.0.0/31', '10.0.0.0/31', '10.0.0.0/31')).toEqual(['10.0.0.0/31', '.10.0.0.0/31']);
});

test('what overlaps is taken once', () => {
  const net = netOf('10.0.0.0/24');
  expect(
    shareTaken(
      net,
      ['10.0.0.0/25', '10.0.0.0/26', '10.0.0.128/26'].map((text) => spanOf(netOf(text))),
    ),
  ).toBe(75);
  expect(shareTaken(net, [spanOf(netOf('10.0.0.0/16'))])).toBe(100);
  expect(shareTaken(net, [])).toBe(0);
});

test('sizes are said in words', () => {
  expect(['10.0.0.1/32', '10.0.0.0/16', '2001:db8::/64'].map((text) => sizeText(netOf(text)))).toEqual([
    '1 address',
    '65,536 addresses',
    '2^64 addresses',
  ]);
});
