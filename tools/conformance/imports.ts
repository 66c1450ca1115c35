// Compares the columns of import pages with those of the reference's import forms: each exists, has the same type,
// refers to objects of the same list by the same attribute, and searches among the same objects.
//   node tools/conformance/imports.ts PATH_OF_IMPORT_COLUMNS_JSON
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Catalogue, loadCatalogue, type Model } from '@cadastre/model';
import { tagsWidget } from '../../services/web/features/form/schema/tagsWidget.ts';
import { calledBy } from '../../services/web/features/import/columns/called.ts';
import { type FileColumn, fileColumns } from '../../services/web/features/import/columns/fileColumns.ts';
import { passedColumns } from '../../services/web/features/import/columns/passed.ts';
import { widgetsOf } from '../../services/web/schema/widgets.ts';

interface Column {
  is?: string;
  of?: string;
  by?: string;
  among?: string[];
}

const [path] = process.argv.slice(2);
if (!path) {
  console.error('usage: node tools/conformance/imports.ts PATH_OF_IMPORT_COLUMNS_JSON');
  process.exit(2);
}
const lists = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, Column>>;
const catalogue = await loadCatalogue(resolve(import.meta.dirname, '../../services'));

/** Columns that search for their objects in another way on purpose, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'dcim/devices platform': 'a platform of another manufacturer is refused by the rules of devices',
  'dcim/devices device_bay': 'a bay lies in its device',
  'dcim/device-bays installed_device': 'it stands at the site of the device of the bay',
  'dcim/inventory-items parent': 'it is an inventory item of the device',
  'circuits/virtual-circuit-terminations interface': 'its id',
};

const modelAt = (list: string): Model | undefined =>
  [...catalogue.models.values()].find((model) => `${model.app}/${model.path}` === list);

/** How a column differs; undefined where it does not. */
function difference(list: string, name: string, said: Column, column: FileColumn, all: Catalogue): string | undefined {
  if (`${list} ${name}` in OTHERWISE) return undefined;
  const { naming, declared, widget } = column;
  const [several, one] = [said.is === 'several', said.is === 'one'];
  if (!several && !one) {
    const isNaming = naming !== undefined && said.of === undefined && !widget;
    return said.is === 'boolean' &&
      !(widget?.kind === 'checkbox' || widget?.kind === 'select' || declared?.is === 'boolean')
      ? 'is no boolean'
      : said.is === 'text' && !isNaming && !widget
        ? 'is no text'
        : undefined;
  }
  if (!naming) return 'names no object';
  if (several !== (widget?.kind === 'pickers')) return several ? 'names one object' : 'names several objects';
  const target = modelAt(said.of!);
  const types = typeof naming.of === 'string' ? [naming.of] : Object.values(naming.of ?? {});
  if (target && types.length && !types.includes(target.name)) return `names ${types.join()}, not ${target.name}`;
  const by = naming.by ?? (target && calledBy(target, all));
  if (target && by !== said.by) return `is found by ${by}, not by ${said.by}`;
  const among = new Set(Object.values({ ...naming.among, ...naming.rather }));
  const lacking = (said.among ?? []).filter((one) => !among.has(one));
  return lacking.length ? `is not looked for among ${lacking.join()}` : undefined;
}

const wrong: string[] = [];
let count = 0;
for (const [list, columns] of Object.entries(lists)) {
  const model = modelAt(list);
  if (!model) continue;
  const form = { own: widgetsOf(model, catalogue), tags: tagsWidget(catalogue), custom: [] };
  const known = fileColumns(form, model, catalogue);
  const passed = passedColumns(model, catalogue);
  for (const [name, said] of Object.entries(columns)) {
    count += 1;
    if (name === 'id' || passed.has(name)) continue;
    const column = known.get(name);
    const different = column ? difference(list, name, said, column, catalogue) : 'is not there';
    if (different !== undefined) wrong.push(`${list}: ${name} ${different}`);
  }
}
console.log(`${count - wrong.length} of ${count} columns of import forms`);
for (const line of wrong) console.error(line);
process.exit(wrong.length ? 1 : 0);
