import { expect, test } from '@jest/globals';
import { pretty } from './pretty.ts';

const shown = (value: unknown): string => pretty(value, 'http://here').toString();
const plain = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

test('it is the same JSON, whatever it holds', () => {
  const value = { a: [1, -2.5e-7, true, null, 'x: "y" \\', { 'b"c': '1 true' }], '': [], n: {}, ü: 'ä\n' };
  expect(JSON.parse(plain(shown(value)))).toEqual(value);
});
test('markup in it is text', () => {
  const text = shown({ '<b>': '<script>alert(1)</script>', u: 'http://x/"><img>' });
  expect(text).not.toMatch(/<(?:script|img|b)>/);
});
test('addresses are links; those of here without the host, and no others become links', () => {
  const text = shown(['http://here/api/x/1/', 'https://there/a', 'javascript:alert(1)', 'http://here.evil/api/']);
  expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    '/api/x/1/',
    'https://there/a',
    'http://here.evil/api/',
  ]);
});
test('nothing is an empty text', () => expect(shown(undefined)).toBe(''));
