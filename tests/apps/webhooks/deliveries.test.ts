import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import {
  deliveries,
  ended as endedAs,
  makeRule,
  makeSite as siteOf,
  makeWebhook as webhookTo,
  sample as sampleOf,
  soon,
  webhooks,
} from '../../support/webhooks/hooks.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const delivery = 'extras.webhookdelivery';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const own = unique('delivered');
const makeSite = () => siteOf(used.admin, own);
const makeWebhook = (more: object = {}) => webhookTo(used.admin, receiver, more);
const sample = (webhook: Body, site: Body, client = used.admin) => sampleOf(client, webhook, site);
const ended = (id: number, status: string) => endedAs(used.admin, id, status);

test('a test sends a sample about an object, and its outcome is on record, without secrets', async () => {
  const site = await makeSite();
  const webhook = await makeWebhook({
    secret: 's3cr3t-of-hook',
    additional_headers: 'X-Vault-Token: tok-12345\nX-Site: {{ data.name }}',
    body_template: '{"name": "{{ data.name }}", "password": "hunter22"}',
  });
  const made = await sample(webhook, site);
  expect([made.status, made.headers.get('location')]).toEqual([
    201,
    `${used.system.base}${deliveries}${made.body.id}/`,
  ]);
  expect(made.body).toMatchObject({
    kind: { value: 'test', label: 'Test' },
    rule: null,
    replay: null,
    webhook: { id: webhook.id },
    object_type: 'dcim.site',
    object_id: site.id,
    event_type: 'object_created',
    requested_by: 'admin',
  });
  const one = await ended(made.body.id, 'succeeded');
  const [got] = receiver.at(`/${webhook.name}`);
  expect(JSON.parse(got!.body.toString())).toEqual({ name: site.name, password: 'hunter22' });
  expect(got!.headers).toMatchObject({
    'x-vault-token': 'tok-12345',
    'x-hook-signature': expect.stringMatching(/^[0-9a-f]{128}$/),
  });
  expect(one).toMatchObject({
    attempts: 1,
    response_status: 200,
    method: 'POST',
    request_url: `${receiver.url}/${webhook.name}`,
    error: null,
    payload: {
      event: 'created',
      object_type: 'dcim.site',
      username: 'admin',
      data: { id: site.id, name: site.name },
      snapshots: { prechange: null, postchange: { slug: site.slug } },
    },
  });
  expect(one.attempt_log).toEqual([
    {
      number: 1,
      started: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      worker: expect.any(String),
      method: 'POST',
      url: `${receiver.url}/${webhook.name}`,
      request_headers: expect.objectContaining({
        'X-Vault-Token': '********',
        'X-Hook-Signature': '********',
        'X-Site': site.name,
      }),
      request_body: `{"name": "${site.name}", "password": "********"}`,
      response_status: 200,
      response_headers: expect.any(Object),
      response_body: 'ok',
      error_kind: null,
      error: null,
    },
  ]);
  const text = (await used.admin.get(`${deliveries}${one.id}/`)).text;
  for (const secret of ['s3cr3t-of-hook', 'tok-12345', 'hunter22', String(got!.headers['x-hook-signature'])])
    expect(text).not.toContain(secret);
  // A list is an overview: attempts are included only when they are asked for.
  const {
    results: [listed],
  } = await used.admin.read(`${deliveries}?id=${one.id}`);
  expect(listed).not.toHaveProperty('attempt_log');
  expect((await used.admin.read(`${deliveries}?id=${one.id}&fields=attempt_log`)).results).toEqual([
    { attempt_log: one.attempt_log },
  ]);
});

test('a test needs its permission on the webhook and sight of the object', async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const webhook = await makeWebhook();
  const { client } = await userWith(
    used.admin,
    { types: ['extras.webhook'], actions: ['test'], constraints: { name: webhook.name } },
    { types: ['dcim.site'], actions: ['view'], constraints: { name: site.name } },
  );
  expect((await sample(webhook, site, client)).status).toBe(201);
  expect(await sample(webhook, other, client)).toMatchObject({
    status: 400,
    body: { object_id: [`Related object not found using the provided numeric ID: ${other.id}`] },
  });
  expect((await sample(await makeWebhook(), site, client)).status).toBe(404);
  const { client: reader } = await userWith(used.admin, {
    types: ['extras.webhook', 'dcim.site'],
    actions: ['view', 'change'],
  });
  expect((await sample(webhook, site, reader)).status).toBe(403);
});

