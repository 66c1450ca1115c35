import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const regions = '/api/dcim/regions/';
const fieldOf = async (more: object): Promise<string> => {
  const name = unique('cf').replaceAll('-', '_');
  await used.admin.make('/api/extras/custom-fields/', { name, object_types: ['dcim.region'], ...more });
  return name;
};
const region = (values: object) => {
  const name = unique('region');
  return { name, slug: name, custom_fields: values };
};

test('moments are shown in full, with the offset that they were given with', async () => {
  const field = await fieldOf({ type: 'datetime' });
  for (const [given, shown] of [
    ['2026-01-31 08:00', '2026-01-31T08:00:00'],
    ['2026-01-31T08:00:00.5+00:00', '2026-01-31T08:00:00.500000Z'],
    ['2026-01-31T08:00:00+0200', '2026-01-31T08:00:00+02:00'],
  ]) {
    const { id, custom_fields: values } = await used.admin.make(regions, region({ [field]: given }));
    expect([values[field], (await used.admin.read(`${regions}${id}/`)).custom_fields[field]]).toEqual([shown, shown]);
  }
});

test('a value keeps to the JSON schema of its field, and so does the default', async () => {
  const schema = { type: 'object', properties: { speed: { type: 'integer', minimum: 10 } }, required: ['speed'] };
  const field = await fieldOf({ type: 'json', validation_schema: schema });
  const said = async (value: unknown) => (await used.admin.post(regions, region({ [field]: value }))).body;
  const refusal = (why: string) => ({
    __all__: [`Invalid value for custom field '${field}': Value does not conform to the assigned schema: ${why}`],
  });
  expect([await said({}), await said({ speed: 'x' }), await said({ speed: 5 })]).toEqual([
    refusal("'speed' is a required property"),
    refusal("'x' is not of type 'integer'"),
    refusal('5 is less than the minimum of 10'),
  ]);
  expect(await said({ speed: 10 })).toMatchObject({ custom_fields: { [field]: { speed: 10 } } });
  const { status, body } = await used.admin.post('/api/extras/custom-fields/', {
    name: `${field}_b`,
    object_types: ['dcim.region'],
    type: 'json',
    validation_schema: schema,
    default: {},
  });
  expect([status, body]).toEqual([
    400,
    {
      default: [
        'Invalid default value "{}": Value does not conform to the assigned schema: \'speed\' is a required property',
      ],
    },
  ]);
});
