import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from './once.ts';
import { mayBePrepared } from './prepared.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'once-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the first does it, and all get what it comes to', async () => {
  let made = 0;
  const ask = () =>
    once(join(folder, 'good'), async () => {
      made += 1;
      return `made ${made}`;
    });
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['made 1', 'made 1', 'made 1']);
  expect(await ask()).toBe('made 1');
});

test('where it fails, it fails for all', async () => {
  const ask = () => once(join(folder, 'bad'), () => Promise.reject(new Error('no room')));
  const asked = await Promise.allSettled([ask(), ask()]);
  expect(asked.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    'Error: no room',
    'Error: Error: no room',
  ]);
});

test('a folder that cannot be made is told at once', async () => {
  await expect(once(join(folder, 'not', 'there'), async () => 'made')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what a first start writes down, or looks for elsewhere, wants a start of its own', () => {
  expect(mayBePrepared({ OIDC_ISSUER: 'x', LDAP_URL: 'y', PROCESSES: 'each', DATABASE_URL: '' })).toBe(true);
  for (const name of ['DATABASE_URL', 'DCIM_DATABASE_URL', 'KAFKA_BROKERS', 'SUPERUSER_NAME', 'SECRETS_KEYS'])
    expect([name, mayBePrepared({ [name]: 'x' })]).toEqual([name, false]);
});
