import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { nextNetwork, unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const rules = '/api/extras/event-rules/';
const webhooks = '/api/extras/webhooks/';
const sites = '/api/dcim/sites/';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** A rule with a webhook of its own, and what the webhook has sent so far. */
async function told(rule: object, webhook: object = {}): Promise<{ rule: Body; bodies(): Body[] }> {
  const name = unique('rule');
  const path = `/${name}`;
  const { id } = await used.admin.make(webhooks, { name, payload_url: receiver.url + path, ...webhook });
  const made = await used.admin.make(rules, {
    name,
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: id,
    ...rule,
  });
  return { rule: made, bodies: () => receiver.at(path).map(({ body }) => JSON.parse(body.toString()) as Body) };
}
const site = (more: object = {}): Promise<Body> => {
  const slug = unique('site');
  return used.admin.make(sites, { name: slug, slug, ...more });
};
const about = (name: string) => ({ attr: 'name', op: 'contains', value: name });

const shown = [
  'id',
  'url',
  'display_url',
  'display',
  'name',
  'slug',
  'status',
  'region',
  'group',
  'tenant',
  'facility',
  'time_zone',
  'description',
  'physical_address',
  'shipping_address',
  'latitude',
  'longitude',
  'owner',
  'comments',
  'asns',
  'tags',
  'custom_fields',
  'created',
  'last_updated',
];
const counts = ['circuit_count', 'device_count', 'prefix_count', 'rack_count', 'virtualmachine_count', 'vlan_count'];
const snapshot = [
  'created',
  'owner',
  'description',
  'comments',
  'name',
  'slug',
  'status',
  'region',
  'group',
  'tenant',
  'facility',
  'time_zone',
  'physical_address',
  'shipping_address',
  'latitude',
  'longitude',
  'asns',
  'custom_fields',
  'tags',
];

test('the default body has the keys of the reference, in its order', async () => {
  const name = unique('keys');
  const { bodies } = await told({ conditions: about(name) });
  const { id } = await site({ name, latitude: 52.52 });
  await used.admin.patch(`${sites}${id}/`, { description: 'changed' });
  await used.admin.delete(`${sites}${id}/`);
  const [created, updated, deleted] = await eventually(() => {
    expect(bodies()).toHaveLength(3);
    return bodies().sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  });
  for (const body of [created, updated, deleted]) {
    expect(Object.keys(body)).toEqual([
      'event',
      'timestamp',
      'object_type',
      'username',
      'request_id',
      'data',
      'request',
      'snapshots',
    ]);
    expect(Object.keys(body.request)).toEqual(['id', 'method', 'path', 'user']);
    expect(Object.keys(body.snapshots)).toEqual(['prechange', 'postchange']);
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    for (const state of Object.values(body.snapshots)) if (state) expect(Object.keys(state)).toEqual(snapshot);
  }
  expect(Object.keys(created.data)).toEqual(shown);
  for (const body of [updated, deleted]) expect(Object.keys(body.data)).toEqual([...shown, ...counts]);
  expect(created).toMatchObject({
    event: 'created',
    snapshots: { prechange: null, postchange: { name, status: 'active', latitude: '52.520000', tags: [], asns: [] } },
  });
  expect(updated).toMatchObject({
    event: 'updated',
    username: 'admin',
    object_type: 'dcim.site',
    request: { method: 'PATCH', path: `${sites}${id}/`, user: 'admin', id: updated.request_id },
    data: { url: `${sites}${id}/`, status: { value: 'active', label: 'Active' } },
    snapshots: { prechange: { description: '' }, postchange: { description: 'changed' } },
  });
  expect(deleted).toMatchObject({
    event: 'deleted',
    snapshots: { prechange: { description: 'changed' }, postchange: null },
  });
});

test('conditions decide, on the object and on its snapshots; several rules fire for one change; data of the rule is merged', async () => {
  const name = unique('cond');
  const becameActive = {
    and: [
      about(name),
      { attr: 'snapshots.prechange.status', value: 'active', negate: true },
      { attr: 'snapshots.postchange.status', value: 'active' },
    ],
  };
  const active = await told({ conditions: becameActive, event_types: ['object_updated'] });
  const tagged = await told({
    conditions: {
      and: [
        about(name),
        {
          or: [
            { attr: 'tags.slug', op: 'contains', value: name },
            { attr: 'status.value', op: 'in', value: ['retired'] },
          ],
        },
      ],
    },
  });
  const all = await told({ conditions: about(name), action_data: { team: 'noc', name: 'not this' } });
  const tag = await used.admin.make('/api/extras/tags/', { name, slug: name });
  const made = await site({ name, status: 'planned', tags: [tag.id] });
  await used.admin.patch(`${sites}${made.id}/`, { status: 'active', tags: [] });
  await used.admin.patch(`${sites}${made.id}/`, { description: 'still active' });
  await eventually(() => expect(all.bodies()).toHaveLength(3));
  expect(all.bodies()[0].data).toMatchObject({ team: 'noc', name });
  await eventually(() =>
    expect(active.bodies()).toMatchObject([
      { snapshots: { prechange: { status: 'planned', tags: [name] }, postchange: { status: 'active', tags: [] } } },
    ]),
  );
  expect(tagged.bodies()).toMatchObject([{ event: 'created' }]);
});

test('what one request brings about in another service is one event for each object', async () => {
  const name = unique('dev');
  const { bodies } = await told({ object_types: ['dcim.device'], conditions: about(name) });
  const { device } = await numberedDevice(name);
  // One for its creation, and one for its addresses.
  await eventually(() => expect(bodies()).toHaveLength(2));
  expect(
    (await used.admin.delete('/api/ipam/ip-addresses/', [{ id: device.primary_ip4.id }, { id: device.primary_ip6.id }]))
      .status,
  ).toBe(204);
  const [body] = await eventually(() => {
    expect(bodies()).toHaveLength(3);
    return bodies().slice(2);
  });
  expect(body).toMatchObject({
    event: 'updated',
    request: { method: 'DELETE', path: '/api/ipam/ip-addresses/' },
    data: { primary_ip4: null, primary_ip6: null },
    snapshots: {
      prechange: { primary_ip4: device.primary_ip4.id, primary_ip6: device.primary_ip6.id },
      postchange: { primary_ip4: null, primary_ip6: null },
    },
  });
});

/** A device with two primary addresses. */
async function numberedDevice(slug: string): Promise<{ device: Body }> {
  const named = { name: slug, slug };
  const [manufacturer, role, there] = await Promise.all([
    used.admin.make('/api/dcim/manufacturers/', named),
    used.admin.make('/api/dcim/device-roles/', named),
    site(),
  ]);
  const type = await used.admin.make('/api/dcim/device-types/', { manufacturer: manufacturer.id, model: slug, slug });
  const { id } = await used.admin.make('/api/dcim/devices/', {
    name: slug,
    site: there.id,
    role: role.id,
    device_type: type.id,
  });
  const port = await used.admin.make('/api/dcim/interfaces/', { device: id, name: 'eth0', type: 'virtual' });
  const net = nextNetwork();
  const on = { assigned_object_type: 'dcim.interface', assigned_object_id: port.id };
  const four = await used.admin.make('/api/ipam/ip-addresses/', { address: `${net.four}.1/32`, ...on });
  const six = await used.admin.make('/api/ipam/ip-addresses/', { address: `${net.six}::1/128`, ...on });
  await eventually(async () =>
    expect(
      (await used.admin.patch(`/api/dcim/devices/${id}/`, { primary_ip4: four.id, primary_ip6: six.id })).status,
    ).toBe(200),
  );
  return { device: await used.admin.read(`/api/dcim/devices/${id}/`) };
}

describe('a rule that notifies', () => {
  test('tells the users of a group and of its groups, once each, of what happened last, if they may view it', async () => {
    const viewer = () => userWith(used.admin, { actions: ['view'] });
    const [one, two, three, blind] = [await viewer(), await viewer(), await viewer(), await userWith(used.admin)];
    const group = await used.admin.make('/api/users/groups/', { name: unique('group') });
    await used.admin.patch(`/api/users/users/${two.id}/`, { groups: [group.id] });
    const name = unique('told');
    const team = await used.admin.make('/api/extras/notification-groups/', {
      name,
      users: [one.id, blind.id],
      groups: [group.id],
    });
    const rule = await used.admin.make(rules, {
      name,
      object_types: ['dcim.site'],
      event_types: ['object_created', 'object_deleted'],
      action_type: 'notification',
      action_object_type: 'extras.notificationgroup',
      action_object_id: team.id,
      conditions: about(name),
    });
    expect(rule).toMatchObject({ action_type: { value: 'notification' }, action_object: { id: team.id, name } });
    const made = await site({ name });
    for (const { client, id } of [one, two]) {
      await eventually(async () =>
        expect((await client.read('/api/extras/notifications/')).results).toMatchObject([
          {
            display: name,
            object_type: 'dcim.site',
            object_id: made.id,
            object: { name },
            event_type: 'object_created',
            read: null,
            user: { id },
          },
        ]),
      );
    }
    await used.admin.delete(`${sites}${made.id}/`);
    await eventually(async () =>
      expect((await one.client.read('/api/extras/notifications/')).results).toMatchObject([
        { display: name, object_id: made.id, object: null, event_type: 'object_deleted' },
      ]),
    );
    for (const { client } of [three, blind]) expect((await client.read('/api/extras/notifications/')).count).toBe(0);
  });
});

describe('a rule that cannot work is refused', () => {
  const good = () => ({
    name: unique('bad'),
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: 1,
  });
  const refusal = async (more: object) => {
    const { status, body } = await used.admin.post(rules, { ...good(), ...more });
    expect(status).toBe(400);
    return body;
  };
  test.each<[object, object]>([
    [{ action_type: 'script' }, { action_type: [expect.stringContaining('Scripts')] }],
    [
      { action_type: 'script', action_object_type: 'extras.script', action_object_id: 1 },
      { action_type: [expect.stringContaining('Scripts')], action_object_type: expect.anything() },
    ],
    [{ action_type: 'mail' }, { action_type: ['mail is not a valid choice.'] }],
    [
      { action_type: 'notification' },
      { action_object_type: ['An action of type notification needs an object of type extras.notificationgroup.'] },
    ],
    [
      { action_object_id: 999_999_999 },
      { action_object_id: ['Related object not found using the provided value: 999999999.'] },
    ],
    [{ action_object_id: null }, { action_object_id: ['This field cannot be null.'] }],
    [{ event_types: [] }, { event_types: ['This list may not be empty.'] }],
    [{ event_types: ['object_moved'] }, { event_types: expect.anything() }],
    [{ object_types: ['dcim.nothing'] }, { object_types: expect.anything() }],
    [
      { conditions: { bogus: 1 } },
      { conditions: ["Invalid logic type: must be 'AND' or 'OR'. Please check documentation."] },
    ],
    [
      { conditions: { and: [{ attr: 'name', value: 'x' }, { or: [{ attr: 'name', op: 'like', value: 'x' }] }] } },
      {
        conditions: [
          'Unknown operator: like. Must be one of: eq, gt, gte, lt, lte, in, contains, regex (at and[1].or[0])',
        ],
      },
    ],
    [
      { conditions: { attr: 'name', op: 'regex', value: '(' } },
      { conditions: ['Invalid regular expression: /(/: Unterminated group'] },
    ],
    [{ action_data: [1] }, { action_data: ['Expected a dictionary.'] }],
  ])('%j', async (more, errors) => {
    // Whether the webhook exists does not matter when something else is wrong as well.
    const { id } = await used.admin.make(webhooks, { name: unique('any'), payload_url: receiver.url });
    expect(await refusal({ action_object_id: id, ...more })).toEqual(errors);
  });
  test('events of jobs are accepted, although nothing here runs any', async () => {
    const events = ['job_started', 'job_completed', 'job_failed', 'job_errored'];
    expect((await told({ event_types: events })).rule.event_types).toEqual(events);
  });
});

test('a webhook that cannot work is refused, and told where', async () => {
  const refusal = async (more: object) => {
    const { status, body } = await used.admin.post(webhooks, {
      name: unique('bad'),
      payload_url: 'http://x/',
      ...more,
    });
    expect([more, status]).toEqual([more, 400]);
    return body;
  };
  expect(await refusal({ payload_url: 'http://x/{{ bad' })).toEqual({
    payload_url: ["Invalid template: unexpected end of template, expected 'end of print statement'."],
  });
  expect(await refusal({ body_template: '{\n  "a": "{{ a b }}"\n}' })).toEqual({
    body_template: ["Invalid template: expected token 'end of print statement' (line 2, column 14)"],
  });
  expect(await refusal({ additional_headers: 'X-A: 1\nnonsense' })).toEqual({
    additional_headers: ['Line 2: expected a header as "Name: value", got "nonsense".'],
  });
  expect(await refusal({ additional_headers: 'X-A: 1\nContent-Length: 5' })).toEqual({
    additional_headers: ['Line 2: the header Content-Length cannot be set.'],
  });
  for (const [payload_url, message] of [
    ['ftp://x/', 'Only http and https are supported, not ftp.'],
    ['http://', 'Not a URL: "http://".'],
    ['nonsense', 'Not a URL: "nonsense".'],
    ['javascript:alert(1)', 'Only http and https are supported, not javascript.'],
  ])
    expect(await refusal({ payload_url })).toEqual({ payload_url: [message] });
  expect(await refusal({ http_content_type: 'a\r\nX-Evil: 1' })).toEqual({
    http_content_type: ['A content type may not have control characters.'],
  });
});
