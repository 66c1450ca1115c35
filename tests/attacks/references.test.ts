// A user tries to learn of objects that they may not view through objects that refer to them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PNG } from '@cadastre/rest/testing/images';
import type { Body, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { deliveries, ended, makeWebhook, sample } from '../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

const used = useSystem();
const MISSING = 999_999_999;
const personal = ['bookmarks', 'subscriptions', 'notifications'].map((path) => `/api/extras/${path}/`);

/** An object whose name and description no other object contains; in dcim, in tenancy, and in extras itself. */
const secretly = async (
  path: string,
  type: string,
  more: object = {},
): Promise<{ type: string; id: number; name: string; path: string }> => {
  const name = unique('secret');
  return {
    type,
    path,
    name,
    id: (await used.admin.make(path, { name, slug: name, description: `about ${name}`, ...more })).id,
  };
};
const named = (path: string, more: object = {}): Promise<Body> => {
  const slug = unique('n');
  return used.admin.make(path, { name: slug, slug, ...more });
};
const site = () => secretly('/api/dcim/sites/', 'dcim.site');
const tenant = () => secretly('/api/tenancy/tenants/', 'tenancy.tenant');
const context = async () => {
  const name = unique('secret');
  return {
    type: 'extras.configcontext',
    path: '/api/extras/config-contexts/',
    name,
    id: (
      await used.admin.make('/api/extras/config-contexts/', {
        name,
        description: `about ${name}`,
        data: { word: 'x' },
        is_active: false,
      })
    ).id as number,
  };
};
const about = (type: string, id: number, user: number) => ({
  object_type: type,
  object_id: id,
  user,
  event_type: 'object_updated',
});

/** Allows a user to view only sites of one name. */
const sitesNamed = (name: string) => ({ actions: ['view'], constraints: { name } });

describe('what is made about an object that the requester may not view', () => {
  test('is refused as if the object were not there, whoever owns it', async () => {
    const { client, id: user } = await userWith(used.admin);
    for (const { type, id } of [await site(), await tenant(), await context()]) {
      for (const path of personal) {
        const [hidden, missing] = [
          await client.post(path, about(type, id, user)),
          await client.post(path, about(type, MISSING, user)),
        ];
        expect([path, type, hidden.status]).toEqual([path, type, 400]);
        expect(hidden.text.replaceAll(String(id), '#')).toBe(missing.text.replaceAll(String(MISSING), '#'));
      }
    }
  });

  test('is refused where a constraint hides it, and accepted where it does not; one by one and together', async () => {
    const [mine, other] = [await site(), await site()];
    const { client, id: user } = await userWith(used.admin, sitesNamed(mine.name));
    const [bookmarks] = personal as [string];
    expect(await client.make(bookmarks, about(mine.type, mine.id, user))).toMatchObject({
      display: mine.name,
      object: { id: mine.id, name: mine.name },
    });
    const refused = await client.post(bookmarks, [about(other.type, other.id, user), about(other.type, MISSING, user)]);
    expect(refused.body[0]).toEqual(
      JSON.parse(JSON.stringify(refused.body[1]).replaceAll(String(MISSING), String(other.id))),
    );
    const {
      results: [own],
    } = await client.read(bookmarks);
    for (const id of [other.id, MISSING])
      expect((await client.patch(`${bookmarks}${own.id}/`, { object_id: id })).body).toEqual({
        object_id: [`Related object not found using the provided value: ${id}.`],
      });
  });

  test('holds for journal entries, contact assignments and pictures too', async () => {
    const { id, name } = await site();
    const [contact, role] = [
      await used.admin.make('/api/tenancy/contacts/', { name: unique() }),
      await used.admin.make('/api/tenancy/contact-roles/', { name: unique('role'), slug: unique('role') }),
    ];
    const { client } = await userWith(used.admin, {
      types: ['extras.journalentry', 'tenancy.contactassignment', 'extras.imageattachment'],
      actions: ['view', 'add'],
    });
    const [entries, assignments] = ['/api/extras/journal-entries/', '/api/tenancy/contact-assignments/'];
    const entry = (of: number) =>
      client.post(entries, { assigned_object_type: 'dcim.site', assigned_object_id: of, comments: 'x' });
    const assignment = (of: number) =>
      client.post(assignments, { object_type: 'dcim.site', object_id: of, contact: contact.id, role: role.id });
    for (const make of [entry, assignment]) {
      const [hidden, missing] = [await make(id), await make(MISSING)];
      expect([hidden.status, hidden.text.replaceAll(String(id), '#')]).toEqual([
        400,
        missing.text.replaceAll(String(MISSING), '#'),
      ]);
      expect(hidden.text).not.toContain(name);
    }
  });
});

describe('what is about an object', () => {
  test('shows no more of it than type and id when it may not be viewed any more, one by one and in lists', async () => {
    const there = await site();
    const abroad = await tenant();
    const {
      client,
      id: user,
      permissions: [permission],
    } = await userWith(used.admin, { types: ['dcim.site', 'tenancy.tenant'], actions: ['view'] });
    for (const path of personal)
      for (const { type, id } of [there, abroad]) await client.make(path, about(type, id, user));
    for (const path of personal) expect((await client.get(path)).text).toContain(there.name);
    await used.admin.delete(`/api/users/permissions/${permission.id}/`);
    for (const path of personal) {
      await eventually(async () => expect((await client.get(path)).text).not.toContain('secret-'));
      const { results } = await client.read(path);
      expect(
        results
          .map(({ object_type, object_id, object, display }: Body) => ({ object_type, object_id, object, display }))
          .sort((a: Body, b: Body) => a.object_type.localeCompare(b.object_type)),
      ).toEqual([
        { object_type: 'dcim.site', object_id: there.id, object: null, display: `dcim.site ${there.id}` },
        { object_type: 'tenancy.tenant', object_id: abroad.id, object: null, display: `tenancy.tenant ${abroad.id}` },
      ]);
      for (const { id } of results)
        for (const shape of ['', '?brief=true', '?fields=id,display', '?fields=object'])
          expect((await client.get(`${path}${id}/${shape}`)).text).not.toContain('secret-');
      // Others see it as before.
      expect((await used.admin.get(`${path}?object_id=${there.id}`)).text).toContain(there.name);
    }
    const [, , notifications] = personal as [string, string, string];
    const {
      results: [one],
    } = await client.read(notifications);
    expect((await client.patch(`${notifications}${one.id}/`, { read: '2026-01-01T00:00:00Z' })).text).not.toContain(
      'secret-',
    );
  });

  test('shows each reader what they may view, also after another reader has filled the cache', async () => {
    const [mine, other] = [await site(), await site()];
    const entries = '/api/extras/journal-entries/';
    const list = `${entries}?assigned_object_type=dcim.site&assigned_object_id=${mine.id}&assigned_object_id=${other.id}`;
    for (const { id } of [mine, other])
      await used.admin.make(entries, { assigned_object_type: 'dcim.site', assigned_object_id: id, comments: 'x' });
    const { client } = await userWith(used.admin, sitesNamed(mine.name), {
      types: ['extras.journalentry'],
      actions: ['view'],
    });
    const names = async (who: Client) =>
      ((await who.read(list)).results as Body[]).map(({ assigned_object }) => assigned_object?.name ?? null).sort();
    for (let i = 0; i < 3; i += 1)
      expect([await names(used.admin), await names(client)]).toEqual([
        [mine.name, other.name].sort(),
        [mine.name, null].sort(),
      ]);
  });

  test('is exported without what may not be viewed', async () => {
    const { id, name } = await site();
    const template = unique('export');
    await used.admin.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: id,
      comments: `entry ${id}`,
    });
    await used.admin.make('/api/extras/export-templates/', {
      name: template,
      object_types: ['extras.journalentry'],
      template_code:
        '{% for e in queryset %}{{ e.comments }}: {{ e.assigned_object.name }} {{ e.assigned_object }};{% endfor %}',
    });
    const { client } = await userWith(used.admin, { types: ['extras.journalentry'], actions: ['view'] });
    const file = async (who: Client) =>
      (await who.get(`/api/extras/journal-entries/?assigned_object_id=${id}&export=${template}`)).text;
    expect(await file(used.admin)).toContain(name);
    expect(await file(client)).toContain(`entry ${id}`);
    expect(await file(client)).not.toContain(name);
  });

  test('is a picture, a contact or a tag without the name of what it belongs to', async () => {
    const tag = await used.admin.make('/api/extras/tags/', { name: unique('tag'), slug: unique('tag') });
    const there = await secretly('/api/dcim/sites/', 'dcim.site', { tags: [tag.id] });
    const form = new FormData();
    for (const [name, value] of Object.entries({
      object_type: 'dcim.site',
      object_id: String(there.id),
      image: new Blob([new Uint8Array(PNG)]),
    }))
      form.append(name, value);
    const sent = new Response(form);
    await used.admin.ask('POST', '/api/extras/image-attachments/', {
      raw: new Uint8Array(await sent.arrayBuffer()),
      headers: { 'Content-Type': sent.headers.get('content-type')! },
    });
    const [contact, role] = [
      await used.admin.make('/api/tenancy/contacts/', { name: unique() }),
      await used.admin.make('/api/tenancy/contact-roles/', { name: unique('role'), slug: unique('role') }),
    ];
    await used.admin.make('/api/tenancy/contact-assignments/', {
      object_type: 'dcim.site',
      object_id: there.id,
      contact: contact.id,
      role: role.id,
    });
    const { client } = await userWith(used.admin, {
      types: ['extras.imageattachment', 'tenancy.contactassignment', 'extras.taggeditem'],
      actions: ['view'],
    });
    for (const path of [
      '/api/extras/image-attachments/',
      '/api/tenancy/contact-assignments/',
      '/api/extras/tagged-objects/',
    ]) {
      const list = `${path}?object_type=dcim.site&object_id=${there.id}`;
      await eventually(async () => expect((await used.admin.read(list)).count).toBe(1));
      expect((await used.admin.get(list)).text).toContain(there.name);
      const { text, body } = await client.get(list);
      expect([path, body.count, text.includes(there.name)]).toEqual([path, 1, false]);
      expect(body.results[0]).toMatchObject({ object_type: 'dcim.site', object_id: there.id });
    }
  });
});

