import { createHmac } from 'node:crypto';
import { createPostgresLog } from '@cadastre/events/postgres';
import {
  type ChangeEvent,
  createFollowers,
  type EventLog,
  keyOf,
  listParked,
  parkedColumns,
  parkedTables,
  parseEvent,
  topicOf,
} from '@cadastre/events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addRule, change, type QueueDatabase, queueDatabase, type Receiver, receiver, until } from './queue/testing.ts';
import { loadWebhookSettings } from './settings.ts';
import { type Delivery, startDelivery } from './start.ts';

let database: QueueDatabase;
let log: EventLog;
let delivery: Delivery | null = null;
const receivers: Receiver[] = [];
const problems: unknown[] = [];
const logger = {
  warn: (details: unknown) => {
    problems.push(details);
  },
  error: (details: unknown) => {
    problems.push(details);
  },
};

beforeAll(async () => {
  database = await queueDatabase();
  log = await createPostgresLog({ connection: database.url });
  await log.ensureTopics([topicOf('dcim')]);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});
beforeEach(async () => {
  problems.length = 0;
  await database.pool.query(
    'truncate extras_eventrule, extras_webhook, webhook_delivery, webhook_attempt, webhook_held, webhook_merged, change, change_queue restart identity',
  );
});
afterEach(async () => {
  await delivery?.stop();
  delivery = null;
  for (const one of receivers.splice(0)) one.close();
});

const receive = async (answer?: Parameters<typeof receiver>[0]): Promise<Receiver> => {
  const made = await receiver(answer);
  receivers.push(made);
  return made;
};
const start = async (settings: Record<string, string> = {}): Promise<void> => {
  delivery = await startDelivery({
    pool: database.pool,
    followers: createFollowers(log, database.pool),
    services: ['dcim'],
    config: loadWebhookSettings(settings),
    logger,
  });
};
const publish = (events: readonly ChangeEvent[]) =>
  log.publish(
    topicOf('dcim'),
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  );
const deliveries = async () =>
  (await database.pool.query('select *, payload::text as payload_text from webhook_delivery order by id')).rows;
const attempts = async () =>
  (await database.pool.query('select * from webhook_attempt order by delivery_id, number')).rows;
/** Waits until all that was published has been handled. */
const handled = async (): Promise<void> => {
  await until(await log.mark('webhooks', [topicOf('dcim')]));
};
const settled = (number: number) =>
  until(
    async () =>
      (await database.pool.query(`select from webhook_delivery where status in ('succeeded', 'failed')`)).rowCount ===
      number,
  );

