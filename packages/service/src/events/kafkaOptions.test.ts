import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadConfig } from '../settings/config.ts';
import { kafkaOptions } from './kafkaOptions.ts';

const optionsOf = (env: Record<string, string>) =>
  kafkaOptions('dcim', loadConfig({ KAFKA_BROKERS: 'a:9092,b:9093', ...env }));
let folder: string;
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kafka-options-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('without more: brokers, and topics as the settings are by default', () => {
  expect(optionsOf({})).toEqual({
    brokers: ['a:9092', 'b:9093'],
    clientId: 'cadastre-dcim',
    partitions: 6,
    retention: 7 * 24 * 3600 * 1000,
    stall: 30_000,
  });
});

test('the time within which brokers must answer', () => {
  expect(optionsOf({ EVENT_LOG_TIMEOUT_MS: '5000' })).toMatchObject({ stall: 5_000 });
});

test('topics as they are asked for', () => {
  expect(
    optionsOf({ EVENT_PARTITIONS: '12', EVENT_RETENTION_HOURS: '2', KAFKA_REPLICATION_FACTOR: '3' }),
  ).toMatchObject({ partitions: 12, retention: 7_200_000, replicationFactor: 3 });
});

test.each(['plain', 'SCRAM-SHA-256', 'scram-sha-512'])('a name and a password by %s', (mechanism) => {
  expect(
    optionsOf({ KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'it is me' }),
  ).toMatchObject({ sasl: { mechanism: mechanism.toLowerCase(), username: 'me', password: 'it is me' } });
});

test('TLS by the authorities that Node knows, or by one of our own, with a certificate of the client', () => {
  expect(optionsOf({ KAFKA_TLS: 'true' }).ssl).toBe(true);
  const ca = '-----BEGIN CERTIFICATE-----\nca';
  const cert = '-----BEGIN CERTIFICATE-----\ncert';
  const key = '-----BEGIN PRIVATE KEY-----\nkey';
  expect(optionsOf({ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: file('ca', ca) }).ssl).toEqual({ ca });
  expect(
    optionsOf({ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: file('cert', cert), KAFKA_TLS_KEY_FILE: file('key', key) }).ssl,
  ).toEqual({ cert, key });
});

test('a file that is of no use is named by its variable', () => {
  expect(() => optionsOf({ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: join(folder, 'absent') })).toThrow(
    'KAFKA_TLS_CA_FILE cannot be read: ENOENT',
  );
  expect(() => optionsOf({ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: file('text', 'no certificate') })).toThrow(
    'KAFKA_TLS_CA_FILE must name a file in PEM form',
  );
});
