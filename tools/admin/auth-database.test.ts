import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { authDatabase } from './auth-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'cadastre-by-hand-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('it is the one that the services are told, else that of the PostgreSQL on DATA_DIR', () => {
  expect(authDatabase({ DATABASE_URL: 'postgres://u:p@db:5432/any' })).toBe('postgres://u:p@db:5432/cadastre_auth');
  const own = 'postgres://a:b@other/accounts';
  expect(authDatabase({ DATABASE_URL: 'postgres://u:p@db/any', AUTH_DATABASE_URL: own })).toBe(own);
  const none = /No system is running on DATA_DIR .* set DATABASE_URL/;
  expect(() => authDatabase({ DATA_DIR: folder })).toThrow(none);
  mkdirSync(join(folder, 'postgres', 'cluster'), { recursive: true });
  writeFileSync(join(folder, 'postgres', 'password'), 'of-the-cluster\n');
  expect(() => authDatabase({ DATA_DIR: folder })).toThrow(none);
  writeFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), '1234\n/cluster\n1700000000\n54321\n/cluster\n');
  const url = new URL(authDatabase({ DATA_DIR: folder }));
  expect([url.username, url.password, url.port, url.pathname]).toEqual([
    'postgres',
    'of-the-cluster',
    '54321',
    '/cadastre_auth',
  ]);
});
