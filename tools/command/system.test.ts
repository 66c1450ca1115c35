import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { takeOver } from '../local/supervisor/data/run-file.ts';
import { authorizationOf, systemOf, systemWithToken } from './system.ts';

const folder = mkdtempSync(join(tmpdir(), 'cadastre-system-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const env = { DATA_DIR: folder };

describe('the system that a command is about', () => {
  test('is the one that runs on DATA_DIR, from when it is ready until it stops', async () => {
    expect(() => systemOf({}, env)).toThrow(
      `No system is running on DATA_DIR ${folder} (npm start starts one). Name the system with --url`,
    );
    const file = await takeOver(folder, 8123);
    expect(() => systemOf({}, env)).toThrow('--url');
    file.ready('http://localhost:8123', 'a-token');
    expect(systemOf({}, env)).toEqual({ url: 'http://localhost:8123', token: 'a-token' });
    // It holds a token, so only its owner may read it.
    expect(statSync(join(folder, 'run.json')).mode & 0o777).toBe(0o600);
    file.ended();
    expect(() => systemOf({}, env)).toThrow('--url');
  });
  test('is the one that is named, and then a token from here is not sent there', async () => {
    (await takeOver(folder, 8123)).ready('http://localhost:8123', 'a-token');
    expect(systemOf({ url: 'https://other.example/' }, env)).toEqual({ url: 'https://other.example' });
    expect(systemOf({}, { ...env, CADASTRE_URL: 'http://there:8000', CADASTRE_TOKEN: 't' })).toEqual({
      url: 'http://there:8000',
      token: 't',
    });
    expect(systemOf({ token: 'mine' }, env)).toEqual({ url: 'http://localhost:8123', token: 'mine' });
    expect(() => systemOf({ url: 'localhost:8000' }, env)).toThrow('--url must be an address');
    expect(() => systemWithToken({ url: 'https://other.example/' }, env)).toThrow(
      'A token for https://other.example is needed: give one with --token',
    );
  });
});

test('a token says of which kind it is', () => {
  expect(['0123', 'svc_a.b', 'Bearer x', 'Token x'].map(authorizationOf)).toEqual([
    'Token 0123',
    'Bearer svc_a.b',
    'Bearer x',
    'Token x',
  ]);
});
