import { createHmac } from 'node:crypto';
import { parseEvent } from '@cadastre/events';
import { expect, test } from '@jest/globals';
import { addRule, change, until } from '../testing/queue.ts';
import {
  attempts,
  database,
  deliveries,
  delivery,
  handled,
  problems,
  publish,
  receive,
  settled,
  start,
} from '../testing/delivery.ts';

test('the recorded default body, signed, within a second; every outcome kept, without secrets', async () => {
  const hook = await receive();
  await addRule(database.pool, {
    payload_url: `${hook.url}/hook?token=t`,
    secret: 's3cr3t',
    additional_headers: 'X-Site: {{ data.name }}\nAuthorization: Bearer x',
  });
  await start();
  await publish([change()]);
  await settled(1);
  // On a busy machine one delivery may be late; if delivery waited for a timer, all of them would be.
  let tookMs = Infinity;
  let event = change();
  for (let i = 0; i < 20 && tookMs >= 1_000; i++) {
    await until(
      async () =>
        (await database.pool.query(`select from webhook_delivery where status <> 'succeeded'`)).rowCount === 0,
    );
    await database.pool.query('truncate webhook_delivery, webhook_attempt');
    hook.received.length = 0;
    event = change({ action: 'updated', prechange: { name: 'old' } });
    const began = performance.now();
    await publish([event]);
    await hook.count(1);
    tookMs = performance.now() - began;
  }
  expect(tookMs).toBeLessThan(1_000);
  const [got] = hook.received;
  const body = JSON.parse(got!.body) as Record<string, unknown>;
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
  expect(body).toEqual({
    event: 'updated',
    timestamp: event.time.replace('Z', '+00:00'),
    object_type: 'dcim.site',
    username: 'admin',
    request_id: event.request!.id,
    data: event.data,
    request: { id: event.request!.id, method: 'POST', path: '/api/dcim/sites/', user: 'admin' },
    snapshots: { prechange: { name: 'old' }, postchange: event.postchange },
  });
  expect(Object.keys(body.data as object)).toEqual(Object.keys(event.data!));
  expect(got!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-site': event.data!.name,
    authorization: 'Bearer x',
    'x-hook-signature': createHmac('sha512', 's3cr3t').update(got!.body).digest('hex'),
  });
  await settled(1);
  expect((await deliveries())[0]).toMatchObject({
    status: 'succeeded',
    event_id: event.id,
    attempts: 1,
    response_status: 200,
    error: null,
    method: 'POST',
    request_url: `${hook.url}/hook?token=********`,
    event_type: 'object_updated',
    lease: null,
    payload_text: got!.body,
  });
  expect((await attempts())[0]).toMatchObject({
    number: 1,
    response_status: 200,
    response_body: 'ok',
    request_body: null,
    request_headers: {
      'X-Hook-Signature': '********',
      Authorization: '********',
      'Content-Type': 'application/json',
    },
  });
  expect(problems).toEqual([]);
});

test('rules: type, event, enabled, conditions, templates, action data; several rules for one change; repeated events', async () => {
  const hook = await receive();
  const url = { payload_url: `${hook.url}/{{ object_type }}/{{ event }}` };
  await addRule(
    database.pool,
    { payload_url: `${hook.url}/active`, body_template: '{"text": "{{ username }} {{ event }} {{ data.name }}"}' },
    {
      conditions: {
        and: [
          { attr: 'status.value', value: 'active' },
          { attr: 'name', op: 'regex', value: 'keep' },
        ],
      },
    },
  );
  await addRule(
    database.pool,
    { payload_url: `${hook.url}/planned` },
    { conditions: { attr: 'status.value', value: 'planned' } },
  );
  await addRule(database.pool, url, { object_types: ['dcim.region'] });
  await addRule(database.pool, url, { event_types: ['object_deleted'] });
  await addRule(database.pool, url, { enabled: false });
  await addRule(database.pool, { payload_url: `${hook.url}/extra` }, { action_data: { extra: 1, name: 'not this' } });
  await start();
  const event = change({ data: { name: 'keep', status: { value: 'active' } } });
  await publish([event, change({ data: { name: 'drop', status: { value: 'active' } }, action: 'deleted' })]);
  await publish([event]);
  await settled(4);
  expect(hook.received.map(({ path }) => path).sort()).toEqual(['/active', '/dcim.site/deleted', '/extra', '/extra']);
  expect(hook.received.find(({ path }) => path === '/active')?.body).toBe('{"text": "admin created keep"}');
  expect(
    hook.received
      .filter(({ path }) => path === '/extra')
      .map(({ body }) => (JSON.parse(body) as { data: unknown }).data),
  ).toContainEqual({ extra: 1, name: 'keep', status: { value: 'active' } });
  await handled();
  expect(await deliveries()).toHaveLength(4);
});

