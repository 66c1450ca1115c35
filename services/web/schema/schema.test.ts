// Checks of what the pages derive from models, for all models.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { apiPath, loadCatalogue, type Model, webPath } from '@cadastre/model';
import { addressesOf, pagesOf } from './addresses.ts';
import { allColumns, titleColumn, usualColumns } from './columns.ts';
import { LANGUAGES } from '../ui/texts/texts.ts';
import { speaking } from '../ui/texts/speaking.ts';
import { groupsOf, groupTitles } from './groups.ts';
import { fieldLabel, pluralLabel, singularLabel } from './labels.ts';
import { within } from '../ui/texts/within.ts';
import { shownFields } from './members.ts';
import { widgetsOf } from './widgets.ts';

const [english] = LANGUAGES;
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

test('columns and groups that models declare are fields of theirs, each in one group', () => {
  for (const model of models) {
    const { name, fields } = model;
    const pages = pagesOf(model);
    const grouped = Object.values(pages.groups ?? {}).flat();
    for (const field of [...(pages.columns ?? []), ...grouped])
      expect([name, field, field in fields]).toEqual([name, field, true]);
    expect([name, grouped.length]).toEqual([name, new Set(grouped).size]);
  }
});

describe('groups', () => {
  const titlesOf = (model: Model) =>
    groupsOf(
      model,
      shownFields(model).map(([name]) => ({ name })),
    ).map(({ title }) => title);

  test('begin with what the object is, and end with what all have', () => {
    expect(titlesOf(catalogue.get('dcim.device'))).toEqual([
      undefined,
      'Location',
      'Hardware',
      'Management',
      'Clusters',
      'Tenancy',
      'Data',
      'Comments',
    ]);
    expect(titlesOf(catalogue.get('tenancy.tenantgroup'))).toEqual([undefined, 'Tenancy', 'Comments']);
  });

  test('leave nothing out, and show nothing twice', () => {
    for (const model of models) {
      const names = shownFields(model).map(([name]) => name);
      const shown = groupsOf(
        model,
        names.map((name) => ({ name })),
      ).flatMap(({ members }) => members.map(({ name }) => name));
      expect(shown.toSorted()).toEqual(names.toSorted());
    }
  });
});

describe('names in another language', () => {
  const german = LANGUAGES.find(({ code }) => code === 'de')!;
  const labelsOf = () => models.map((model) => [singularLabel(model), pluralLabel(model)]);

  test('are said for who reads it, and for nobody else', () => {
    const device = catalogue.get('dcim.device');
    const said = () => [
      singularLabel(device),
      pluralLabel(device),
      ...['site', 'device_count', 'status'].map(fieldLabel),
      within('Gerät'),
    ];
    expect(speaking(german, 'de', said)).toEqual(['Gerät', 'Geräte', 'Standort', 'Geräte', 'Status', 'Gerät']);
    expect(said().slice(0, 5)).toEqual(['Device', 'Devices', 'Site', 'Devices', 'Status']);
    const widget = () => widgetsOf(device, catalogue).find(({ name }) => name === 'serial')!.label;
    expect([widget(), speaking(german, 'de', widget), widget()]).toEqual(['Serial', 'Seriennummer', 'Serial']);
  });

  test('are there for every title, and stand for what there is', () => {
    const { titles, fields, models: named } = german.labels;
    expect([...groupTitles(models)].filter((title) => !(title in titles))).toEqual([]);
    const labels = new Set(models.map(({ label }) => label));
    expect(Object.keys(named).filter((label) => !labels.has(label) && label !== 'tags')).toEqual([]);
    const all = new Set(['display', ...models.flatMap((model) => Object.keys(model.fields))]);
    expect(Object.keys({ ...fields, ...english.labels.fields }).filter((name) => !all.has(name))).toEqual([]);
    expect(
      labelsOf()
        .flat()
        .every((label) => /^\S/.test(label)),
    ).toBe(true);
  });
});

describe.each(withPages.map((model) => [model.name, model] as const))('%s', (_, model) => {
  test('has columns, of which the first leads to the object', () => {
    const usual = usualColumns(model);
    expect(usual[0]).toBe(titleColumn(model));
    expect(new Set(usual).size).toBe(usual.length);
    expect(allColumns(model)).toEqual(expect.arrayContaining([...usual]));
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
    'VLAN ID',
    'ASN',
    'MAC address',
    'Devices',
  ]);
  expect([pluralLabel({ plural: 'IP addresses' }), singularLabel({ label: 'site group' })]).toEqual([
    'IP addresses',
    'Site group',
  ]);
});
