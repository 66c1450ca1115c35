import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const PLATFORMS = '/api/dcim/platforms/';

async function makeManufacturer() {
  const slug = unique('maker');
  return used.admin.make('/api/dcim/manufacturers/', { name: slug, slug });
}

async function makePlatform(attributes: Record<string, unknown> = {}) {
  const slug = unique('platform');
  return used.admin.make(PLATFORMS, { name: slug, slug, ...attributes });
}

test('a platform is created with a parent and a manufacturer, and shown', async () => {
  const manufacturer = await makeManufacturer();
  const parent = await makePlatform();
  const slug = unique('junos');
  const made = await used.admin.make(PLATFORMS, {
    name: slug,
    slug,
    parent: parent.id,
    manufacturer: { slug: manufacturer.slug },
  });

  expect(Object.keys(made)).toEqual([
    'id',
    'url',
    'display_url',
    'display',
    'parent',
    'name',
    'slug',
    'manufacturer',
    'config_template',
    'description',
    'device_count',
    'virtualmachine_count',
    'owner',
    'comments',
    'tags',
    'custom_fields',
    'created',
    'last_updated',
    '_depth',
  ]);
  expect(made).toMatchObject({
    display: slug,
    manufacturer: { id: manufacturer.id, slug: manufacturer.slug },
    config_template: null,
    device_count: 0,
    virtualmachine_count: 0,
    _depth: 1,
  });
  expect(made.parent).toEqual({
    id: parent.id,
    url: parent.url,
    display_url: parent.display_url,
    display: parent.name,
    name: parent.name,
  });
  await eventually(async () => {
    expect(await used.admin.read(`/api/dcim/manufacturers/${manufacturer.id}/`)).toMatchObject({ platform_count: 1 });
  });
});

test('the brief form has the counts and the depth', async () => {
  const made = await makePlatform({ description: 'A family' });
  const { url, name, slug } = made;
  expect(await used.admin.read(`${PLATFORMS}${made.id}/?brief=true`)).toEqual({
    id: made.id,
    url,
    display: name,
    name,
    slug,
    description: 'A family',
    device_count: 0,
    virtualmachine_count: 0,
    _depth: 0,
  });
});

test('name and slug are at most 100 characters long', async () => {
  const long = await used.admin.post(PLATFORMS, { name: 'n'.repeat(101), slug: 's'.repeat(101) });
  expect([long.status, Object.keys(long.body)]).toEqual([400, ['name', 'slug']]);
  await makePlatform({ name: unique().padEnd(100, 'n'), slug: unique().padEnd(100, 's') });
});

test('platforms are listed branch by branch', async () => {
  const prefix = unique('order');
  const b = await makePlatform({ name: `${prefix}-b` });
  const a = await makePlatform({ name: `${prefix}-a` });
  await makePlatform({ name: `${prefix}-b-x`, parent: b.id });
  await makePlatform({ name: `${prefix}-a-10`, parent: a.id });
  await makePlatform({ name: `${prefix}-a-2`, parent: a.id });
  await makePlatform({ name: `${prefix}-a-1`, parent: a.id });
  expect(await used.admin.column(`${PLATFORMS}?name__isw=${prefix}`, 'name')).toEqual(
    ['a', 'a-1', 'a-2', 'a-10', 'b', 'b-x'].map((end) => `${prefix}-${end}`),
  );
});

test('parent finds the children, ancestor all that is below', async () => {
  const top = await makePlatform();
  const middle = await makePlatform({ parent: top.id });
  const leaf = await makePlatform({ parent: middle.id });
  await makePlatform();

  expect(await used.admin.column(`${PLATFORMS}?parent=${top.slug}`)).toEqual([middle.name]);
  expect(await used.admin.column(`${PLATFORMS}?parent_id=${top.id}`)).toEqual([middle.name]);
  expect(await used.admin.column(`${PLATFORMS}?ancestor=${top.slug}`)).toEqual([middle.name, leaf.name]);
  expect(await used.admin.column(`${PLATFORMS}?ancestor_id=${top.id}`)).toEqual([middle.name, leaf.name]);
});

test('a manufacturer finds its platforms, by slug and by id', async () => {
  const manufacturer = await makeManufacturer();
  const made = await makePlatform({ manufacturer: manufacturer.id });
  await makePlatform({ manufacturer: (await makeManufacturer()).id });
  expect(await used.admin.column(`${PLATFORMS}?manufacturer=${manufacturer.slug}`)).toEqual([made.name]);
  expect(await used.admin.column(`${PLATFORMS}?manufacturer_id=${manufacturer.id}`)).toEqual([made.name]);
  expect(await used.admin.get(`${PLATFORMS}?manufacturer=${unique()}`)).toMatchObject({ status: 400 });
});

