import { randomBytes } from 'node:crypto';
import { unavailable } from '@cadastre/service/errors';
import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { type AuthClient, answerOf } from '../identify/auth-client.ts';
import { type PendingForm, parsePendingForm } from './pending-form.ts';

/**
 * What users have typed before they go where their form cannot go with them: to the provider's login, or to setting up
 * a second factor. It is stored by auth, which cannot read it; the holder of the key can fetch it once.
 */
export interface PendingForms {
  /** Returns the key. @param address of the client. @throws HttpError 503 when there is no room */
  store(kept: PendingForm, address: string): Promise<string>;
  /** Undefined for a form that does not exist or has expired. */
  take(key: string): Promise<PendingForm | undefined>;
}

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
const OPTIONS = { keyManagementAlgorithms: [HEADER.alg], contentEncryptionAlgorithms: [HEADER.enc] };

export function pendingForms(
  secret: Secret,
  auth: Pick<AuthClient, 'SavePendingForm' | 'TakePendingForm'>,
): PendingForms {
  const cipher = keyFor(secret, 'kept forms');
  return {
    async store(kept, address) {
      const key = randomBytes(24).toString('base64url');
      const text = new TextEncoder().encode(JSON.stringify(kept));
      const content = await new CompactEncrypt(text).setProtectedHeader(HEADER).encrypt(cipher);
      const { saved } = await answerOf(auth.SavePendingForm({ key, content, address }), 'Logins');
      if (!saved) throw unavailable('What you typed cannot be kept at present. Please try again.');
      return key;
    },
    async take(key) {
      const { content } = await answerOf(auth.TakePendingForm({ key }), 'Logins');
      const opened = content === '' ? null : await compactDecrypt(content, cipher, OPTIONS).catch(() => null);
      return opened ? parsePendingForm(new TextDecoder().decode(opened.plaintext)) : undefined;
    },
  };
}