describe('delivery', () => {
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
    // On a machine with much else to do one may be late. If delivery waited for anything by itself, all would be.
    let tookMs = Infinity,
      event = change();
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
      timestamp: '2026-11-21T05:20:35.881926+00:00',
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
    await addRule(
      database.pool,
      { payload_url: hook.url },
      { conditions: { attr: 'snapshots.prechange.n', value: 1 } },
    );
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
    await until(async () => (await database.pool.query('select from webhook_held')).rowCount === 1);
    await publish([step(2)]);
    await publish([step(3)]);
    await settled(1);
    expect(hook.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: 'updated', data: { n: 4 }, snapshots: { prechange: { n: 1 }, postchange: { n: 4 } } },
    ]);
    expect((await database.pool.query('select from webhook_held')).rowCount).toBe(0);
  });

  test('what a process held that is gone is found by the next', async () => {
    const hook = await receive();
    await addRule(database.pool, { payload_url: hook.url });
    await start({ WEBHOOK_HOLD_MS: '300' });
    await publish([change({ consequence: true })]);
    await until(async () => (await database.pool.query('select from webhook_held')).rowCount === 1);
    await delivery?.stop();
    expect(hook.received).toHaveLength(0);
    await database.pool.query(`update webhook_held set due = now()`);
    await start();
    await settled(1);
    expect(hook.received).toHaveLength(1);
  });

  test("what cannot be put into the queue stands in nobody's way", async () => {
    const hook = await receive();
    await addRule(database.pool, { payload_url: hook.url });
    // Stands for whatever the table may refuse.
    await database.pool.query(`alter table webhook_delivery add constraint refused check (object_id <> 13)`);
    await start({ WEBHOOK_HOLD_MS: '50' });
    await publish([
      change({ objectId: 13, consequence: true }),
      change({ objectId: 14, consequence: true }),
      change({ objectId: 15, consequence: true }),
    ]);
    await settled(2);
    expect((await database.pool.query('select object_id::int from webhook_held where due > now()')).rows).toEqual([
      { object_id: 13 },
    ]);
    await database.pool.query('alter table webhook_delivery drop constraint refused');
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

  test('failures are kept with their kind; a bad template fails its own delivery only', async () => {
    const [good, bad] = [await receive(), await receive(() => 500)];
    await addRule(database.pool, { payload_url: good.url });
    await addRule(database.pool, { payload_url: bad.url });
    await addRule(database.pool, {
      payload_url: good.url,
      body_template: '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}',
    });
    await addRule(database.pool, { payload_url: 'http://169.254.169.254/latest' });
    await addRule(database.pool, { payload_url: 'http://127.0.0.1:1/' });
    await addRule(database.pool, {
      payload_url: good.url,
      body_template: '\\ud800 {{ "\\u0000" }}',
      additional_headers: 'X: {{ data.nothing',
    });
    await start();
    await publish([change()]);
    await settled(6);
    expect((await deliveries()).map(({ status, error }) => [status, error])).toEqual([
      ['succeeded', null],
      ['failed', 'The receiver answered 500'],
      ['failed', 'Template: took more than 250 ms'],
      ['failed', 'Not allowed: 169.254.169.254 is a link-local or metadata address'],
      ['failed', expect.stringContaining('ECONNREFUSED')],
      ['failed', expect.stringContaining('unexpected end of template')],
    ]);
    expect((await attempts()).map(({ error_kind }) => error_kind)).toEqual([
      null,
      'status',
      'template',
      'policy',
      'connection',
      'template',
    ]);
  });

  test('retries by setting', async () => {
    const hook = await receive((_, earlier) => (earlier < 2 ? 503 : 200));
    await addRule(database.pool, { payload_url: hook.url });
    await start({ WEBHOOK_RETRIES: '3', WEBHOOK_RETRY_DELAY_MS: '20' });
    await publish([change()]);
    await settled(1);
    expect((await deliveries())[0]).toMatchObject({ status: 'succeeded', attempts: 3 });
    expect((await attempts()).map(({ number, response_status }) => [number, response_status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
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

  test('a receiver that hangs delays nobody else, and has no more connections than allowed', async () => {
    const hanging = await receive(() => 0);
    const quick = await receive();
    await addRule(database.pool, { payload_url: hanging.url });
    await addRule(database.pool, { payload_url: quick.url });
    await start({
      WEBHOOK_CONCURRENCY: '20',
      WEBHOOK_DESTINATION_CONCURRENCY: '5',
      WEBHOOK_SHUTDOWN_MS: '50',
      WEBHOOK_TIMEOUT_MS: '600000',
    });
    await publish(Array.from({ length: 100 }, () => change()));
    await quick.count(100);
    // Before any attempt at the other one has come to its end.
    expect(hanging.received).toHaveLength(5);
    await delivery?.stop();
    delivery = null;
    // What was under way is visible, and waits for the next start.
    const rows = await deliveries();
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(100);
    expect((await attempts()).filter(({ error_kind }) => error_kind === 'worker')).toHaveLength(5);
  });

  test('two processes share the queue; nothing is sent twice', async () => {
    const hook = await receive();
    await addRule(database.pool, { payload_url: hook.url });
    await start();
    const other = await startDelivery({
      pool: database.pool,
      followers: createFollowers(log, database.pool),
      services: ['dcim'],
      config: loadWebhookSettings({}),
      logger,
    });
    await publish(Array.from({ length: 300 }, () => change()));
    await settled(300);
    await other.stop();
    expect(new Set(hook.received.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id)).size).toBe(
      300,
    );
    expect(hook.received).toHaveLength(300);
    expect(await attempts()).toHaveLength(300);
  });

  test('what is no event is parked, and does not stop the others', async () => {
    for (const statement of [...parkedTables(), ...parkedColumns()]) await database.pool.query(statement);
    const hook = await receive();
    await addRule(database.pool, { payload_url: hook.url });
    await start();
    await log.publish(topicOf('dcim'), [
      { key: 'dcim.site:1', value: '{"id": 1}' },
      { key: 'dcim.site:1', value: JSON.stringify(change()) },
    ]);
    await settled(1);
    const { messages } = await listParked(database.pool, { offset: 0, limit: 10 });
    expect(messages).toEqual([
      expect.objectContaining({
        group: 'webhooks',
        key: 'dcim.site:1',
        error: expect.stringContaining('not a change event'),
      }),
    ]);
  });

  test('what a killed worker had taken is attempted again', async () => {
    const hook = await receive();
    const { rule, webhook } = await addRule(database.pool, { payload_url: hook.url });
    await database.pool.query(
      `insert into webhook_delivery (event_id, rule_id, webhook_id, destination, status, event_type, object_type, object_id, payload, started, attempts, lease)
       values (gen_random_uuid(), $1, $2, $3, 'running', 'object_created', 'dcim.site', 1, '{"event": "created"}', now() - interval '1 minute', 1, now() - interval '1 second')`,
      [rule, webhook, hook.url],
    );
    await start();
    await settled(1);
    expect(hook.received[0]?.body).toBe('{"event": "created"}');
    expect((await deliveries())[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect((await attempts()).map(({ number, error_kind }) => [number, error_kind])).toEqual([
      [1, 'worker'],
      [2, null],
    ]);
  });
});
