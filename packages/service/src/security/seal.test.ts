import { expect, test } from '@jest/globals';
import { createSeal } from './seal.ts';
import { Secret } from '../settings/secret.ts';

const [one, two] = [new Secret('a'.repeat(32)), new Secret('b'.repeat(32))];
const place = 'extras.webhook.secret';

test('a sealed text opens where it belongs, and says nothing of itself', () => {
  const seal = createSeal([one]);
  const sealed = seal.close('s3cr3t', place);
  expect(sealed).not.toContain('s3cr3t');
  expect(sealed).not.toBe(seal.close('s3cr3t', place));
  expect(seal.open(sealed, place)).toBe('s3cr3t');
  expect(() => seal.open(sealed, 'extras.webhook.credentials')).toThrow('changed');
  expect(() => seal.open(`${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`, place)).toThrow('changed');
});

test('the first key closes, all open; what an older one closed is told apart', () => {
  const old = createSeal([one]).close('s3cr3t', place);
  const both = createSeal([two, one]);
  expect(both.open(old, place)).toBe('s3cr3t');
  expect([both.state(old), both.state(both.close('x', place)), both.state('s3cr3t')]).toEqual([
    'old',
    'closed',
    'open',
  ]);
  expect(() => createSeal([two]).open(old, place)).toThrow('none of SECRETS_KEYS');
  expect(() => createSeal([two]).open('s3cr3t', place)).toThrow('none of SECRETS_KEYS');
});

test('there must be a key', () => {
  expect(() => createSeal([])).toThrow('no key');
});