test('what is wrong with a test is said by field', async () => {
  const webhook = await makeWebhook();
  const ask = async (body: unknown) => {
    const { status, body: answer } = await used.admin.post(`${webhooks}${webhook.id}/test/`, body);
    return [status, answer];
  };
  expect(await ask({})).toEqual([
    400,
    { object_type: ['This field is required.'], object_id: ['This field is required.'] },
  ]);
  expect(await ask({ object_type: 'dcim.nothing', object_id: 'x', event: 'exploded', more: 1 })).toEqual([
    400,
    {
      object_type: expect.any(Array),
      object_id: expect.any(Array),
      event: ['exploded is not a valid choice.'],
      more: ['Unknown field.'],
    },
  ]);
  expect(await ask([])).toEqual([400, { non_field_errors: ['Invalid data. Expected a dictionary.'] }]);
  expect((await used.admin.post(`${webhooks}999999999/test/`, {})).status).toBe(404);
  expect((await used.admin.get(`${webhooks}${webhook.id}/test/`)).status).toBe(405);
});

test('a failed delivery is requeued, by one or by filter, and every attempt stays on record', async () => {
  const webhook = await makeWebhook();
  // Other files make sites at the same time.
  await makeRule(used.admin, webhook, { conditions: { attr: 'slug', op: 'regex', value: `^${own}-` } });
  receiver.answer(500);
  const sites = [await makeSite(), await makeSite(), await makeSite()];
  const mine = `${deliveries}?webhook_id=${webhook.id}`;
  const failed: Body[] = await eventually(async () => {
    const { results } = await used.admin.read(`${mine}&status=failed`);
    expect(results).toHaveLength(3);
    return results;
  }, soon);
  receiver.answer(200);
  expect(failed[0]).toMatchObject({
    response_status: 500,
    error_kind: 'status',
    error: 'The receiver answered 500',
    kind: { value: 'event' },
  });
  const one = failed.find(({ object_id }) => object_id === sites[0].id);
  // Held, as the delivery could be attempted again before the answer to the requeue is sent.
  receiver.hold(`/${webhook.name}`);
  const requeued = await used.admin.post(`${deliveries}${one.id}/requeue/`);
  expect([requeued.status, requeued.body]).toEqual([
    200,
    expect.objectContaining({ id: one.id, requeues: 1, requested_by: 'admin', finished: null }),
  ]);
  receiver.release(`/${webhook.name}`);
  expect(
    (await ended(one.id, 'succeeded')).attempt_log.map(({ number, response_status }: Body) => [
      number,
      response_status,
    ]),
  ).toEqual([
    [1, 500],
    [2, 200],
  ]);
  // By filter: the oldest first, up to the limit, and the answer says whether there are more.
  expect((await used.admin.post(`${deliveries}requeue/?webhook_id=${webhook.id}&status=failed&limit=1`)).body).toEqual({
    requeued: 1,
    more: true,
  });
  expect(
    (await used.admin.post(`${deliveries}requeue/`, { webhook_id: [webhook.id], object_id: sites.map(({ id }) => id) }))
      .body,
  ).toEqual({ requeued: 1, more: false });
  // The time of an attempt is that of its beginning.
  await eventually(
    async () => expect(await used.admin.column(`${mine}&status=succeeded`, 'attempts')).toEqual([2, 2, 2]),
    soon,
  );
  // What has succeeded is sent again only when the filter names that status.
  expect((await used.admin.post(`${deliveries}requeue/?webhook_id=${webhook.id}`)).body).toEqual({
    requeued: 0,
    more: false,
  });
  expect((await used.admin.post(`${deliveries}requeue/?webhook_id=${webhook.id}&status=succeeded`)).body).toEqual({
    requeued: 3,
    more: false,
  });
  await eventually(() => expect(receiver.at(`/${webhook.name}`)).toHaveLength(9), soon);
});

