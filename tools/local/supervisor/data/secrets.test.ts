import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import { identityKeys, identitySigningKey, serviceKeys, serviceSigningKey } from '@cadastre/service/key-pairs';
import { forgetCredentials, keyOf } from './kept-secrets.ts';
import { generateSecrets, keepSecrets, sharedKeys } from './secrets.ts';

const services = ['auth', 'dcim', 'gateway'];
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cadastre-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('generated secrets satisfy the configuration', () => {
  const secrets = generateSecrets(services);
  const { SERVICE_KEYS: _, ...variables } = secrets;
  const config = loadConfig({ ...variables, ...sharedKeys(secrets), ...keyOf(secrets, 'gateway') });
  expect(config.superuserApiToken?.reveal()).toMatch(/^\w{40}$/);
  expect(config.apiTokenPeppers.size).toBe(1);
  expect([
    identitySigningKey(config).kid,
    serviceSigningKey(config, 'gateway').kid,
    [...serviceKeys(config).values()].map(({ owner }) => owner),
  ]).toEqual([[...identityKeys(config).keys()][0], expect.stringMatching(/^gateway\./), services]);
});

test('a service gets its own private key and no other', () => {
  const secrets = generateSecrets(services);
  const given = { ...keyOf(secrets, 'dcim'), ...sharedKeys(secrets), IDENTITY_KEY: '' };
  expect(given).toMatchObject({ SERVICE_KEY: secrets.SERVICE_KEYS['dcim'] });
  const others = [secrets.IDENTITY_KEY, secrets.SERVICE_KEYS['gateway']!, secrets.SERVICE_KEYS['auth']!];
  for (const key of others) expect(JSON.stringify(given)).not.toContain(key);
});

test('they stay the same; the credentials only until they were shown', () => {
  const first = keepSecrets(dataDir, services);
  expect(keepSecrets(dataDir, services)).toEqual(first);
  forgetCredentials(dataDir, first);
  const { SUPERUSER_PASSWORD: _password, SUPERUSER_API_TOKEN: _token, ...kept } = first;
  expect(keepSecrets(dataDir, services)).toEqual(kept);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('an installation from before there were keys gets them, as does a service that is new', () => {
  const before = { SERVICE_SECRET: 's'.repeat(48), API_TOKEN_PEPPERS: '{}' };
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(before));
  const first = keepSecrets(dataDir, ['gateway']);
  expect(first).toMatchObject({
    ...before,
    SECRETS_KEYS: expect.stringMatching(/^.{32,}$/),
    FACTOR_KEYS: expect.stringMatching(/^.{32,}$/),
  });
  const { SERVICE_KEYS: more, ...rest } = keepSecrets(dataDir, services);
  const { SERVICE_KEYS, ...same } = first;
  expect(rest).toEqual(same);
  expect([Object.keys(more).sort(), more['gateway']]).toEqual([services, SERVICE_KEYS['gateway']]);
});

test('a damaged file is told, not replaced', () => {
  writeFileSync(join(dataDir, 'secrets.json'), '{"SERVICE_SECRET": ');
  expect(() => keepSecrets(dataDir, services)).toThrow('restore it from a backup');
});
