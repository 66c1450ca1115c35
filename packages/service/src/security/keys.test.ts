import { expect, test } from '@jest/globals';
import { keyFor, type Purpose, purposes } from './keys.ts';
import { Secret } from '../settings/secret.ts';

test('each purpose has a key of its own, the same in every process that has the secret', () => {
  const root = new Secret('s'.repeat(32));
  const all = Object.keys(purposes) as Purpose[];
  const keys = all.map((purpose) => Buffer.from(keyFor(root, purpose)).toString('hex'));
  expect(new Set([...keys, Buffer.from(root.reveal()).toString('hex')]).size).toBe(all.length + 1);
  expect(keys).toEqual(all.map((purpose) => Buffer.from(keyFor(new Secret('s'.repeat(32)), purpose)).toString('hex')));
  expect(keyFor(new Secret('t'.repeat(32)), 'forms')).not.toEqual(keyFor(root, 'forms'));
});
