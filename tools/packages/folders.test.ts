import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
/** A folder with more is hard to take in at a glance. Tests beside their file are read with it, and do not count. */
const MOST = 15;
/** Folders that may have more, and why. */
const EXCEPTIONS: Record<string, string> = {
  'packages/rest/src': 'each entry is a floor of the package, and their order is in .dependency-cruiser.cjs',
  'services/auth/migrations': 'migrations are found in one folder, and there is one for each change of the tables',
};

/** How many entries a folder and the folders in it have, by path. */
function* counted(folder: string): Generator<[folder: string, entries: number]> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
    ({ name }) => name !== 'node_modules',
  );
  yield [folder, entries.filter(({ name }) => !name.endsWith('.test.ts')).length];
  for (const entry of entries) if (entry.isDirectory()) yield* counted(`${folder}/${entry.name}`);
}
const folders = ['packages', 'services', 'tests', 'tools'].flatMap((part) => [...counted(part)]);

test(`no folder has more than ${MOST} entries besides tests`, () => {
  expect(folders.length).toBeGreaterThan(100);
  const over = folders.filter(([folder, entries]) => entries > MOST && !(folder in EXCEPTIONS));
  expect(over).toEqual([]);
});

test.each(Object.keys(EXCEPTIONS))('%s still needs its exception', (folder) => {
  expect(new Map(folders).get(folder)).toBeGreaterThan(MOST);
});
