import { expect, jest, test } from '@jest/globals';
import { cachedPage } from './pageCache.ts';

const draw = jest.fn(
  (view: string, { csrfToken, name }: Record<string, unknown>) => `${view} ${csrfToken} ${name} ${csrfToken}.`,
);
const page = (name: string, csrfToken: string): string => cachedPage('list', { name, csrfToken }, draw).toString();

test('a page that says the same is drawn once, and has each time the mark of its own', () => {
  expect([page('ä', 'one'), page('ä', '"two"'), page('b', 'one')]).toEqual([
    'list one ä one.',
    'list &quot;two&quot; ä &quot;two&quot;.',
    'list one b one.',
  ]);
  expect(draw).toHaveBeenCalledTimes(2);
});

test('what is too large is drawn each time', () => {
  draw.mockClear();
  for (const csrfToken of ['one', 'two'])
    expect(page('x'.repeat(2_000_000), csrfToken).length).toBeGreaterThan(2_000_000);
  expect(draw).toHaveBeenCalledTimes(2);
});