test('changes of one object in one request are one delivery', async () => {
  const hook = await receive();
  await addRule(database.pool, { payload_url: hook.url });
  await start();
  const first = change({ action: 'updated', objectId: 7_000, prechange: { name: 'a' }, postchange: { name: 'b' } });
  await publish([
    first,
    change({ action: 'updated', objectId: 7_000, prechange: { name: 'b' }, postchange: { name: 'c' } }),
  ]);
  await settled(1);
  expect(JSON.parse(hook.received[0]!.body)).toMatchObject({
    event: 'updated',
    snapshots: { prechange: { name: 'a' }, postchange: { name: 'c' } },
  });
  expect((await deliveries()).map(({ event_id }) => event_id)).toEqual([first.id]);
});

test('a rule that has just been written is used; one that has been deleted is not', async () => {
  const hook = await receive();
  await start();
  await publish([change()]);
  await handled();
  const { rule } = await addRule(database.pool, { payload_url: hook.url });
  await publish([change()]);
  await settled(1);
  await database.pool.query('delete from extras_eventrule where id = $1', [rule]);
  await publish([change()]);
  await handled();
  expect(await deliveries()).toHaveLength(1);
  expect(hook.received).toHaveLength(1);
});

test('what follows from one request in several steps is one event, by whatever batches it comes', async () => {
  const hook = await receive();
  await addRule(database.pool, { payload_url: hook.url }, { conditions: { attr: 'snapshots.prechange.n', value: 1 } });
  await start({ WEBHOOK_HOLD_MS: '400' });
  const step = (from: number) =>
    change({
      action: 'updated',
      objectId: 5,
      consequence: true,
      data: { id: 5, n: from + 1 },
      prechange: { n: from },
      postchange: { n: from + 1 },
    });
  await publish([step(1)]);
  await until(async () => (await database.pool.query('select from webhook_held_event')).rowCount === 1);
  await publish([step(2)]);
  await publish([step(3)]);
  await settled(1);
  expect(hook.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: 'updated', data: { n: 4 }, snapshots: { prechange: { n: 1 }, postchange: { n: 4 } } },
  ]);
  expect((await database.pool.query('select from webhook_held_event')).rowCount).toBe(0);
});

test("what is only derived is nobody's business", async () => {
  const hook = await receive();
  await addRule(database.pool, { payload_url: hook.url });
  await start();
  await publish([change({ action: 'updated', data: null }), change()]);
  await settled(1);
  expect(hook.received).toHaveLength(1);
});

test('groups are told through the outbox, once for each event and rule', async () => {
  const hook = await receive();
  await addRule(database.pool, { payload_url: hook.url });
  const telling = {
    action_type: 'notification',
    action_object_type: 'extras.notificationgroup',
    action_object_id: 7,
  };
  await addRule(database.pool, { payload_url: hook.url }, telling);
  await addRule(
    database.pool,
    { payload_url: hook.url },
    { ...telling, action_object_id: 8, conditions: { attr: 'name', op: 'regex', value: 'x' } },
  );
  await start();
  const event = change();
  await publish([event, event]);
  await publish([event]);
  await publish([change({ objectId: 99 })]);
  await settled(2);
  const { rows } = await database.pool.query<{ body: string }>(
    `select body from change where body::json->>'objectType' = 'extras.notice' and body::json->'data'->>'objectId' <> '99'`,
  );
  expect(rows.map(({ body }) => parseEvent(body))).toMatchObject([
    {
      time: event.time,
      data: {
        group: 7,
        objectType: 'dcim.site',
        objectId: event.objectId,
        display: event.display,
        eventType: 'object_created',
      },
    },
  ]);
});

test('the headers of Standard Webhooks name the message the same way in every attempt, and a proxy is gone through where it is meant', async () => {
  const hook = await receive((_, earlier) => (earlier < 1 ? 503 : 200));
  await addRule(database.pool, { payload_url: hook.url, secret: 's3cr3t' });
  await start({
    WEBHOOK_STANDARD_HEADERS: 'true',
    WEBHOOK_RETRIES: '1',
    WEBHOOK_RETRY_DELAY_MS: '20',
    WEBHOOK_PROXY: 'http://127.0.0.1:1',
    WEBHOOK_PROXY_EXCEPT: '127.0.0.0/8',
  });
  await publish([change()]);
  await settled(1);
  const [first, second] = hook.received.map(({ headers }) => headers['webhook-id']);
  expect([first, hook.received[0]?.headers['webhook-signature']]).toEqual([
    second,
    expect.stringMatching(/^v1,.{44}$/),
  ]);
  expect((await attempts())[0].request_headers).toMatchObject({
    'webhook-id': first,
    'webhook-signature': '********',
  });
  await delivery?.stop();
  await database.pool.query('truncate webhook_delivery, webhook_attempt');
  await start({ WEBHOOK_PROXY: 'http://user:pw@127.0.0.1:1' });
  await publish([change()]);
  await settled(1);
  expect((await deliveries())[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('The proxy cannot be reached'),
  });
});