test('requests to requeue many that say too little or something unknown are refused', async () => {
  const ask = async (query: string, body?: unknown) => {
    const answer = await used.admin.post(`${deliveries}requeue/${query}`, body);
    return [answer.status, answer.body];
  };
  expect(await ask('')).toEqual([400, { detail: 'Name at least one filter, such as status.' }]);
  expect(await ask('?stats=failed')).toEqual([400, { stats: ['Unknown filter.'] }]);
  expect(await ask('', { status: { value: 'failed' } })).toEqual([
    400,
    { status: ['Expected a value or a list of values.'] },
  ]);
  expect(await ask('', ['failed'])).toEqual([
    400,
    { non_field_errors: ['Invalid data. Expected a dictionary of filters.'] },
  ]);
  expect(await ask('?status=failed&limit=0')).toEqual([400, { limit: ['A valid integer, at least 1, is required.'] }]);
  expect((await used.admin.post(`${deliveries}999999999/requeue/`)).status).toBe(404);
});

test('what waits or is under way is cancelled; what has ended is not', async () => {
  const webhook = await makeWebhook();
  const site = await makeSite();
  receiver.hold(`/${webhook.name}`);
  const {
    body: { id },
  } = await sample(webhook, site);
  await eventually(() => expect(receiver.at(`/${webhook.name}`)).toHaveLength(1), soon);
  const cancelled = await used.admin.post(`${deliveries}${id}/cancel/`);
  expect([cancelled.status, cancelled.body]).toEqual([
    200,
    expect.objectContaining({ status: { value: 'cancelled', label: 'Cancelled' }, cancelled_by: 'admin' }),
  ]);
  // The attempt is stopped, and stays on record.
  await eventually(
    async () =>
      expect((await used.admin.read(`${deliveries}${id}/`)).attempt_log).toMatchObject([
        { number: 1, error: 'Stopped while it was under way' },
      ]),
    soon,
  );
  receiver.release(`/${webhook.name}`);
  expect(await used.admin.post(`${deliveries}${id}/cancel/`)).toMatchObject({
    status: 409,
    body: { detail: 'The delivery is cancelled. Only what is pending or running can be cancelled.' },
  });
  expect((await used.admin.post(`${deliveries}${id}/requeue/`)).status).toBe(200);
  expect(await ended(id, 'succeeded')).toMatchObject({ attempts: 2, cancelled_by: null });
  expect((await used.admin.post(`${deliveries}cancel/?webhook_id=${webhook.id}`)).body).toEqual({
    cancelled: 0,
    more: false,
  });
});

test('requeueing and cancelling need the permission to change, for those deliveries', async () => {
  const webhook = await makeWebhook();
  const other = await makeWebhook();
  const site = await makeSite();
  const [mine, theirs] = [(await sample(webhook, site)).body.id, (await sample(other, site)).body.id];
  await ended(mine, 'succeeded');
  await ended(theirs, 'succeeded');
  const { client: reader } = await userWith(used.admin, { types: [delivery], actions: ['view'] });
  for (const path of [`${mine}/requeue/`, `${mine}/cancel/`, 'requeue/?status=failed', 'cancel/?status=pending'])
    expect([path, (await reader.post(deliveries + path)).status]).toEqual([path, 403]);
  const { client } = await userWith(used.admin, {
    types: [delivery],
    actions: ['view', 'change'],
    constraints: { webhook__name: webhook.name },
  });
  expect((await client.post(`${deliveries}${mine}/requeue/`)).status).toBe(200);
  expect((await client.post(`${deliveries}${theirs}/requeue/`)).status).toBe(404);
  await ended(mine, 'succeeded');
  expect((await client.post(`${deliveries}requeue/?status=succeeded`)).body).toEqual({ requeued: 1, more: false });
  expect((await used.admin.read(`${deliveries}${theirs}/`)).requeues).toBe(0);
});

