import { expect, test } from '@jest/globals';
import { escaped, fitting, readableOn, widthOf } from './svg.ts';

test('text is safe in XML', () => {
  expect(escaped('<a href="x">\0&\'</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;');
  expect(escaped('a\ud800b')).toBe('a\ufffdb');
});

test('labels can be read', () => {
  expect(['ffffff', 'ffff00', '0000ff', '000000'].map(readableOn)).toEqual([
    '#000000',
    '#000000',
    '#ffffff',
    '#ffffff',
  ]);
});

test('texts have about the width of their letters', () => {
  expect(widthOf('', 10)).toBe(0);
  expect(widthOf('iii', 10)).toBeLessThan(widthOf('WWW', 10));
  expect(widthOf('光纤', 10)).toBeGreaterThan(20);
});

test('a long text loses its middle, until it fits', () => {
  expect(fitting('xe-0/0/1', 200, 12)).toBe('xe-0/0/1');
  const short = fitting('GigabitEthernet-of-the-second-switch-1/0/24', 100, 12);
  expect(short).toMatch(/^Giga.*….*0\/24$/);
  expect(widthOf(short, 12)).toBeLessThanOrEqual(100);
  expect([fitting('😀😀😀😀😀😀😀😀', 40, 12), fitting('anything', 0, 12)]).toEqual([
    expect.not.stringMatching(/[\ud800-\udbff](?![\udc00-\udfff])/),
    '…',
  ]);
});
