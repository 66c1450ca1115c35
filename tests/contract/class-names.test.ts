import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';

const catalogue = await loadCatalogue(fileURLToPath(new URL('../../services', import.meta.url)));

test('the class of a model is called as the model is, and no two are called the same', () => {
  const names = [...catalogue.models.values()].map(({ name, className }) => [name.split('.')[1], className] as const);
  expect(names.filter(([short, className]) => className.toLowerCase() !== short)).toEqual([]);
  expect(new Set(names.map(([, className]) => className)).size).toBe(names.length);
});
