import { describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const fields = '/api/extras/custom-fields/';
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};
const word = (prefix: string) => unique(prefix).replaceAll('-', '_');
const field = (name: string, type: string, more: object = {}) =>
  used.admin.make(fields, { name, type, object_types: ['dcim.site'], ...more });
const set = (choices: [string, string][]) =>
  used.admin.make('/api/extras/custom-field-choice-sets/', { name: unique('set'), extra_choices: choices });

/**
 * For each type: what is accepted, what not, and filters with the letters of the sites that they find (a has the first
 * value, b the second, c none).
 */
const types: [
  type: string,
  good: [unknown, unknown],
  bad: unknown[],
  filters: [lookup: string, value: unknown, found: string][],
  more?: object,
][] = [
  [
    'text',
    ['Alpha', 'beta'],
    [1, ['x'], {}],
    [
      ['', 'LPH', 'a'],
      ['', 'null', 'c'],
      ['__n', 'null', 'ab'],
      ['__n', 'Alpha', 'bc'],
      ['__ic', 'ET', 'b'],
      ['__isw', 'al', 'a'],
      ['__regex', '^A', 'a'],
      ['__empty', true, 'c'],
    ],
  ],
  [
    'longtext',
    ['Line\nline', 'other'],
    [1, true],
    [
      ['', 'line', 'a'],
      ['__empty', false, 'ab'],
    ],
  ],
  [
    'integer',
    [5, -7],
    [1.5, 'x', true, 2 ** 60, 101],
    [
      ['', 5, 'a'],
      ['', 'null', 'c'],
      ['', ['null', 5], 'ac'],
      ['__n', ['null', 5], 'b'],
      ['__lt', 0, 'b'],
      ['__gte', -7, 'ab'],
      ['__n', 5, 'bc'],
      ['__empty', true, 'c'],
    ],
    { validation_minimum: -100, validation_maximum: 100 },
  ],
  [
    'decimal',
    [1.5, -2],
    ['x', true, []],
    [
      ['', '1.5', 'a'],
      ['__gt', -2, 'a'],
      ['__lte', '-2.0', 'b'],
      ['__empty', true, 'c'],
    ],
  ],
  [
    'boolean',
    [true, false],
    ['x', 5, []],
    [
      ['', 'true', 'a'],
      ['', 'false', 'b'],
      ['', 'null', 'c'],
      ['', ['maybe', 'null'], 'c'],
    ],
  ],
  [
    'date',
    ['2026-02-28', '2027-01-01'],
    ['2026-02-30', '28.2.2026', 5],
    [
      ['', '2026-02-28', 'a'],
      ['', 'null', 'c'],
      ['__gt', '2026-06-01', 'b'],
      ['__empty', true, 'c'],
    ],
  ],
  [
    'datetime',
    ['2026-02-28T12:00:00Z', '2027-01-01 00:00:00'],
    ['now', '2026-02-28T25:00:00Z', 5],
    [
      ['', '2026-02-28T12:00:00Z', 'a'],
      ['__gte', '2026-06-01T00:00:00Z', 'b'],
    ],
  ],
  [
    'url',
    ['https://a.example/x', 'http://b.example'],
    [5, []],
    [
      ['', 'a.example', 'a'],
      ['__iew', 'EXAMPLE', 'b'],
    ],
  ],
  ['json', [{ a: [1] }, [1, 2]], [], [['__empty', true, 'c']]],
  [
    'select',
    ['gold', 'tin'],
    ['lead', 5, ['gold']],
    [
      ['', 'gold', 'a'],
      ['', ['null', 'tin'], 'bc'],
      ['__n', 'gold', 'bc'],
      ['__ic', 'IN', 'b'],
    ],
  ],
  [
    'multiselect',
    [['gold', 'tin'], ['tin']],
    ['gold', ['lead'], [5]],
    [
      ['', 'gold', 'a'],
      ['', 'tin', 'ab'],
      ['__n', 'gold', 'bc'],
      ['', 'null', 'c'],
      ['', ['null', 'gold'], 'ac'],
      ['__empty', true, 'c'],
      ['__empty', false, 'ab'],
    ],
  ],
];

