import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const site = async (): Promise<Body> => {
  const slug = unique('site');
  return used.admin.make('/api/dcim/sites/', { name: slug, slug });
};
const about = ({ id }: Body, user = 1) => ({ object_type: 'dcim.site', object_id: id, user });

describe('a journal entry', () => {
  const entries = '/api/extras/journal-entries/';
  const on = ({ id }: Body, more: object = {}) => ({
    assigned_object_type: 'dcim.site',
    assigned_object_id: id,
    comments: 'Visited',
    ...more,
  });
  test('is signed by who writes it, and called by when and what', async () => {
    const there = await site();
    const made = await used.admin.make(entries, on(there));
    expect(made).toMatchObject({
      created_by: 1,
      kind: { value: 'info', label: 'Info' },
      assigned_object: { id: there.id, name: there.name },
      display: `${made.created.slice(0, 16).replace('T', ' ')} (Info)`,
    });
    const { id } = await userWith(used.admin);
    expect(await used.admin.make(entries, on(there, { created_by: id, kind: 'danger' }))).toMatchObject({
      created_by: id,
      kind: { value: 'danger' },
    });
    const list = `${entries}?assigned_object_type=dcim.site&assigned_object_id=${there.id}`;
    expect(await used.admin.column(list, 'created_by')).toEqual([id, 1]);
    expect(await used.admin.column(`${list}&created_by_id=${id}&created_after=2020-01-01`, 'comments')).toEqual([
      'Visited',
    ]);
    expect(await used.admin.column(`${list}&created_before=2020-01-01`, 'comments')).toEqual([]);
  });
  test("stays its author's", async () => {
    const made = await used.admin.make(entries, on(await site()));
    const other = await userWith(used.admin, { actions: ['view', 'change'], types: ['extras.journalentry'] });
    for (const created_by of [other.id, null])
      expect((await used.admin.patch(`${entries}${made.id}/`, { created_by, comments: 'Changed' })).body).toMatchObject(
        { created_by: 1, comments: 'Changed' },
      );
    expect((await other.client.patch(`${entries}${made.id}/`, { kind: 'warning' })).body).toMatchObject({
      created_by: 1,
      kind: { value: 'warning' },
    });
    expect((await used.admin.patch(entries, [{ id: made.id, created_by: other.id }])).body).toMatchObject([
      { created_by: 1 },
    ]);
    const whole = { assigned_object_type: 'dcim.site', assigned_object_id: made.assigned_object_id, comments: 'Again' };
    expect((await used.admin.put(`${entries}${made.id}/`, whole)).body).toMatchObject({
      created_by: 1,
      comments: 'Again',
    });
  });
  test('is about something that is there and has a journal', async () => {
    const { body } = await used.admin.post(entries, on({ id: 999_999_999 }));
    expect(body).toEqual({ non_field_errors: ['Invalid assigned_object: DCIM > Site ID 999999999'] });
    const tag = await used.admin.make('/api/extras/tags/', { name: unique(), slug: unique() });
    expect((await used.admin.post(entries, { ...on(tag), assigned_object_type: 'extras.tag' })).body).toEqual({
      __all__: ['Journaling is not supported for this object type (extras.tag).'],
    });
  });
  test('goes with its object', async () => {
    const there = await site();
    const { id } = await used.admin.make(entries, on(there));
    await used.admin.delete(`/api/dcim/sites/${there.id}/`);
    await eventually(async () => expect((await used.admin.get(`${entries}${id}/`)).status).toBe(404));
  });
});

describe('bookmarks', () => {
  const bookmarks = '/api/extras/bookmarks/';
  test('are called like their object, and are one for each user', async () => {
    const there = await site();
    const made = await used.admin.make(bookmarks, about(there));
    expect(made).toMatchObject({ display: there.name, object: { name: there.name }, user: { username: 'admin' } });
    expect((await used.admin.post(bookmarks, about(there))).body).toEqual({
      __all__: ['Bookmark with this Object type, Object id and User already exists.'],
    });
    await used.admin.patch(`/api/dcim/sites/${there.id}/`, { name: `${there.name} 2` });
    await eventually(async () =>
      expect((await used.admin.read(`${bookmarks}${made.id}/?brief=1`)).display).toBe(`${there.name} 2`),
    );
  });
  test("are everybody's own", async () => {
    const there = await site();
    const { client, id } = await userWith(used.admin, { actions: ['view'] });
    expect(await client.make(bookmarks, about(there, id))).toMatchObject({ user: { id } });
    expect((await client.post(bookmarks, about(there, 1))).status).toBe(403);
    await used.admin.make(bookmarks, about(there));
    expect(await client.column(bookmarks, 'object_id')).toEqual([there.id]);
    const type = (await used.admin.read('/api/core/object-types/?app_label=dcim&model=site')).results[0].id;
    const list = `${bookmarks}?object_id=${there.id}`;
    expect((await used.admin.read(`${list}&object_type_id__gte=${type}&object_type_id__lte=${type}`)).count).toBe(2);
    expect((await used.admin.read(`${list}&object_type_id__gt=${type}`)).count).toBe(0);
  });
  test('go with the object and with the user', async () => {
    const there = await site();
    const { client, id } = await userWith(used.admin, { actions: ['view'] });
    await client.make(bookmarks, about(there, id));
    expect((await used.admin.delete(`/api/users/users/${id}/`)).status).toBe(204);
    await eventually(async () => expect((await used.admin.read(`${bookmarks}?object_id=${there.id}`)).count).toBe(0));
  });
});

describe('subscribers', () => {
  const notifications = '/api/extras/notifications/';
  test('are told of changes, each object once, until they have read it and it changes again', async () => {
    const there = await site();
    const { client, id } = await userWith(used.admin, { actions: ['view'] });
    await client.make('/api/extras/subscriptions/', about(there, id));
    const change = (description: string) => used.admin.patch(`/api/dcim/sites/${there.id}/`, { description });
    await change('one');
    const [first] = await eventually(async () => {
      const { results } = await client.read(notifications);
      expect(results).toHaveLength(1);
      return results;
    });
    expect(first).toMatchObject({ display: there.name, event_type: 'object_updated', read: null, user: { id } });
    expect((await client.patch(`${notifications}${first.id}/`, { read: '2026-01-01T00:00:00Z' })).body.read).toBe(
      '2026-01-01T00:00:00Z',
    );
    await change('two');
    await eventually(async () =>
      expect((await client.read(notifications)).results).toMatchObject([{ id: first.id, read: null }]),
    );
  });
  test('are told only of what can be followed', async () => {
    const tag = await used.admin.make('/api/extras/tags/', { name: unique(), slug: unique() });
    expect(
      (await used.admin.post('/api/extras/subscriptions/', { ...about(tag), object_type: 'extras.tag' })).body,
    ).toEqual({ __all__: ['Objects of this type (extras.tag) do not support notifications.'] });
  });
});
