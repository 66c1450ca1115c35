import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import { forgetCredentials, generateSecrets, keepSecrets } from './secrets.ts';

test('generated secrets satisfy the configuration', () => {
  const config = loadConfig(generateSecrets());
  expect(config.superuserApiToken?.reveal()).toMatch(/^\w{40}$/);
  expect(config.apiTokenPeppers.size).toBe(1);
});

test('they stay the same; the credentials only until they were shown', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadastre-secrets-'));
  const first = keepSecrets(dataDir);
  expect(keepSecrets(dataDir)).toEqual(first);
  forgetCredentials(dataDir);
  const { SERVICE_SECRET, API_TOKEN_PEPPERS } = first;
  expect(keepSecrets(dataDir)).toEqual({ SERVICE_SECRET, API_TOKEN_PEPPERS });
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('a damaged file is told, not replaced', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadastre-secrets-'));
  writeFileSync(join(dataDir, 'secrets.json'), '{"SERVICE_SECRET": ');
  expect(() => keepSecrets(dataDir)).toThrow('restore it from a backup');
});
