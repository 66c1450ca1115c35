import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { type WritePosition, positionTexts } from '@cadastre/service/write-positions';
import { positions } from './position.ts';
import { REMEMBERED_MS } from './pending-writes.ts';

const secret = new Secret('s'.repeat(40));
const wrote = (service: string, at: number): WritePosition => ({
  service,
  first: at,
  last: at,
  types: new Set([1]),
  gone: false,
});
let now = 1_000;
const here = positions(secret, () => now);
const elsewhere = positions(secret, () => now);

test('another gateway of the installation reads it, with one entry for each service', () => {
  const text = here.seal([wrote('dcim', 5), wrote('ipam', 1), wrote('dcim', 9)]);
  expect(positionTexts(elsewhere.open(text))).toMatch(/^dcim:5-9:1~[0-9a-f]+,ipam:1-1:1$/);
});

test('nothing is read that was changed, was not sealed here or is old', () => {
  const text = here.seal([wrote('dcim', 5)]);
  for (const forged of [
    '',
    '.',
    'x',
    text.replace('5-5', '1-9'),
    text.slice(0, -1),
    `${text}x`,
    `9${text}`,
    positions(new Secret('t'.repeat(40)), () => now).seal([wrote('dcim', 5)]),
    'x'.repeat(100_000),
  ])
    expect(here.open(forged)).toEqual([]);
  now += REMEMBERED_MS;
  expect(here.open(text)).toEqual([]);
});
