import { expect, test } from '@jest/globals';
import { Parts } from './parts.ts';

test('parts are one text, of so many bytes', () => {
  const parts = new Parts('{"a":[', Buffer.from('"ä",'), '"€"', ']}');
  expect([String(parts), parts.byteLength]).toEqual(['{"a":["ä","€"]}', Buffer.byteLength('{"a":["ä","€"]}')]);
});
