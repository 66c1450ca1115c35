import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Installation, installation } from '../testing/installation.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const SITES = '/api/dcim/sites/';
const folder = mkdtempSync(join(tmpdir(), 'cadastre-compare-'));
let there: Installation;
let here: Installation;

beforeAll(async () => {
  there = await installation({ token: 'theirs', lists: { [SITES]: [{ id: 1, name: 'a' }] } });
  here = await installation({ token: 'ours', lists: { [SITES]: [{ id: 1, name: 'b' }] } });
});
afterAll(async () => {
  await Promise.all([there.close(), here.close()]);
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATA_DIR: folder };
    execFile(process.execPath, [program, ...words], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });

test('ends with 0 when both have the same, with 1 when they differ, and writes what it found', async () => {
  const same = await run('--from', there.base, '--token', 'theirs', '--to', there.base, '--to-token', 'theirs');
  expect([same.code, same.out]).toEqual([0, expect.stringContaining('Both have the same: 1 objects in 1 lists.')]);
  const file = join(folder, 'report.json');
  const both = ['--from', there.base, '--token', 'theirs', '--to', here.base, '--to-token', 'ours'];
  const other = await run(...both, '--report', file);
  expect([other.code, other.out]).toEqual([1, expect.stringContaining('"a" → "b"')]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ list: SITES, different: 1 }]);
  expect((await run(...both, '--ignore', 'name')).code).toBe(0);
});

test.each<[string, () => string[], RegExp]>([
  ['no source', () => [], /--from must say/],
  ['a source without a token', () => ['--from', there.base], /A token for .* is needed: give one with --token/],
  ['no system here', () => ['--from', there.base, '--token', 'theirs'], /No system is running .* with --to, for/],
  [
    'a wrong token',
    () => ['--from', there.base, '--token', 'x', '--to', here.base, '--to-token', 'ours'],
    /was answered with 401/,
  ],
  [
    'no number',
    () => ['--from', there.base, '--token', 'x', '--parallel', 'many'],
    /--parallel must be a number, not many/,
  ],
  ['an unknown option', () => ['--fast'], /fast/],
])('ends with 2 and a reason: %s', async (_, words, reason) => {
  const { code, err } = await run(...words());
  expect([code, err]).toEqual([2, expect.stringMatching(reason)]);
});
