import { expect, test } from '@jest/globals';
import { pathOf } from './archive.ts';

test('a document lies in a file that any system can have', () => {
  const path = (folder: string, name: string): string =>
    pathOf(
      { path: 'device-types' },
      { file: ['manufacturer', 'slug'], parts: {} },
      { manufacturer: folder, slug: name },
    );
  expect(path('Cisco', 'cisco-c9300')).toBe('device-types/Cisco/cisco-c9300');
  expect(path('A/B', '..\\x')).toBe('device-types/A-B/--x');
  expect(path('.hidden', 'a:b?. ')).toBe('device-types/-hidden/a-b--');
  expect(path('', '')).toBe('device-types/-/-');
});
