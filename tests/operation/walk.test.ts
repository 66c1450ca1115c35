import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
});

test('the walk of the README: a token, a webhook, a rule, a site, and the delivery arrives within a second', async () => {
  const provisioned = await used.admin
    .as()
    .post('/api/users/tokens/provision/', { username: 'admin', password: adminPassword });
  expect(provisioned.status).toBe(201);
  expect(provisioned.body).toMatchObject({ version: 2, write_enabled: true, user: { username: 'admin' } });
  const me = used.admin.as(`Bearer svc_${provisioned.body.key}.${provisioned.body.token}`);

  const name = unique('walk');
  const secret = 'a secret of the receiver';
  const webhook = await me.make('/api/extras/webhooks/', {
    name,
    payload_url: `${receiver.url}/${name}`,
    secret,
    additional_headers: 'X-Site: {{ data.name | header_safe }}',
  });
  const rule = await me.make('/api/extras/event-rules/', {
    name,
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
    conditions: { attr: 'slug', value: name },
  });
  expect(rule).toMatchObject({ enabled: true, action_object: { id: webhook.id, name } });

  // A rule applies once the service that delivers knows it; here that service itself answered.
  const created = await me.post('/api/dcim/sites/', { name, slug: name, changelog_message: 'walked' });
  const answeredAt = Date.now();
  expect(created.status).toBe(201);
  const [delivery] = await eventually(() => {
    expect(receiver.at(`/${name}`)).toHaveLength(1);
    return receiver.at(`/${name}`);
  });
  const tookMs = delivery!.at - answeredAt;

  expect(delivery).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json', 'x-site': name } });
  expect(delivery!.headers['x-hook-signature']).toBe(createHmac('sha512', secret).update(delivery!.body).digest('hex'));
  const body = JSON.parse(delivery!.body.toString()) as Record<string, unknown>;
  expect(Object.keys(body).sort()).toEqual([
    'data',
    'event',
    'object_type',
    'request',
    'request_id',
    'snapshots',
    'timestamp',
    'username',
  ]);
  const requestId = created.headers.get('x-request-id');
  expect(body).toMatchObject({
    event: 'created',
    object_type: 'dcim.site',
    username: 'admin',
    request_id: requestId,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/),
    request: { id: requestId, method: 'POST', path: '/api/dcim/sites/', user: 'admin' },
    data: {
      id: created.body.id,
      url: `/api/dcim/sites/${created.body.id}/`,
      name,
      slug: name,
      status: { value: 'active', label: 'Active' },
      tags: [],
      custom_fields: expect.any(Object),
    },
    snapshots: { prechange: null, postchange: { name, slug: name, status: 'active', region: null } },
  });

  const kept = await eventually(async () => {
    const found = await me.read(`/api/extras/webhook-deliveries/?webhook_id=${webhook.id}`);
    expect(found).toMatchObject({ count: 1, results: [{ status: { value: 'succeeded' } }] });
    return found.results[0];
  });
  expect(kept).toMatchObject({
    rule: { id: rule.id },
    webhook: { id: webhook.id },
    object_type: 'dcim.site',
    object_id: created.body.id,
    request_id: requestId,
    attempts: 1,
    response_status: 200,
  });

  const site = `/api/dcim/sites/${created.body.id}/`;
  expect((await me.patch(site, { description: 'changed' })).status).toBe(200);
  expect((await me.delete(site)).status).toBe(204);
  // Deliveries of different changes are made at the same time, so any may arrive first.
  const all = await eventually(() => {
    expect(receiver.at(`/${name}`)).toHaveLength(3);
    return receiver.at(`/${name}`).map((one) => JSON.parse(one.body.toString()));
  });
  expect(
    all
      .map(({ event, request, snapshots }) => [
        event,
        request.method,
        snapshots.prechange?.description ?? null,
        snapshots.postchange?.description ?? null,
      ])
      .sort(),
  ).toEqual([
    ['created', 'POST', null, ''],
    ['deleted', 'DELETE', 'changed', null],
    ['updated', 'PATCH', '', 'changed'],
  ]);

  // On a busy machine one delivery may be late. If the system itself waited for anything, all would be late.
  const perhapsSooner = async (): Promise<number> => {
    const slug = unique('soon');
    expect(
      (await me.patch(`/api/extras/event-rules/${rule.id}/`, { conditions: { attr: 'slug', value: slug } })).status,
    ).toBe(200);
    const before = receiver.at(`/${name}`).length;
    await me.make('/api/dcim/sites/', { name: slug, slug });
    const made = Date.now();
    return (
      (
        await eventually(() => {
          expect(receiver.at(`/${name}`)).toHaveLength(before + 1);
          return receiver.at(`/${name}`);
        })
      )[before]!.at - made
    );
  };
  let soonestMs = tookMs;
  for (let i = 0; i < 20 && soonestMs >= 1_000; i++) soonestMs = Math.min(soonestMs, await perhapsSooner());
  expect(soonestMs).toBeLessThan(1_000);
  expect((await me.patch(`/api/extras/event-rules/${rule.id}/`, { enabled: false })).status).toBe(200);
});

test('a destination that refuses is a failed delivery', async () => {
  const name = unique('fail');
  const webhook = await used.admin.make('/api/extras/webhooks/', { name, payload_url: `${receiver.url}/${name}` });
  const rule = await used.admin.make('/api/extras/event-rules/', {
    name,
    object_types: ['dcim.region'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
    conditions: { attr: 'slug', value: name },
  });
  receiver.answer(503);
  try {
    await used.admin.make('/api/dcim/regions/', { name, slug: name });
    await eventually(async () => {
      expect((await used.admin.read(`/api/extras/webhook-deliveries/?webhook_id=${webhook.id}`)).results).toMatchObject(
        [{ status: { value: 'failed' }, response_status: 503, attempts: 1, rule: { id: rule.id } }],
      );
    });
    expect(receiver.at(`/${name}`)).toHaveLength(1);
  } finally {
    receiver.answer(200);
  }
});
