// Every text on the services' own pages exists in every language, and no translation is unused.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { loadParts } from './parts.ts';
import { labels } from '../ui/texts/de/labels.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folders = ['services/*/pages', 'packages/pages/src/config']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((folder) => existsSync(join(root, folder, 'texts/de.ts')));

test('every title of panels, tabs, pages, buttons and columns is there in German', async () => {
  const { panels, pages, actions, listActions, cells, widgets } = await loadParts(join(root, 'services'));
  const titles = [...panels, ...pages, ...actions, ...listActions, ...cells, ...widgets].flatMap(
    ({ title }) => title ?? [],
  );
  expect(titles.length).toBeGreaterThan(20);
  expect([...new Set(titles)].filter((title) => !(title in labels.titles))).toEqual([]);
});

test.each(folders)('%s: what is translated is said', async (folder) => {
  const { de } = (await import(pathToFileURL(join(root, folder, 'texts/de.ts')).href)) as {
    de: Record<string, string>;
  };
  // Texts that other files of a service use, such as those for a drawing, count as used.
  const from = join(root, folder.replace(/\/pages$/, ''));
  const sources = globSync('**/*.{ts,njk}', { cwd: from, exclude: ['**/texts/**'] })
    .map((name) => readFileSync(join(from, name), 'utf8'))
    .join('\n');
  expect(Object.keys(de).filter((text) => !sources.includes(`'${text}'`))).toEqual([]);
  const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [text, german] of Object.entries(de)) expect([text, places(german)]).toEqual([text, places(text)]);
});

test('what stands below the fields of forms is there in German', async () => {
  const { loadCatalogue } = await import('@cadastre/model');
  const { widgetsOf } = await import('../schema/widgets.ts');
  const { webPath } = await import('@cadastre/model');
  const catalogue = await loadCatalogue(join(root, 'services'));
  const models = [...catalogue.models.values()].filter((model) => webPath(model) !== undefined && !model.readOnly);
  const said = new Set(models.flatMap((model) => widgetsOf(model, catalogue).flatMap(({ help }) => help ?? [])));
  expect([...said].filter((text) => !(text in labels.help))).toEqual([]);
  expect(Object.keys(labels.help).filter((text) => !said.has(text))).toEqual([]);
});

test('choices that are words are those that models declare', async () => {
  const { loadCatalogue } = await import('@cadastre/model');
  const catalogue = await loadCatalogue(join(root, 'services'));
  const declared = new Set(
    [...catalogue.models.values()].flatMap(({ fields }) =>
      Object.values(fields).flatMap(({ choices = [] }) => (choices ?? []).map(({ label }) => label)),
    ),
  );
  expect(Object.keys(labels.choices).filter((label) => !declared.has(label))).toEqual([]);
  // The labels of all states, in all models.
  const states = [...catalogue.models.values()].flatMap(
    ({ fields }) => fields['status']?.choices?.map(({ label }) => label) ?? [],
  );
  expect([...new Set(states)].filter((label) => !(label in labels.choices) && !/^[A-Z]+$/.test(label))).toEqual([]);
});
