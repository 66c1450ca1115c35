// How the secrets of an installation are used once they have been read: secrets.ts reads, checks and generates them.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../plan/environment.ts';

export type Secrets = {
  readonly SERVICE_SECRET: string;
  readonly API_TOKEN_PEPPERS: string;
  readonly IDENTITY_KEY: string;
  /** The key of each service. */
  readonly SERVICE_KEYS: Readonly<Record<string, string>>;
  readonly SECRETS_KEYS: string;
  readonly FACTOR_KEYS: string;
  /** Generated credentials of the superuser, kept only until they have been shown. */
  readonly SUPERUSER_PASSWORD?: string | undefined;
  readonly SUPERUSER_API_TOKEN?: string | undefined;
};

/** The secrets that are not key pairs. */
export const withoutKeys = ({ IDENTITY_KEY: _identities, SERVICE_KEYS: _services, ...secrets }: Secrets): Environment =>
  secrets;

/** The variable with the private key of one service. */
export const keyOf = ({ SERVICE_KEYS }: Secrets, service: string): Environment => ({
  SERVICE_KEY: SERVICE_KEYS[service],
});

/** Forgets the superuser's credentials once they have been shown; the database has their hashes. */
export function forgetCredentials(
  dataDir: string,
  { SUPERUSER_PASSWORD: _password, SUPERUSER_API_TOKEN: _token, ...secrets }: Secrets,
): void {
  writeSecrets(dataDir, secrets);
}

export function writeSecrets(dataDir: string, secrets: Secrets): void {
  mkdirSync(dataDir, { recursive: true });
  const file = secretsFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

export const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json');
