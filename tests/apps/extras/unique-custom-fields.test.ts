import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';

test('only one object has a value of a unique custom field', async () => {
  const field = unique('cf').replaceAll('-', '_');
  await used.admin.make('/api/extras/custom-fields/', {
    name: field,
    type: 'text',
    object_types: ['dcim.site'],
    unique: true,
  });
  const site = (value: string | null) => {
    const name = unique('unique');
    return { name, slug: name, custom_fields: { [field]: value } };
  };
  const refusal = { __all__: [`Custom field '${field}' must have a unique value.`] };

  const first = await used.admin.make(sites, site('A'));
  await used.admin.make(sites, site(null));
  await used.admin.make(sites, site(null));
  const again = await used.admin.post(sites, site('A'));
  expect([again.status, again.body]).toEqual([400, refusal]);
  const twice = await used.admin.post(sites, [site('B'), site('B')]);
  expect([twice.status, twice.body]).toEqual([400, [{}, refusal]]);
  expect(
    (await used.admin.patch(`${sites}${first.id}/`, { custom_fields: { [field]: 'A' }, facility: 'F' })).status,
  ).toBe(200);

  const race = await Promise.all(Array.from({ length: 8 }, () => used.admin.post(sites, site('C'))));
  expect(race.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
});
