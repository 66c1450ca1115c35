import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountsInFile } from './file.ts';

const SECRET = 'TEST-VALUE-DO-NOT-USE';
const user = {
  kind: 'user',
  id: 1,
  username: 'ann',
  password: `pbkdf2_sha256$1$salt$${SECRET}`,
  is_superuser: false,
  is_active: true,
  first_name: '',
  last_name: '',
  email: '',
  date_joined: '2026-01-31T08:00:00+00:00',
  last_login: null,
  config: { tables: { DeviceTable: { columns: ['name'] } } },
};
const token = {
  kind: 'token',
  id: 2,
  user_id: 1,
  version: 2,
  key: 'abc',
  plaintext: null,
  hmac_digest: SECRET,
  pepper_id: 1,
  enabled: true,
  write_enabled: true,
  description: '',
  created: '2026-01-31T08:00:00+00:00',
  expires: null,
  last_used: null,
  allowed_ips: null,
};
const head = (users: number, tokens: number) => ({ kind: 'accounts', quote: '"', users, tokens });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accounts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a file with the given lines: texts as they are, objects as JSON. */
async function readBack(...lines: (string | object)[]): Promise<unknown[]> {
  const path = join(folder, 'accounts.jsonl');
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return Array.fromAsync(accountsInFile(path));
}

test('users and tokens are read as they stand there', async () => {
  expect(await readBack(head(1, 1), user, { ...token, more: 'than is needed' }, '', '')).toEqual([user, token]);
  expect(await readBack(head(0, 0))).toEqual([]);
});

test('of an earlier version of the statement nobody has preferences', async () => {
  const { config: _, ...earlier } = user;
  expect(await readBack(head(1, 0), earlier)).toEqual([{ ...user, config: null }]);
});

test('what COPY wrote, with each backslash twice, is read as well', async () => {
  const named = { ...user, username: 'a "b" \\c', last_name: 'two\nlines' };
  const lines = [head(1, 1), named, token].map((line) => JSON.stringify(line).replaceAll('\\', '\\\\'));
  expect(await readBack(...lines)).toEqual([named, token]);
});

test.each<[string, (string | object)[], RegExp]>([
  ['is something else', [' id | username', user], /line 1: this is not what --accounts-query prints a statement for/],
  ['is empty', [''], /accounts\.jsonl is empty/],
  ['is cut off in a line', [head(1, 1), user, JSON.stringify(token).slice(0, -9)], /line 3: this is no JSON/],
  ['is cut off between lines', [head(2, 1), user], /is not complete: it has 1 of 2 users and 0 of 1 tokens/],
  ['lacks a password', [head(1, 0), { ...user, password: undefined }], /line 2: password: /],
  ['has a user without a name', [head(1, 0), { ...user, username: '' }], /line 2: username: /],
  ['has a token of a version that there is not', [head(0, 1), { ...token, version: 3 }], /line 2: version: /],
  ['has a digest that is no text', [head(0, 1), { ...token, hmac_digest: [SECRET] }], /line 2: hmac_digest: /],
  ['has a line of another kind', [head(0, 1), { ...token, kind: SECRET }], /line 2: kind: /],
  ['has one endless line', [head(1, 0), SECRET.repeat(100_000)], /cannot be read: it has a line that is too long/],
])('a file that %s is refused, and no secret is told', async (_, lines, message) => {
  const refused = await readBack(...lines).catch((error: Error) => error);
  expect(String(refused)).toMatch(message);
  expect(String(refused)).not.toContain('TEST-VALUE');
});

test('the message about a missing file names it', async () => {
  await expect(Array.fromAsync(accountsInFile(join(folder, 'none')))).rejects.toThrow(/none cannot be read: ENOENT/);
});