test('q looks into name, slug, description and comments', async () => {
  const word = unique('needle');
  const names = [
    (await makePlatform({ name: `a ${word}` })).name,
    (await makePlatform({ name: unique('b'), slug: `b-${word}` })).name,
    (await makePlatform({ name: unique('c'), description: `The ${word}` })).name,
  ];
  const { name: remarked } = await makePlatform({ comments: word });
  expect((await used.admin.column(`${PLATFORMS}?q=${word}`, 'name')).sort()).toEqual([...names, remarked].sort());
});

test('name and slug are unique among the platforms of a manufacturer', async () => {
  const manufacturer = (await makeManufacturer()).id;
  const { name, slug } = await makePlatform({ manufacturer });
  const again = await used.admin.post(PLATFORMS, { name, slug: unique(), manufacturer });
  expect([again.status, again.body]).toEqual([
    400,
    { __all__: ['Platform with this Manufacturer and Name already exists.'] },
  ]);
  const sameSlug = await used.admin.post(PLATFORMS, { name: unique(), slug, manufacturer });
  expect([sameSlug.status, sameSlug.body]).toEqual([
    400,
    { __all__: ['Platform with this Manufacturer and Slug already exists.'] },
  ]);

  await makePlatform({ name, slug, manufacturer: (await makeManufacturer()).id });
  await makePlatform({ name, slug });
});

test('name and slug are unique among the platforms without a manufacturer, whatever their parent', async () => {
  const { id, name, slug } = await makePlatform();
  const again = await used.admin.post(PLATFORMS, { name, slug: unique(), parent: id });
  expect([again.status, again.body]).toEqual([400, { __all__: ['Platform name must be unique.'] }]);
  const sameSlug = await used.admin.post(PLATFORMS, { name: unique(), slug, parent: id });
  expect([sameSlug.status, sameSlug.body]).toEqual([400, { __all__: ['Platform slug must be unique.'] }]);
});

test('a platform does not move below itself', async () => {
  const top = await makePlatform();
  const below = await makePlatform({ parent: top.id });
  for (const parent of [top.id, below.id]) {
    const { status, body } = await used.admin.patch(`${PLATFORMS}${top.id}/`, { parent });
    expect([status, body]).toEqual([400, { parent: ['Cannot assign self or child platform as parent.'] }]);
  }
});

test('a manufacturer that has platforms is not deleted', async () => {
  const manufacturer = await makeManufacturer();
  const made = await makePlatform({ manufacturer: manufacturer.id });
  const path = `/api/dcim/manufacturers/${manufacturer.id}/`;
  const { status, body } = await used.admin.delete(path);
  expect([status, body]).toEqual([
    409,
    { detail: `Unable to delete object. 1 dependent objects were found: ${made.name} (${made.id})` },
  ]);
  await used.admin.delete(`${PLATFORMS}${made.id}/`);
  expect((await used.admin.delete(path)).status).toBe(204);
});

test('deleting a platform deletes what is below it', async () => {
  const top = await makePlatform();
  const middle = await makePlatform({ parent: top.id });
  const leaf = await makePlatform({ parent: middle.id });
  expect((await used.admin.delete(`${PLATFORMS}${top.id}/`)).status).toBe(204);
  for (const { id } of [top, middle, leaf]) expect((await used.admin.get(`${PLATFORMS}${id}/`)).status).toBe(404);
});

test('a template that does not exist is refused', async () => {
  const { status, body } = await used.admin.post(PLATFORMS, {
    name: unique(),
    slug: unique(),
    config_template: 999_999_999,
  });
  expect([status, body]).toEqual([
    400,
    { config_template: ['Related object not found using the provided numeric ID: 999999999'] },
  ]);
});

test('each change leaves a record', async () => {
  const made = await makePlatform();
  await used.admin.patch(`${PLATFORMS}${made.id}/`, { description: 'changed', changelog_message: 'why not' });
  await eventually(async () => {
    const { results } = await used.admin.read(
      `/api/core/object-changes/?changed_object_type=dcim.platform&changed_object_id=${made.id}&ordering=id`,
    );
    expect(results).toMatchObject([
      { action: { value: 'create' }, postchange_data: { slug: made.slug } },
      { action: { value: 'update' }, message: 'why not', postchange_data: { description: 'changed' } },
    ]);
  });
});
