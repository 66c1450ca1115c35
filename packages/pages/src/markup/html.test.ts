import { expect, test } from '@jest/globals';
import { escaped, html, nothing } from './html.ts';

test('what is put in is escaped, in texts and in attributes', () => {
  const evil = `"><script>alert('1')</script>&`;
  expect(`${html`<a title="${evil}">${evil}</a>`}`).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</a>',
  );
  expect(escaped(evil)).not.toMatch(/[<>"']/);
});

test('HTML stays HTML, lists are joined, nothing stands for nothing', () => {
  expect(`${html`<ul>${['a<', 'b'].map((one) => html`<li>${one}</li>`)}</ul>`}`).toBe(
    '<ul><li>a&lt;</li><li>b</li></ul>',
  );
  expect(`${html`${['<', ['>', html`<br>`]]}`}`).toBe('&lt;&gt;<br>');
  expect(`${html`[${null}${undefined}${false}${''}${nothing}]`}`).toBe('[]');
  expect(`${html`${0}`}`).toBe('0');
});

test('what only looks like HTML is text', () => {
  const pretending = { toString: () => '<script>', val: '<script>', length: 8 };
  expect(`${html`${pretending as never}`}`).toBe('&lt;script&gt;');
});