test('subscribers hear nothing of changes of what they may not view', async () => {
  const [mine, other] = [await site(), await site()];
  const notifications = '/api/extras/notifications/';
  const {
    client,
    id: user,
    permissions: [permission],
  } = await userWith(used.admin, { actions: ['view'] });
  for (const { type, id } of [mine, other]) await client.make('/api/extras/subscriptions/', about(type, id, user));
  await used.admin.patch(`/api/users/permissions/${permission.id}/`, { constraints: { name: mine.name } });
  await eventually(async () => expect((await client.read('/api/dcim/sites/')).count).toBe(1));
  await used.admin.patch(`/api/dcim/sites/${other.id}/`, { description: 'changed secretly' });
  // Notifications come in order: once the later change is notified, an earlier one that is missing will not come.
  await used.admin.patch(`/api/dcim/sites/${mine.id}/`, { description: 'changed' });
  await eventually(async () => expect(await client.column(notifications, 'object_id')).toEqual([mine.id]));
  expect(
    (await used.admin.read(`${notifications}?limit=1000`)).results.filter(
      ({ object_id }: Body) => object_id === other.id,
    ),
  ).toEqual([]);
});

test('change records tell of an object those only who may view it, and are not found by what it was called', async () => {
  const [mine, other] = [await site(), await site()];
  const changes = '/api/extras/object-changes/';
  for (const { id } of [mine, other])
    await used.admin.patch(`/api/dcim/sites/${id}/`, {
      description: 'x',
      changelog_message: `message ${unique('secret')}`,
    });
  const { client } = await userWith(used.admin, sitesNamed(mine.name), {
    types: ['core.objectchange'],
    actions: ['view'],
  });
  const of = (id: number) => `${changes}?changed_object_type=dcim.site&changed_object_id=${id}`;
  expect((await client.read(of(mine.id))).results[0]).toMatchObject({
    object_repr: mine.name,
    changed_object: { name: mine.name },
    postchange_data: { name: mine.name },
  });
  const { text, body } = await client.get(of(other.id));
  expect(text).not.toContain('secret-');
  expect(body.results[0]).toMatchObject({
    action: { value: 'update' },
    changed_object_id: other.id,
    changed_object: null,
    object_repr: '',
    message: '',
    prechange_data: null,
    postchange_data: null,
    display: `DCIM | site ${other.id} updated by admin`,
  });
  for (const query of [
    `object_repr=${other.name}`,
    `object_repr__isw=${other.name.slice(0, 12)}`,
    `object_repr__nisw=zzz&changed_object_id=${other.id}`,
    `q=${other.name}`,
  ]) {
    expect([query, (await used.admin.read(`${changes}?${query}`)).count > 0]).toEqual([query, true]);
    expect([query, (await client.read(`${changes}?${query}`)).count]).toEqual([query, 0]);
  }
  const ordered = async (direction: string) =>
    client.column(
      `${changes}?changed_object_id=${mine.id}&changed_object_id=${other.id}&changed_object_type=dcim.site&ordering=${direction}object_repr`,
      'id',
    );
  expect([...(await ordered(''))].sort()).toEqual([...(await ordered('-'))].sort());
  const { client: everything } = await userWith(used.admin, {
    types: ['dcim.site', 'core.objectchange'],
    actions: ['view'],
  });
  expect((await everything.read(`${changes}?object_repr=${other.name}`)).results[0]).toMatchObject({
    object_repr: other.name,
    changed_object: { name: other.name },
  });
});

