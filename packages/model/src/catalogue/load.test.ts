import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadCatalogue } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));

const declaration = (name: string) =>
  `export const one = { name: '${name}', table: 't', fields: {}, features: new Set(), filters: {}, without: [], brief: [], ordering: [], search: [], unique: [], display: { columns: [] }, app: 'a' };`;
const write = (path: string, content: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};

test('a model is a file in the folder of its service, and nothing else is one', async () => {
  write(
    'town/models/house.ts',
    `${declaration('town.house')} export const helper = () => 1; export const list = ['active']; export const nothing = null;`,
  );
  write('town/models/house.test.ts', 'throw new Error("tests are not loaded");');
  write('town/models/notes.md', '');
  write('town/main.ts', 'throw new Error("only models are loaded");');
  write('gateway/main.ts', '');
  write('people/models/parts/person.ts', declaration('people.person'));
  write('people/models/again.ts', "export { one } from './parts/person.ts';");
  write('README.md', '');
  const catalogue = await loadCatalogue(folder);
  expect([...catalogue.models.keys()].sort()).toEqual(['people.person', 'town.house']);
  expect(catalogue.serviceOf('town.house')).toBe('town');
});
