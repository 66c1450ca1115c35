import { createPublicKey, randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readPrivateKey } from '@cadastre/service/key-pairs';
import { newKeyPair } from '@cadastre/service/new-keys';
import { z } from 'zod';
import type { Environment } from '../plan/environment.ts';
import { type Secrets, secretsFile, writeSecrets } from './kept-secrets.ts';

const shape: z.ZodType<Secrets> = z.object({
  SERVICE_SECRET: z.string().min(32),
  API_TOKEN_PEPPERS: z.string(),
  IDENTITY_KEY: z.string(),
  SERVICE_KEYS: z.record(z.string(), z.string()),
  SECRETS_KEYS: z.string().min(32),
  FACTOR_KEYS: z.string().min(32),
  SUPERUSER_PASSWORD: z.string().optional(),
  SUPERUSER_API_TOKEN: z.string().optional(),
});

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const letters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

/** New secrets for an installation of these services. */
export function generateSecrets(services: readonly string[]): Secrets {
  return {
    SERVICE_SECRET: randomBytes(36).toString('base64url'),
    API_TOKEN_PEPPERS: JSON.stringify({ 1: randomBytes(48).toString('base64url') }),
    IDENTITY_KEY: newKeyPair().private,
    SERVICE_KEYS: Object.fromEntries(services.map((name) => [name, newKeyPair().private])),
    SECRETS_KEYS: randomBytes(36).toString('base64url'),
    FACTOR_KEYS: randomBytes(36).toString('base64url'),
    SUPERUSER_PASSWORD: letters(16),
    SUPERUSER_API_TOKEN: letters(40),
  };
}

/**
 * The secrets of an installation: those stored in its DATA_DIR, or new ones, stored from now on. Missing keys are
 * added.
 */
export function keepSecrets(dataDir: string, services: readonly string[]): Secrets {
  const file = secretsFile(dataDir);
  const fresh = generateSecrets(services);
  if (!existsSync(file)) writeSecrets(dataDir, fresh);
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>;
    const { IDENTITY_KEY, SECRETS_KEYS, FACTOR_KEYS, SERVICE_KEYS } = fresh;
    const secrets = shape.parse({
      IDENTITY_KEY,
      SECRETS_KEYS,
      FACTOR_KEYS,
      ...kept,
      SERVICE_KEYS: { ...SERVICE_KEYS, ...kept.SERVICE_KEYS },
    });
    for (const key of keysOf(secrets)) readPrivateKey(key);
    if (JSON.stringify(secrets) !== JSON.stringify(kept)) writeSecrets(dataDir, secrets);
    return secrets;
  } catch (error) {
    throw new Error(
      `${file} cannot be read. It holds the secrets that this installation's tokens, webhooks and second factors depend on; restore it from a backup. (${(error as Error).message.split('\n')[0]})`,
    );
  }
}

const keysOf = ({ IDENTITY_KEY, SERVICE_KEYS }: Secrets): string[] => [IDENTITY_KEY, ...Object.values(SERVICE_KEYS)];
const publicOf = (key: string): string =>
  createPublicKey(readPrivateKey(key)).export({ type: 'spki', format: 'der' }).toString('base64');

/** The keys that processes get of these: the private one of identities, for those that may have it, and all public ones. */
export function sharedKeys({ IDENTITY_KEY, SERVICE_KEYS }: Secrets): Environment {
  return {
    IDENTITY_KEY,
    SERVICE_PUBLIC_KEYS: JSON.stringify(
      Object.fromEntries(Object.entries(SERVICE_KEYS).map(([name, key]) => [name, publicOf(key)])),
    ),
    IDENTITY_PUBLIC_KEYS: publicOf(IDENTITY_KEY),
  };
}
