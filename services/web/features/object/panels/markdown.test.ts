import { expect, test } from '@jest/globals';
import { markdown } from './markdown.ts';

const shown = (text: string) => String(markdown(text));

test('Markdown becomes HTML, with headings below those of the page', () => {
  expect(shown('# Title\n\n**bold** [here](/dcim/sites/1/)')).toBe(
    '<h3>Title</h3>\n<p><strong>bold</strong> <a href="/dcim/sites/1/" rel="noreferrer noopener nofollow">here</a></p>\n',
  );
  expect(shown('  \n')).toBe('');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](JaVaScRiPt&colon;alert(1))',
  '![x](javascript:alert(1))',
  '[x](//evil.example/)',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
])('nothing of %j can run or lead astray', (text) => {
  expect(shown(text)).not.toMatch(/<(script|img)|(href|src)="(?!https?:|mailto:|\/[^/])/i);
});

test('pictures from elsewhere are links', () => {
  expect(shown('![a "b"](https://example.com/x.png) ![c](/media/d.png)')).toBe(
    '<p><a href="https://example.com/x.png" rel="noreferrer noopener nofollow">a &quot;b&quot;</a> <img src="/media/d.png" alt="c" loading="lazy"></p>\n',
  );
});

test('cells are aligned by classes', () => {
  const table = shown('|a|b|\n|:-:|--:|\n|1|2|');
  expect(table).toContain('<th class="to-center">a</th>');
  expect(table).not.toContain('style=');
});
