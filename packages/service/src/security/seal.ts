import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Seal } from '@cadastre/model';
import type { Secret } from '../settings/secret.ts';

/** A sealed text that none of the keys opens, or that has been changed. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
// `sealed:1:<which key>:<nonce, ciphertext and tag>`
const FORM = /^sealed:1:([0-9a-f]{16}):([\w-]+)$/;

interface Key {
  id: string;
  bytes: Buffer;
}

const derived = (key: Secret, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key.reveal(), '', `cadastre ${purpose}`, length));
const keyOf = (key: Secret): Key => ({
  id: derived(key, 'name of a key for secrets at rest', 8).toString('hex'),
  bytes: derived(key, 'secrets at rest', 32),
});

/**
 * Encrypts texts for the database with AES-256-GCM. The first key encrypts, all of them decrypt, so that keys can be
 * replaced. `place` says where the text belongs: a text that was copied to another place cannot be decrypted there.
 */
export function createSeal(keys: readonly Secret[]): Seal {
  const known = keys.map(keyOf);
  const [first] = known;
  if (!first) throw new Error('there is no key for secrets');
  return {
    close(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, first.bytes, nonce).setAAD(Buffer.from(place));
      return `sealed:1:${first.id}:${Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`;
    },
    open(sealed, place) {
      const [, id, content] = FORM.exec(sealed) ?? [];
      const key = known.find((each) => each.id === id);
      if (!key) throw new SealError('none of SECRETS_KEYS opens it');
      const bytes = Buffer.from(content!, 'base64url');
      try {
        const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        throw new SealError('it has been changed');
      }
    },
    state: (text) => {
      const id = FORM.exec(text)?.[1];
      return id === undefined ? 'open' : id === first.id ? 'closed' : 'old';
    },
  };
}
