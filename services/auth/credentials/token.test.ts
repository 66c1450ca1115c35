import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { checksum, checksumsOf, defaultVersion, digest, newToken, proves } from './token.ts';

const peppers = new Map([
  [1, new Secret('a'.repeat(50))],
  [10, new Secret('b'.repeat(50))],
  [2, new Secret('c'.repeat(50))],
]);

describe('tokens', () => {
  test('v1 is 40 letters and digits, stored as a checksum and its end', () => {
    const { plaintext, stored } = newToken(1, peppers);
    expect(plaintext).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(stored).toEqual({
      version: 1,
      key: null,
      checksum: checksum(plaintext, peppers.get(10)),
      ending: plaintext.slice(-6),
      hmac_digest: null,
      pepper_id: null,
    });
    expect(JSON.stringify(stored)).not.toContain(plaintext);
    expect(newToken(1, new Map(), 'x'.repeat(40)).stored.checksum).toBe(
      createHash('sha256').update('x'.repeat(40)).digest('hex'),
    );
    expect(checksumsOf(plaintext, peppers)).toEqual(
      expect.arrayContaining([
        checksum(plaintext),
        ...[...peppers.values()].map((pepper) => checksum(plaintext, pepper)),
      ]),
    );
  });

  test('v2 is stored as a digest with the pepper of the highest number', () => {
    const { plaintext, stored } = newToken(2, peppers);
    expect(plaintext).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(stored).toEqual({
      version: 2,
      key: expect.stringMatching(/^[A-Za-z0-9]{12}$/),
      checksum: null,
      ending: null,
      hmac_digest: digest(plaintext, peppers.get(10)!),
      pepper_id: 10,
    });
    expect(JSON.stringify(stored)).not.toContain(plaintext);
    expect(() => newToken(2, new Map())).toThrow('API_TOKEN_PEPPERS');
    expect([defaultVersion(peppers), defaultVersion(new Map())]).toEqual([2, 1]);
  });

  test('a digest is HMAC-SHA256 in hexadecimal', () => {
    // RFC 4231, test case 2.
    expect(digest('what do ya want for nothing?', new Secret('Jefe'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  test('only the right token proves itself, and only while its pepper is known', () => {
    const { plaintext, stored } = newToken(2, peppers);
    expect(proves(plaintext, stored, peppers)).toBe(true);
    for (const wrong of ['', `${plaintext}x`, plaintext.slice(1), plaintext.toUpperCase()])
      expect(proves(wrong, stored, peppers)).toBe(false);
    expect(proves(plaintext, stored, new Map())).toBe(false);
    expect(proves(plaintext, { ...stored, pepper_id: 1 }, peppers)).toBe(false);
    expect(proves(plaintext, { hmac_digest: null, pepper_id: 1 }, peppers)).toBe(false);
  });
});
