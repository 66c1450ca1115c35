import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { assets } from './render.ts';

const folder = new URL('./static/', import.meta.url);
const style = assets.get('web.css')!.body.toString();
/** Where a rule stands. */
const at = (text: string): number => {
  const place = style.indexOf(text);
  if (place < 0) throw new Error(`There is no ${text}`);
  return place;
};

test('all styles are in one file', async () => {
  const { readFile } = await import('node:fs/promises');
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.css'));
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8');
    expect([name, style.split(text).length - 1]).toEqual([name, 1]);
  }
  expect([...assets.keys()].filter((name) => name.endsWith('.css'))).toEqual(['web.css']);
});

test('what pages have in common comes before what says it more exactly', () => {
  // Colours, elements, frame, what stands in it, narrow screens; and only then the topics.
  const order = [
    ':root {',
    'body {',
    '.frame {',
    'button,',
    '.pager {',
    '.panel {',
    '.field {',
    '.alert {',
    '.changes {',
  ];
  const places = [...order, '@media (max-width: 50rem) {\n  .frame {'].map(at);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(at('.conflict {')).toBeGreaterThan(places.at(-1)!);
});

test('addresses of files have a hash of what is in them', () => {
  for (const [name, { path }] of assets) {
    const [stem] = name.split(/\.(?=\w+$)/);
    expect(path).toMatch(new RegExp(`/${stem!.replaceAll('.', '\\.')}\\.[0-9a-f]{16}\\.(css|js)$`));
  }
});