describe('deliveries', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('show what was sent to those only who may view the object', async () => {
    const webhook = await makeWebhook(used.admin, receiver);
    const there = await site();
    const {
      body: { id },
    } = await sample(used.admin, webhook, there as never);
    expect((await ended(used.admin, id, 'succeeded')).payload.data.name).toBe(there.name);
    const { client } = await userWith(used.admin, { types: ['extras.webhookdelivery'], actions: ['view'] });
    const { text, body } = await client.get(`${deliveries}${id}/`);
    expect(text).not.toContain(there.name);
    expect(body).toMatchObject({
      object_type: 'dcim.site',
      object_id: there.id,
      status: { value: 'succeeded' },
      payload: null,
      request_url: null,
      attempt_log: [],
    });
    expect((await client.get(`${deliveries}?id=${id}&fields=payload,attempt_log`)).text).not.toContain(there.name);
    const { client: viewer } = await userWith(
      used.admin,
      { types: ['extras.webhookdelivery'], actions: ['view'] },
      sitesNamed(there.name),
    );
    expect((await viewer.read(`${deliveries}${id}/`)).payload.data.name).toBe(there.name);
  });
});

test('a deletion that is refused names only what may be viewed', async () => {
  const held = await named('/api/tenancy/tenants/');
  const [mine, other] = [
    await secretly('/api/dcim/sites/', 'dcim.site', { tenant: held.id }),
    await secretly('/api/dcim/sites/', 'dcim.site', { tenant: held.id }),
  ];
  const type = await named('/api/dcim/rack-roles/', { color: 'ff0000' });
  const rack = await used.admin.make('/api/dcim/racks/', { name: unique('secret'), site: mine.id, role: type.id });
  const { client } = await userWith(
    used.admin,
    { types: ['tenancy.tenant', 'dcim.rackrole'], actions: ['delete'] },
    sitesNamed(mine.name),
  );
  const elsewhere = await client.delete(`/api/tenancy/tenants/${held.id}/`);
  const here = await client.delete(`/api/dcim/rack-roles/${type.id}/`);
  expect([elsewhere.status, here.status]).toEqual([409, 409]);
  expect(elsewhere.body.detail).toContain(`${mine.name} (${mine.id})`);
  expect(elsewhere.body.detail).toContain(`dcim.site ${other.id}`);
  expect(elsewhere.text).not.toContain(other.name);
  expect(here.body.detail).toMatch(new RegExp(`found: dcim.rack ${rack.id}$`));
  expect((await used.admin.delete(`/api/dcim/rack-roles/${type.id}/`)).body.detail).toContain(rack.name);
});
