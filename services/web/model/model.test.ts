// What pages know of models, looked at for all there are.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { addressesOf, apiPath, webPath } from './addresses.ts';
import { allColumns, titleColumn, usualColumns } from './columns.ts';
import { fieldLabel, pluralLabel, singularLabel } from './labels.ts';
import { widgetsOf } from './widgets.ts';

const catalogue = await loadCatalogue(fileURLToPath(new URL('../..', import.meta.url)));
const models = [...catalogue.models.values()];
const withPages = models.filter((model) => webPath(model) !== undefined);

test('no two lists have the same key, and none that of the home page', () => {
  const keys = models.flatMap(({ prominent }) => prominent?.key ?? []);
  expect(keys.length).toBeGreaterThan(5);
  expect([...keys, 'h'].filter((key, i, all) => all.indexOf(key) !== i || !/^[a-z]$/.test(key))).toEqual([]);
});

describe('addresses', () => {
  const addresses = addressesOf(catalogue);

  test('lead from an object of the API to its page, and from a page to its model', () => {
    for (const model of withPages) {
      expect(addresses.pageOf(`https://host:8000${apiPath(model)}7/`)).toBe(`${webPath(model)}7/`);
      expect(addresses.find(`${webPath(model)}7/edit/`)).toEqual({ model, rest: ['7', 'edit'] });
    }
    expect(new Set(withPages.map(webPath)).size).toBe(withPages.length);
  });

  test('lead nowhere from what is none', () => {
    for (const url of ['', '/api/', '/api/x/y/7/', 'https://evil/?/api/dcim/sites/x/'])
      expect(addresses.pageOf(url)).toBeUndefined();
    expect(addresses.find('/nowhere/')).toBeUndefined();
  });
});

describe.each(withPages.map((model) => [model.name, model] as const))('%s', (_, model) => {
  test('has columns, of which the first leads to the object', () => {
    const usual = usualColumns(model);
    expect(usual[0]).toBe(titleColumn(model));
    expect(new Set(usual).size).toBe(usual.length);
    expect(allColumns(model)).toEqual(expect.arrayContaining(usual));
  });

  test('has a fitting input for each field', () => {
    for (const { kind, of, label, choices } of widgetsOf(model, catalogue)) {
      expect(label).toMatch(/^\S/);
      if (of !== undefined) expect([kind.startsWith('picker'), catalogue.has(of)]).toEqual([true, true]);
      if (kind === 'select' || kind === 'selects') expect(choices.length).toBeGreaterThan(0);
    }
  });
});

test('names are written as people write them', () => {
  expect(['device_type', 'primary_ip4', 'vid', 'asn', 'mac_address', 'device_count'].map(fieldLabel)).toEqual([
    'Device type',
    'Primary IPv4',
    'Vid',
    'ASN',
    'MAC address',
    'Devices',
  ]);
  expect([pluralLabel({ plural: 'IP addresses' }), singularLabel({ label: 'site group' })]).toEqual([
    'IP addresses',
    'Site group',
  ]);
});
