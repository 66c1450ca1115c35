import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { allColumns, usualColumns } from './columns.ts';

test('every model has columns, and those that it declares are its own', async () => {
  const catalogue = await loadCatalogue(fileURLToPath(new URL('../..', import.meta.url)));
  for (const model of catalogue.models.values()) {
    const all = allColumns(model);
    expect([model.name, usualColumns(model).filter((name) => !all.includes(name))]).toEqual([model.name, []]);
    expect(new Set(usualColumns(model)).size).toBe(usualColumns(model).length);
  }
  expect(usualColumns(catalogue.get('dcim.device'))[1]).toBe('status');
});
