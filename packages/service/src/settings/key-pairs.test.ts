import { expect, test } from '@jest/globals';
import { testKeys } from '../../../../tools/testing/secrets/keys.ts';
import { loadConfig } from './config.ts';
import { identityKeys, identitySigningKey, serviceKeys, serviceSigningKey } from './key-pairs.ts';
import { newKeyPair } from '../security/new-keys.ts';

const keys = testKeys('gateway', 'dcim');

test('a process without the keys that it needs is told which', () => {
  const none = loadConfig({});
  expect(() => identityKeys(none)).toThrow('IDENTITY_PUBLIC_KEYS is required');
  expect(() => identitySigningKey(none)).toThrow('IDENTITY_KEY is required');
  expect(() => serviceKeys(none)).toThrow('SERVICE_PUBLIC_KEYS is required');
  expect(() => serviceSigningKey(none, 'dcim')).toThrow('SERVICE_KEY is required');
});

test('one whose key others would not know, or would take for that of another, does not start', () => {
  const other = newKeyPair().private;
  expect(() => serviceSigningKey(loadConfig({ ...keys('dcim'), SERVICE_KEY: other }), 'dcim')).toThrow(
    'SERVICE_KEY belongs to none of the SERVICE_PUBLIC_KEYS of dcim',
  );
  expect(() => serviceSigningKey(loadConfig(keys('dcim')), 'gateway')).toThrow(
    'SERVICE_KEY belongs to none of the SERVICE_PUBLIC_KEYS of gateway',
  );
  expect(() => identitySigningKey(loadConfig({ ...keys('gateway'), IDENTITY_KEY: other }))).toThrow(
    'IDENTITY_KEY belongs to none of the IDENTITY_PUBLIC_KEYS',
  );
});

test('a service has two public keys while it changes its key', () => {
  const config = loadConfig(keys('dcim'));
  const next = newKeyPair();
  const given = JSON.parse(keys('dcim')['SERVICE_PUBLIC_KEYS']!) as Record<string, string>;
  const both = JSON.stringify({ ...given, dcim: [given['dcim'], next.public] });
  const changed = loadConfig({ SERVICE_KEY: next.private, SERVICE_PUBLIC_KEYS: both });
  const [before, after] = [serviceSigningKey(config, 'dcim').kid, serviceSigningKey(changed, 'dcim').kid];
  expect(before).not.toBe(after);
  expect([before, after].map((kid) => serviceKeys(changed).get(kid)?.owner)).toEqual(['dcim', 'dcim']);
});