test('deliveries are filtered by all of their fields', async () => {
  const webhook = await makeWebhook();
  const site = await makeSite();
  const {
    body: { id },
  } = await sample(webhook, site);
  const one = await ended(id, 'succeeded');
  const mine = `webhook_id=${webhook.id}`;
  const found = [
    'status=succeeded',
    'status__n=failed',
    'kind=test',
    'kind__n=event',
    `webhook=${webhook.name}`,
    'object_type=dcim.site',
    `object_id=${site.id}`,
    `object_id__gte=${site.id}`,
    `event_id=${one.event_id}`,
    `request_id=${one.request_id}`,
    'event_type=object_created',
    'event_type__isw=object',
    'attempts=1',
    'attempts__lt=2',
    'response_status=200',
    'response_status__lte=299',
    'destination__ic=127.0.0.1',
    'method__ie=post',
    'requested_by=admin',
    'requeues=0',
    'error_kind__empty=true',
    `worker=${one.worker}`,
    `created__gte=${one.created.slice(0, 19)}Z`,
    'finished__empty=false',
    `q=${encodeURIComponent(one.destination)}`,
  ];
  for (const filter of found)
    expect([filter, await used.admin.column(`${deliveries}?${mine}&${filter}`, 'id')]).toEqual([filter, [id]]);
  const missed = [
    'status=failed',
    'kind=replay',
    'attempts__gt=1',
    `object_id__n=${site.id}`,
    'response_status__gte=300',
    'error_kind=status',
    'replay_id=null&kind=event',
    'finished__lt=2020-01-01',
    'requested_by__n=admin',
  ];
  for (const filter of missed)
    expect([filter, await used.admin.column(`${deliveries}?${mine}&${filter}`, 'id')]).toEqual([filter, []]);
  expect((await used.admin.read(`${deliveries}?${mine}`)).count).toBe(1);
  await sample(webhook, site);
  // Counts are as exact as of other types, although deliveries are not written by the API.
  expect((await used.admin.read(`${deliveries}?${mine}`)).count).toBe(2);
});

test('deliveries outlive their webhook', async () => {
  const webhook = await makeWebhook();
  const {
    body: { id },
  } = await sample(webhook, await makeSite());
  await ended(id, 'succeeded');
  expect((await used.admin.delete(`${webhooks}${webhook.id}/`)).status).toBe(204);
  expect(await used.admin.read(`${deliveries}${id}/`)).toMatchObject({
    id,
    webhook: null,
    status: { value: 'succeeded' },
  });
  await used.admin.post(`${deliveries}${id}/requeue/`);
  expect(await ended(id, 'failed')).toMatchObject({
    error_kind: 'webhook',
    error: 'The webhook does not exist any more',
  });
});

test('the API document and OPTIONS tell of what can be done', async () => {
  const { paths } = await used.admin.read('/api/schema/?format=json');
  for (const path of [
    `${deliveries}{id}/requeue/`,
    `${deliveries}{id}/cancel/`,
    `${deliveries}requeue/`,
    `${deliveries}cancel/`,
    `${webhooks}{id}/test/`,
    '/api/core/background-tasks/{id}/requeue/',
  ])
    expect([path, Object.keys(paths[path] ?? {})]).toEqual([path, expect.arrayContaining(['post'])]);
  expect(paths[`${deliveries}tail/`].get.responses[200].content).toHaveProperty(['text/event-stream']);
  const ids = Object.values(paths as Record<string, Record<string, { operationId?: string }>>).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  const webhook = await makeWebhook();
  const options = await used.admin.ask('OPTIONS', `${webhooks}${webhook.id}/test/`);
  expect(options).toMatchObject({
    status: 200,
    body: {
      name: 'Send a sample about an object',
      actions: { POST: { object_type: { required: true }, event: { choices: expect.any(Array) } } },
    },
  });
  expect(await used.admin.column(`${deliveries}?webhook_id=${webhook.id}`, 'id')).toEqual([]);
});
