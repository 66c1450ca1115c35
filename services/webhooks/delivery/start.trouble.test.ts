import { createFollowers, listParked, parkedColumns, parkedTables, topicOf } from '@cadastre/events';
import { expect, test } from '@jest/globals';
import { addRule, change, until } from '../testing/queue.ts';
import { loadWebhookSettings } from '../settings.ts';
import { startDelivery } from './start.ts';
import {
  database,
  log,
  delivery,
  logger,
  stop,
  receive,
  start,
  publish,
  deliveries,
  attempts,
  settled,
} from '../testing/delivery.ts';

test('what a process held that is gone is found by the next', async () => {
  const hook = await receive();
  await addRule(database.pool, { payload_url: hook.url });
  await start({ WEBHOOK_HOLD_MS: '300' });
  await publish([change({ consequence: true })]);
  await until(async () => (await database.pool.query('select from webhook_held_event')).rowCount === 1);
  await delivery?.stop();
  expect(hook.received).toHaveLength(0);
  await database.pool.query(`update webhook_held_event set due = now()`);
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
  expect((await database.pool.query('select object_id::int from webhook_held_event where due > now()')).rows).toEqual([
    { object_id: 13 },
  ]);
  await database.pool.query('alter table webhook_delivery drop constraint refused');
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
  await stop();
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
    connection: database.url,
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
