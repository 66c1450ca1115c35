import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const list = '/api/dcim/manufacturers/';

/** A manufacturer that only this test uses, named by its slug. */
const make = (prefix: string, more: Record<string, string> = {}) => {
  const slug = unique(prefix);
  return used.admin.make(list, { name: slug, slug, ...more });
};

test('a manufacturer is created and shown with its fields in order', async () => {
  const slug = unique('juniper');
  const made = await used.admin.make(list, {
    name: `Juniper ${slug}`,
    slug,
    description: 'Routers',
    comments: 'Since 1996',
  });
  expect(made).toMatchObject({
    display: `Juniper ${slug}`,
    name: `Juniper ${slug}`,
    slug,
    description: 'Routers',
    owner: null,
    comments: 'Since 1996',
    tags: [],
    custom_fields: {},
  });
  expect(made.url).toMatch(new RegExp(`${list}${made.id}/$`));
  expect(Object.keys(made)).toEqual([
    'id',
    'url',
    'display_url',
    'display',
    'name',
    'slug',
    'description',
    'owner',
    'comments',
    'tags',
    'custom_fields',
    'created',
    'last_updated',
    'devicetype_count',
    'moduletype_count',
    'inventoryitem_count',
    'platform_count',
  ]);
  expect(Number.isNaN(Date.parse(made.created))).toBe(false);
  expect(Number.isNaN(Date.parse(made.last_updated))).toBe(false);
  expect(await used.admin.read(`${list}${made.id}/`)).toEqual(made);
});

test('name and slug suffice', async () => {
  expect(await make('bare')).toMatchObject({ description: '', owner: null, comments: '', tags: [], custom_fields: {} });
});

test('without objects that point here every count is 0', async () => {
  const { id } = await make('idle');
  const none = { devicetype_count: 0, inventoryitem_count: 0, platform_count: 0 };
  expect(await used.admin.read(`${list}${id}/`)).toMatchObject(none);
  expect((await used.admin.read(`${list}?id=${id}`)).results).toMatchObject([none]);
});

test('others see it briefly', async () => {
  const { id, slug, url } = await make('brief', { description: 'short', comments: 'long' });
  expect(await used.admin.read(`${list}?id=${id}&brief=true`)).toMatchObject({
    count: 1,
    results: [{ id, url, display: slug, name: slug, slug, description: 'short' }],
  });
  const [brief] = (await used.admin.read(`${list}?id=${id}&brief=true`)).results;
  expect(Object.keys(brief)).toEqual(['id', 'url', 'display', 'name', 'slug', 'description']);
});

test('manufacturers are ordered by name', async () => {
  const mark = unique('order');
  for (const letter of ['b', 'c', 'a'])
    await used.admin.make(list, { name: `${mark} ${letter}`, slug: `${mark}-${letter}` });
  const slugs = ['a', 'b', 'c'].map((letter) => `${mark}-${letter}`);
  expect(await used.admin.column(`${list}?slug__isw=${mark}`, 'slug')).toEqual(slugs);
  expect(await used.admin.column(`${list}?slug__isw=${mark}&ordering=-name`, 'slug')).toEqual(slugs.reverse());
});

test('filters by its own fields', async () => {
  const mark = unique('filter');
  const one = await used.admin.make(list, { name: `${mark} One`, slug: `${mark}-1`, description: `${mark} first` });
  const two = await used.admin.make(list, { name: `${mark} Two`, slug: `${mark}-2`, description: `${mark} second` });
  const found = (query: string) => used.admin.column(`${list}?${query}`, 'id');
  for (const query of [
    `id=${one.id}`,
    `name=${mark}%20One`,
    `name__ie=${mark.toUpperCase()}%20ONE`,
    `name__iew=one&name__isw=${mark}`,
    `slug=${mark}-1`,
    `slug__ic=${mark}&slug__n=${mark}-2`,
    `description=${mark}%20first`,
    `description__ic=${mark}&description__iew=first`,
  ])
    expect([query, await found(query)]).toEqual([query, [one.id]]);
  for (const query of [
    `name__ic=${mark}`,
    `slug=${mark}-1&slug=${mark}-2`,
    `id=${one.id}&id=${two.id}`,
    `name__isw=${mark}&description__empty=false`,
  ]) {
    expect([query, await found(query)]).toEqual([query, [one.id, two.id]]);
  }
  expect(await found(`slug__ic=${mark}&created__gte=2000-01-01T00:00:00Z`)).toEqual([one.id, two.id]);
  expect(await found(`slug__ic=${mark}&created__lt=2000-01-01T00:00:00Z`)).toEqual([]);
});

