import { expect, test } from '@jest/globals';
import { failuresIn, textOf } from './failures.ts';

test('what failed before a login comes to the next page', () => {
  for (const address of ['192.0.2.1', '2001:db8::', '']) {
    const failures = { count: 12, last: '2026-11-23T02:03:04.567Z', address };
    expect(failuresIn(encodeURIComponent(textOf(failures)))).toEqual(failures);
  }
});

test.each([
  undefined,
  '',
  'x',
  '%',
  '%E0%A4%A',
  '1_2026-11-23T02:03:04.567Z_<b>',
  '-1_2026-11-23T02:03:04.567Z_',
  '1_yesterday_192.0.2.1',
  `${'9'.repeat(10)}_2026-11-23T02:03:04.567Z_`,
])('a cookie of %s says nothing', (text) => {
  expect(failuresIn(text)).toBeNull();
});
