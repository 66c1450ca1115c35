import { describe, expect, test } from '@jest/globals';
import { moment, shown, shownMember, tag } from './valueHtml.ts';
import { english } from '../ui/texts/texts.ts';

const showing = {
  catalogue: { models: new Map([['a.b', { label: 'thing' }]]) },
  texts: english,
  addresses: {
    find: () => undefined,
    pageOf: (url: string) => (url.startsWith('http://known/') ? '/a/b/7/' : undefined),
  },
} as never;
const cell = (value: unknown, kind?: string) =>
  String(shown(value as never, kind === undefined ? undefined : ({ kind } as never), showing));
const EVIL = '<img src=x onerror=alert(1)>"\'';

describe('a value', () => {
  test('that is empty is seen to be so', () => {
    for (const value of [null, undefined, '', []]) expect(cell(value)).toContain('class="empty"');
    expect([cell(0), cell(false)]).toEqual(['0', expect.not.stringContaining('class="empty"')]);
  });

  test('is a link where it is an object that has a page, and a text where it has none', () => {
    expect(cell({ id: 7, url: 'http://known/x', display: 'A & B' })).toBe('<a href="/a/b/7/">A &amp; B</a>');
    expect(cell({ id: 7, url: 'http://other/x', display: 'A' })).toBe('A');
  });

  test('that names a type of objects is called as people call it', () => {
    expect([cell('a.b', 'objectType'), cell(['a.b', 'no.more'], 'objectTypes')]).toEqual(['Thing', 'Thing, no.more']);
  });

  test('that consists of ranges is written as ranges, and other numbers are not', () => {
    expect([
      cell([
        [1, 99],
        [100, 100],
      ]),
      cell([80, 443]),
    ]).toEqual(['1\u201399, 100', '80, 443']);
  });

  test('that says how much is in use is a bar', () => {
    const bar = String(shownMember('utilization', '12.5', undefined, showing));
    expect([bar.includes('<svg class="bar"'), bar.includes('13 %')]).toEqual([true, true]);
    expect(String(shownMember('utilization', null, undefined, showing))).toContain('class="empty"');
  });

  test('shows the first of many, and how many more there are', () => {
    expect(cell(['a', 'b', 'c', 'd', 'e'])).toMatch(/^a, b, c.*\+2/);
  });

  test('never becomes markup, whatever it is', () => {
    for (const value of [EVIL, [EVIL], { a: EVIL }, { value: EVIL, label: EVIL }, { display: EVIL, url: EVIL }])
      for (const kind of [undefined, 'color', 'datetime', 'url', 'email', 'json'])
        expect(cell(value, kind)).not.toContain('<img');
    expect(String(tag({ display: EVIL, color: EVIL }, `/?tag=${EVIL}`))).not.toContain('<img');
    expect(String(moment(EVIL))).not.toContain('<img');
  });

  test('is a link for addresses of the web only', () => {
    expect(cell('https://example.com/?a=1&b=2', 'url')).toContain('href="https://example.com/?a=1&amp;b=2"');
    for (const url of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil',
    ])
      expect(cell(url, 'url')).not.toContain('href');
  });
});
