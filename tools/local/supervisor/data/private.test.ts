import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepareDataDir } from './data-dir.ts';
import { mendRights } from './private.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rights-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(join(folder, path)).mode & 0o7777).toString(8);

function made(): void {
  for (const name of ['data', 'data/postgres', 'data/media', 'data/other']) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  for (const name of ['data/run.json', 'data/postgres/server.log', 'data/mine.txt']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o644);
  }
}

test.each([
  [false, '700'],
  [true, '711'],
])('what was open to others is closed; another account may pass: %s', (passing, through) => {
  made();
  expect(mendRights(join(folder, 'data'), passing)).toEqual([]);
  expect(['data', 'data/postgres', 'data/media', 'data/run.json', 'data/postgres/server.log'].map(modeOf)).toEqual([
    ...[through, through, '700'],
    ...['600', '600'],
  ]);
  // What is not ours is left alone.
  expect(['data/other', 'data/mine.txt'].map(modeOf)).toEqual(['755', '644']);
  expect(mendRights(join(folder, 'data'), passing)).toEqual([]);
});

test('a folder that others share, and what a link leads to, stays as it is', () => {
  made();
  chmodSync(join(folder, 'data'), 0o1777);
  rmSync(join(folder, 'data/media'), { recursive: true });
  symlinkSync(join(folder, 'data/other'), join(folder, 'data/media'));
  expect(mendRights(join(folder, 'data'), false)).toEqual([join(folder, 'data')]);
  expect(['data', 'data/other', 'data/run.json'].map(modeOf)).toEqual(['1777', '755', '600']);
});

test('a new folder is for its own account, or to be passed through', () => {
  prepareDataDir(join(folder, 'new', 'one'));
  prepareDataDir(join(folder, 'other'), true);
  expect(['new/one', 'other'].map(modeOf)).toEqual(['700', '711']);
});
