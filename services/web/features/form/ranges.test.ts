import { expect, test } from '@jest/globals';
import { expanded, isRange } from './ranges.ts';

test('a range of numbers stands for each of them', () => {
  expect(expanded('eth[0-3]')).toEqual(['eth0', 'eth1', 'eth2', 'eth3']);
  expect(expanded('[9-11]')).toEqual(['9', '10', '11']);
  expect(expanded('p[08-10]x')).toEqual(['p08x', 'p09x', 'p10x']);
});

test('lists, letters and several places stand for all that they can be, the last place changing first', () => {
  expect(expanded('[a,b]')).toEqual(['a', 'b']);
  expect(expanded('[ge,xe]-0/[0-1]')).toEqual(['ge-0/0', 'ge-0/1', 'xe-0/0', 'xe-0/1']);
  expect(expanded('[A-C]')).toEqual(['A', 'B', 'C']);
  expect(expanded('[1-2,7, x]')).toEqual(['1', '2', '7', 'x']);
});

test('what is no range stands for itself', () => {
  for (const text of ['', 'eth0', 'eth[x]', 'eth[3-1]', '[]', '[a', 'a]b', '[a-B]', '[,]']) {
    expect(expanded(text)).toEqual([text]);
    expect(isRange(text)).toBe(false);
  }
  expect(isRange('eth[0-1]')).toBe(true);
});

test('there is a most', () => {
  expect(expanded('[0-9999]')).toHaveLength(10_000);
  expect(expanded('[0-9999][0-1]')).toBeUndefined();
  expect(expanded('[0-99999999]')).toEqual(['[0-99999999]']);
});
