import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const shape = z.object({
  SERVICE_SECRET: z.string().min(32),
  API_TOKEN_PEPPERS: z.string(),
  /** Generated credentials of the superuser, kept only until they have been shown. */
  SUPERUSER_PASSWORD: z.string().optional(),
  SUPERUSER_API_TOKEN: z.string().optional(),
});
export type Secrets = z.infer<typeof shape>;

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const letters = (count: number): string => Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

/** New secrets for an installation. */
export function generateSecrets(): Secrets {
  return {
    SERVICE_SECRET: randomBytes(36).toString('base64url'),
    API_TOKEN_PEPPERS: JSON.stringify({ 1: randomBytes(48).toString('base64url') }),
    SUPERUSER_PASSWORD: letters(16),
    SUPERUSER_API_TOKEN: letters(40),
  };
}

/** The secrets of an installation: those kept in its DATA_DIR, or new ones, kept from now on. */
export function keepSecrets(dataDir: string): Secrets {
  const file = secretsFile(dataDir);
  if (!existsSync(file)) writeSecrets(dataDir, generateSecrets());
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} cannot be read. It holds the secrets that this installation's tokens depend on; restore it from a backup. (${(error as Error).message.split('\n')[0]})`);
  }
}

/** Forgets the superuser's credentials once they have been shown; the database has their hashes. */
export function forgetCredentials(dataDir: string): void {
  const { SERVICE_SECRET, API_TOKEN_PEPPERS } = keepSecrets(dataDir);
  writeSecrets(dataDir, { SERVICE_SECRET, API_TOKEN_PEPPERS });
}

function writeSecrets(dataDir: string, secrets: Secrets): void {
  mkdirSync(dataDir, { recursive: true });
  const file = secretsFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json');
