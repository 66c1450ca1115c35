import { opened, placeOf, type Seal } from '@cadastre/model';
import type { Webhook } from '../http/webhook.ts';
import { webhook as model } from '../models/webhook.ts';
import type { Whole } from '../models/credentials.ts';

/** A webhook as stored in its row, with its secrets encrypted. */
export interface StoredWebhook extends Omit<Webhook, 'secrets' | 'credentials' | 'unreadable'> {
  secrets: Record<string, string>;
  credentials: string;
}

const none: Pick<Seal, 'state' | 'open'> = {
  state: () => 'open',
  open: () => {
    throw new Error('there is no key');
  },
};

/**
 * A webhook with its secrets decrypted. Where they cannot be read it says so, and nothing is sent: a message without
 * them would be a different one.
 */
export function decryptedWebhook(
  { secret, secrets, credentials, ...row }: StoredWebhook,
  seal: Pick<Seal, 'state' | 'open'> = none,
  warn: (message: string, details: Record<string, unknown>) => void,
): Webhook {
  // Values that no process has encrypted yet are read as they are.
  const read = (field: 'secret' | 'secrets' | 'credentials', cell: string) =>
    opened(model.fields[field]!, cell, placeOf(model.name, field), {
      close: () => '',
      state: seal.state,
      open: (text, place) => (seal.state(text) === 'open' ? text : seal.open(text, place)),
    });
  try {
    const whole = read('credentials', credentials)[''];
    return {
      ...row,
      secret: read('secret', secret)[''] ?? '',
      secrets: read('secrets', JSON.stringify(secrets)),
      credentials: whole === undefined ? {} : (JSON.parse(whole) as Whole),
    };
  } catch (error) {
    warn('the secrets of a webhook cannot be read', { webhook: row.name, error: (error as Error).message });
    return {
      ...row,
      secret: '',
      unreadable: 'The secrets of the webhook cannot be read: none of SECRETS_KEYS opens them',
    };
  }
}
