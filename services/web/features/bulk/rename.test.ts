import { describe, expect, test } from '@jest/globals';
import { type Renaming, renaming } from './rename.ts';

const make = (...given: Parameters<typeof renaming>) => renaming(...given) as Renaming;

test('texts are replaced everywhere, and mean nothing else', () => {
  expect(make('eth', 'xe-', false)('eth0/eth1')).toBe('xe-0/xe-1');
  expect(make('.', '$&', false)('a.b')).toBe('a$&b');
});

describe('regular expressions', () => {
  test('have groups, written in either way', () => {
    expect(make('^Gi(\\d+)/(\\d+)$', 'ge-$1-$2', true)('Gi1/24')).toBe('ge-1-24');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how groups are written
    expect(make('^Gi(\\d+)/(\\d+)$', 'ge-\\2-${1}', true)('Gi1/24')).toBe('ge-24-1');
    expect(make('(a)|(b)', '[$2]', true)('ab')).toBe('[][b]');
    expect(make('x*', '-', true)('abc')).toBe('-a-b-c-');
  });
  test('that are wrong, or speak of a group that is not there, are refused', () => {
    expect(renaming('(', '', true)).toEqual({ problem: expect.stringMatching(/missing/) });
    expect(renaming('(a)', '$2', true)).toEqual({ problem: 'There are only 1 groups.' });
  });
  test('take no longer for those that backtrack elsewhere', () => {
    const name = `${'a'.repeat(60)}!`;
    expect(make('^(a+)+$', 'x', true)(name)).toBe(name);
  });
});

test('nothing to find finds nothing', () => {
  expect(renaming('', 'x', true)).toEqual({ problem: '' });
});
