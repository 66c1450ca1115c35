import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { assets } from './render.ts';
import { sourcesOf } from './sources.ts';

const style = assets.get('web.css')!.body.toString();
/** The position of a rule. */
const at = (text: string): number => {
  const place = style.indexOf(text);
  if (place < 0) throw new Error(`There is no ${text}`);
  return place;
};

test('all styles are in one file', () => {
  for (const { name, path } of sourcesOf('.css'))
    expect([name, style.split(readFileSync(path, 'utf8')).length - 1]).toEqual([name, 1]);
  expect([...assets.keys()].filter((name) => name.endsWith('.css'))).toEqual(['web.css']);
});

test.each(['.njk', '.css', '.client.js'])('a file %s is told from all others by its name', (ending) => {
  const names = sourcesOf(ending).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual([...new Set(names)]);
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