describe('each type', () => {
  test.each(types)('%s', async (type, good, bad, filters, more = {}) => {
    const choices = type.endsWith('select')
      ? {
          choice_set: (
            await set([
              ['gold', 'Gold'],
              ['tin', 'Tin'],
            ])
          ).id,
        }
      : {};
    const name = word(type);
    const mark = unique('cf');
    await field(name, type, { ...more, ...choices });
    const make = (letter: string, value: unknown) =>
      used.admin.make(sites, {
        name: `${mark}-${letter}`,
        slug: `${mark}-${letter}`,
        ...(value === undefined ? {} : { custom_fields: { [name]: value } }),
      });
    const [a, b, c] = [await make('a', good[0]), await make('b', good[1]), await make('c', undefined)];
    const shown = (value: unknown) => (type === 'datetime' ? String(value).replace(' ', 'T') : value);
    expect([a, b, c].map((s: Body) => s.custom_fields[name])).toEqual([shown(good[0]), shown(good[1]), null]);
    expect((await used.admin.read(`${sites}${a.id}/`)).custom_fields[name]).toEqual(shown(good[0]));
    for (const value of bad) {
      const { status, body } = await used.admin.patch(`${sites}${a.id}/`, { custom_fields: { [name]: value } });
      expect([value, status, body]).toEqual([value, 400, { __all__: [expect.stringContaining(name)] }]);
    }
    for (const [lookup, value, found] of filters) {
      const query = new URLSearchParams([
        ['slug__isw', mark],
        ['ordering', 'slug'],
        ...[value].flat().map((one) => [`cf_${name}${lookup}`, String(one)] as [string, string]),
      ]);
      expect([
        lookup,
        value,
        (await used.admin.column(`${sites}?${query}`, 'slug')).map((s: string) => s.at(-1)).join(''),
      ]).toEqual([lookup, value, found]);
    }
    expect(
      (await used.admin.patch(`${sites}${a.id}/`, { custom_fields: { [name]: null } })).body.custom_fields[name],
    ).toBeNull();
  });

  test.each(['object', 'multiobject'])('%s', async (type) => {
    const name = word(type);
    const mark = unique('cf');
    const many = type === 'multiobject';
    await field(name, type, { related_object_type: 'tenancy.tenant' });
    const [one, two] = (await used.admin.make('/api/tenancy/tenants/', [named('t'), named('t')])) as [Body, Body];
    const value = many ? [one.id, two.id] : one.id;
    const site = await used.admin.make(sites, {
      name: `${mark}-a`,
      slug: `${mark}-a`,
      custom_fields: { [name]: value },
    });
    // The brief form of an object of another service arrives with its events.
    await eventually(async () => {
      const shown = (await used.admin.read(`${sites}${site.id}/`)).custom_fields[name];
      // In the order of tenants, not as it was given.
      const inOrder = [one.slug, two.slug].sort();
      expect(many ? shown.map((t: Body) => t.slug) : shown.slug).toEqual(many ? inOrder : one.slug);
    });
    expect(await used.admin.column(`${sites}?slug__isw=${mark}&cf_${name}=${one.id}`, 'id')).toEqual([site.id]);
    expect(await used.admin.column(`${sites}?slug__isw=${mark}&cf_${name}=${one.id + 1e6}`, 'id')).toEqual([]);
    const bare = await used.admin.make(sites, { name: `${mark}-b`, slug: `${mark}-b` });
    for (const [filter, found] of [
      ['=null', [bare.id]],
      [`=null&cf_${name}=${one.id}`, [site.id, bare.id]],
      ['__empty=true', [bare.id]],
      ['__empty=false', [site.id]],
    ] as const)
      expect([
        filter,
        await used.admin.column(`${sites}?slug__isw=${mark}&ordering=slug&cf_${name}${filter}`, 'id'),
      ]).toEqual([filter, found]);
    const patched = async (given: unknown) =>
      used.admin.patch(`${sites}${site.id}/`, { custom_fields: { [name]: given } });
    const unknown = many ? [one.id, two.id + 1e6] : two.id + 1e6;
    expect((await patched(unknown)).body).toEqual({
      custom_fields: [`Unknown related object(s): ${JSON.stringify(unknown)}`],
    });
    expect((await patched(many ? [{ slug: two.slug }] : { slug: two.slug })).body.custom_fields[name]).toMatchObject(
      many ? [{ id: two.id }] : { id: two.id },
    );
    for (const wrong of ['x', {}, many ? 5 : [5]])
      expect((await used.admin.patch(`${sites}${site.id}/`, { custom_fields: { [name]: wrong } })).status).toBe(400);
  });
});

test('a new field gives its default to objects that are there; a removed one is taken out of them', async () => {
  const name = word('filled');
  const site = await used.admin.make(sites, named('filled'));
  const made = await field(name, 'text', { default: 'standard', required: false });
  const path = `${sites}${site.id}/`;
  await eventually(async () => {
    expect((await used.admin.read(path)).custom_fields[name]).toBe('standard');
  });
  expect((await used.admin.make(sites, named('filled'))).custom_fields[name]).toBe('standard');
  expect((await used.admin.patch(path, { custom_fields: { [name]: 'own' } })).body.custom_fields[name]).toBe('own');
  expect((await used.admin.patch(`${fields}${made.id}/`, { name: `${name}2` })).status).toBe(200);
  await eventually(async () => {
    expect((await used.admin.read(path)).custom_fields[`${name}2`]).toBe('own');
  });
  expect((await used.admin.delete(`${fields}${made.id}/`)).status).toBe(204);
  await eventually(async () => {
    expect(Object.keys((await used.admin.read(path)).custom_fields)).not.toContain(`${name}2`);
  });
  // A field that is made again does not find the old values.
  const again = await field(`${name}2`, 'integer');
  await eventually(async () => {
    expect((await used.admin.read(path)).custom_fields[`${name}2`]).toBeNull();
  });
  await used.admin.delete(`${fields}${again.id}/`);
});

test('required, unknown, for other types', async () => {
  // For a type that no other test file creates objects of, as a required field would have them refused.
  const name = word('needed');
  const made = await used.admin.make(fields, {
    name,
    type: 'text',
    required: true,
    object_types: ['dcim.rackrole'],
    validation_regex: '^CC',
  });
  const roles = '/api/dcim/rack-roles/';
  await eventually(async () => {
    expect((await used.admin.post(roles, named('g'))).body).toEqual({
      __all__: [`Missing required custom field '${name}'.`],
    });
  });
  expect((await used.admin.post(roles, { ...named('g'), custom_fields: { [name]: 'X' } })).body).toEqual({
    __all__: [expect.stringContaining('^CC')],
  });
  expect((await used.admin.make(roles, { ...named('g'), custom_fields: { [name]: 'CC1' } })).custom_fields[name]).toBe(
    'CC1',
  );
  expect((await used.admin.post(sites, { ...named('s'), custom_fields: { [name]: 'CC1' } })).body).toEqual({
    custom_fields: { [name]: `Custom field '${name}' does not exist for this object type.` },
  });
  await used.admin.delete(`${fields}${made.id}/`);
  await eventually(async () => {
    expect((await used.admin.post(roles, named('g'))).status).toBe(201);
  });
});
