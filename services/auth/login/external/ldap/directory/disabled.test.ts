import { expect, test } from '@jest/globals';
import { isDisabled } from './disabled.ts';

const now = Date.parse('2026-11-24T00:00:00Z');
const entry = (name: string, value: string) => ({ attributes: new Map([[name.toLowerCase(), [value]]]) });
/** As Active Directory counts. */
const fileTime = (time: string) => String(BigInt(Date.parse(time) + 11_644_473_600_000) * 10_000n);

test.each([
  ['userAccountControl', '514'],
  ['accountExpires', fileTime('2026-11-23T00:00:00Z')],
  ['nsAccountLock', 'TRUE'],
  ['nsAccountLock', 'true'],
  ['loginDisabled', 'TRUE'],
  ['pwdAccountLockedTime', '000001010000Z'],
])('%s: %s is the end', (name, value) => {
  expect(isDisabled(entry(name, value), now)).toBe(true);
});

test.each([
  ['userAccountControl', '512'],
  ['userAccountControl', '66048'],
  ['accountExpires', '0'],
  ['accountExpires', '9223372036854775807'],
  ['accountExpires', fileTime('2026-11-25T00:00:00Z')],
  ['accountExpires', 'never'],
  ['nsAccountLock', 'FALSE'],
  ['loginDisabled', 'FALSE'],
  // Wrong passwords: somebody else may have typed them.
  ['pwdAccountLockedTime', '20261124000000Z'],
  ['mail', 'TRUE'],
])('%s: %s is none', (name, value) => {
  expect(isDisabled(entry(name, value), now)).toBe(false);
});