test('q looks into name, slug and description', async () => {
  const [name, slug, description] = [unique('inname'), unique('inslug'), unique('indescription')];
  const { id } = await used.admin.make(list, { name, slug, description, comments: unique('incomments') });
  for (const q of [name, slug, description])
    expect(await used.admin.column(`${list}?q=${q.toUpperCase()}`, 'id')).toEqual([id]);
  const { comments } = await used.admin.read(`${list}${id}/`);
  expect(await used.admin.column(`${list}?q=${comments}`, 'id')).toEqual([]);
});

test('it is found by its tag', async () => {
  const tag = unique('tag');
  await used.admin.make('/api/extras/tags/', { name: tag, slug: tag });
  const slug = unique('tagged');
  const { id, tags } = await used.admin.make(list, { name: slug, slug, tags: [{ slug: tag }] });
  expect(tags).toMatchObject([{ slug: tag }]);
  expect(await used.admin.column(`${list}?tag=${tag}`, 'id')).toEqual([id]);
});

test('it is found by its owner', async () => {
  const group = await used.admin.make('/api/users/owner-groups/', { name: unique('owners') });
  const owner = await used.admin.make('/api/users/owners/', { name: unique('owner'), group: group.id });
  const slug = unique('owned');
  const made = await used.admin.make(list, { name: slug, slug, owner: owner.id });
  expect(made.owner).toMatchObject({ id: owner.id, name: owner.name });
  expect(await used.admin.column(`${list}?owner_id=${owner.id}`, 'id')).toEqual([made.id]);
  expect(await used.admin.column(`${list}?owner=${owner.name}`, 'id')).toEqual([made.id]);
});

test('it can be looked for by contact, and a contact that is not there is refused', async () => {
  for (const filter of ['contact', 'contact_role']) {
    const { status, body } = await used.admin.get(`${list}?${filter}=2147483647`);
    expect([status, body]).toEqual([
      400,
      { [filter]: ['Select a valid choice. 2147483647 is not one of the available choices.'] },
    ]);
  }
  expect(await used.admin.get(`${list}?contact_group=2147483647`)).toMatchObject({
    status: 400,
    body: { contact_group: expect.any(Array) },
  });
});

test.each(['name', 'slug'])('a duplicate %s is refused and named', async (field) => {
  const first = await make('twice');
  const other = unique('other');
  const answer = await used.admin.post(list, { name: other, slug: other, [field]: first[field] });
  expect([answer.status, answer.body]).toEqual([400, { [field]: [`manufacturer with this ${field} already exists.`] }]);
  expect(await used.admin.column(`${list}?slug=${first.slug}&slug=${other}`, 'id')).toEqual([first.id]);

  const second = await make('second');
  const changed = await used.admin.patch(`${list}${second.id}/`, { [field]: first[field] });
  expect([changed.status, Object.keys(changed.body)]).toEqual([400, [field]]);
  expect(await used.admin.read(`${list}${second.id}/`)).toEqual(second);
});

test.each([
  ['name', { name: '' }],
  ['slug', { slug: 'no slug' }],
  ['name', { name: 'n'.repeat(101) }],
  ['slug', { slug: 's'.repeat(101) }],
  ['description', { description: 'd'.repeat(201) }],
])('a bad %s is refused and named', async (field, bad) => {
  const slug = unique('bad');
  const { status, body } = await used.admin.post(list, { name: slug, slug, ...bad });
  expect([status, Object.keys(body)]).toEqual([400, [field]]);
});

test('the longest values are taken', async () => {
  const slug = unique('long').padEnd(100, 'x');
  const description = 'd'.repeat(200);
  expect(await used.admin.make(list, { name: slug, slug, description })).toMatchObject({
    name: slug,
    slug,
    description,
  });
});

test('a count is not written, and the name of a deleted manufacturer is free', async () => {
  const made = await make('passing');
  const path = `${list}${made.id}/`;
  const changed = await used.admin.patch(path, { description: 'changed', devicetype_count: 7 });
  expect(changed).toMatchObject({
    status: 200,
    body: { name: made.name, slug: made.slug, description: 'changed', devicetype_count: 0 },
  });
  expect((await used.admin.delete(path)).status).toBe(204);
  expect(await used.admin.make(list, { name: made.name, slug: made.slug })).toMatchObject({ slug: made.slug });
});
