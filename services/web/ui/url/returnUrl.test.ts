import { expect, test } from '@jest/globals';
import { wayBack, withWayBack } from './returnUrl.ts';

const asked = (path: string) => wayBack(new URLSearchParams({ return_url: path }));

test('leads back to pages of ours', () => {
  expect(asked('/dcim/devices/?site=a%20b&q=1')).toBe('/dcim/devices/?site=a%20b&q=1');
  expect(wayBack(new URLSearchParams(new URL(withWayBack('/a/?b=1', '/c/?d=2'), 'http://x').search))).toBe('/c/?d=2');
  expect(withWayBack('/a/', undefined)).toBe('/a/');
});

test.each(['//evil', '/\\evil', 'https://evil/', 'javascript:alert(1)', '', '/a b', '/\t/evil', 'a'])(
  'leads nowhere by %j',
  (path) => expect(asked(path)).toBeUndefined(),
);
