import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from './once.ts';
import { copyPrepared, mayBePrepared } from './prepared.ts';

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

test('runs that name the same folder begin with the same data, made once; one that cannot be used is told', async () => {
  const before = process.env['CADASTRE_TEST_PREPARED'];
  let made = 0;
  const begin = async (shared: string): Promise<string> => {
    process.env['CADASTRE_TEST_PREPARED'] = shared;
    const data = mkdtempSync(join(folder, 'data-'));
    await copyPrepared(data, async (first) => writeFileSync(join(first, 'text'), `made ${++made}`));
    return readFileSync(join(data, 'text'), 'utf8');
  };
  try {
    const [one, other] = ['one-', 'other-'].map((name) => mkdtempSync(join(folder, name)));
    expect([await begin(one!), await begin(one!), await begin(other!)]).toEqual(['made 1', 'made 1', 'made 2']);
    await expect(begin(join(folder, 'not', 'there'))).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    if (before === undefined) delete process.env['CADASTRE_TEST_PREPARED'];
    else process.env['CADASTRE_TEST_PREPARED'] = before;
  }
});
