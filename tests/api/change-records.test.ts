import { expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const changes = '/api/extras/object-changes/';
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};

/** The records of a site or of a request once there are as many as expected. */
const records = (query: string, count: number): Promise<Body[]> =>
  eventually(async () => {
    const { results } = await used.admin.read(`${changes}?${query}&ordering=time`);
    expect(results).toHaveLength(count);
    return results as Body[];
  });

test('one record for each change, with message, snapshots, user and request', async () => {
  const given = named('rec');
  const created = await used.admin.post(sites, { ...given, changelog_message: ' first ' });
  const path = `${sites}${created.body.id}/`;
  const updated = await used.admin.patch(path, { facility: 'F', changelog_message: 'second' });
  await used.admin.patch(path, { facility: 'F' });
  const deleted = await used.admin.delete(path, { changelog_message: 'third' });
  const all = await records(`changed_object_type=dcim.site&changed_object_id=${created.body.id}`, 3);
  expect(all).toMatchObject([
    {
      action: { value: 'create', label: 'Created' },
      message: 'first',
      prechange_data: null,
      postchange_data: { ...given, facility: '' },
      request_id: created.headers.get('x-request-id'),
    },
    {
      action: { value: 'update' },
      message: 'second',
      prechange_data: { facility: '' },
      postchange_data: { facility: 'F' },
      request_id: updated.headers.get('x-request-id'),
    },
    {
      action: { value: 'delete' },
      message: 'third',
      prechange_data: { ...given, facility: 'F' },
      postchange_data: null,
      request_id: deleted.headers.get('x-request-id'),
    },
  ]);
  for (const record of all) {
    expect(record).toMatchObject({
      user: { username: 'admin' },
      user_name: 'admin',
      changed_object_type: 'dcim.site',
      changed_object_id: created.body.id,
      object_repr: given.name,
      url: expect.stringContaining('/object-changes/'),
    });
    expect(Math.abs(Date.now() - Date.parse(record.time))).toBeLessThan(30_000);
  }
  expect(await records(`request_id=${created.headers.get('x-request-id')}`, 1)).toMatchObject([{ id: all[0].id }]);
  expect(
    (await used.admin.read(`/api/core/object-changes/?request_id=${updated.headers.get('x-request-id')}`)).results,
  ).toMatchObject([{ id: all[1].id }]);
  expect(await used.admin.read(`${changes}${all[2].id}/`)).toMatchObject({ message: 'third' });
  for (const query of [
    'action=delete',
    'user_name=admin&action=delete',
    `q=${given.name}&action=delete`,
    'time_after=2026-01-01&action=delete',
    `changed_object_id=${created.body.id}&action=delete`,
  ]) {
    expect([
      query,
      await used.admin.column(
        `${changes}?changed_object_id=${created.body.id}&changed_object_type=dcim.site&${query}`,
        'id',
      ),
    ]).toEqual([query, [all[2].id]]);
  }
});

test('bulk changes: a record for each object, each with its own message', async () => {
  const made = (await used.admin.make(sites, [named('b'), named('b'), named('b')])) as Body[];
  const changed = await used.admin.patch(
    sites,
    made.map(({ id }, i) => ({ id, facility: `F${i}`, changelog_message: `m${i}` })),
  );
  expect(
    (await records(`request_id=${changed.headers.get('x-request-id')}`, 3))
      .map((r) => [r.changed_object_id, r.message])
      .sort(),
  ).toEqual(made.map(({ id }, i) => [id, `m${i}`]).sort());
  const gone = await used.admin.delete(
    sites,
    made.map(({ id }, i) => ({ id, changelog_message: `gone${i}` })),
  );
  expect((await records(`request_id=${gone.headers.get('x-request-id')}`, 3)).map((r) => r.message).sort()).toEqual([
    'gone0',
    'gone1',
    'gone2',
  ]);
});

test('a request that fails leaves no record; one that is refused its message says so', async () => {
  const failed = await used.admin.post(sites, [named('x'), { name: 'no slug' }]);
  const long = await used.admin.post(sites, { ...named('x'), changelog_message: 'x'.repeat(201) });
  expect([failed.status, long.status, long.body]).toEqual([
    400,
    400,
    { changelog_message: ['Ensure this field has no more than 200 characters.'] },
  ]);
  const marker = await used.admin.post(sites, named('marker'));
  await records(`request_id=${marker.headers.get('x-request-id')}`, 1);
  expect((await used.admin.read(`${changes}?request_id=${failed.headers.get('x-request-id')}`)).count).toBe(0);
});

test('secrets are in no record and no list', async () => {
  const name = unique('secret');
  const secret = unique('very-secret');
  const webhook = await used.admin.make('/api/extras/webhooks/', { name, payload_url: 'http://127.0.0.1:1/', secret });
  const username = unique('user');
  const user = await used.admin.post('/api/users/users/', { username, password: `Correct-${secret}-9` });
  expect(user.text).not.toContain(secret);
  const [record] = await records(`changed_object_type=extras.webhook&changed_object_id=${webhook.id}`, 1);
  expect(JSON.stringify(record)).not.toContain(secret);
  expect((await used.admin.get(`/api/users/users/${user.body.id}/`)).text).not.toMatch(/password|argon/);
});

test('tags and custom fields are part of the snapshots', async () => {
  const tag = await used.admin.make('/api/extras/tags/', named('snap'));
  const site = await used.admin.post(sites, { ...named('snap'), tags: [tag.id] });
  expect(await records(`request_id=${site.headers.get('x-request-id')}`, 1)).toMatchObject([
    { postchange_data: { tags: [tag.name], custom_fields: expect.any(Object) } },
  ]);
});
