import { isoOf, microsOf, nowMicros } from '@cadastre/events';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { historyTables, setSkew, trimHistory, versionTableNames } from './versions.ts';
import { createRegistry } from './registry.ts';
import { sendsWebhook } from './rules.ts';
import { addRule, change, type QueueDatabase, queueDatabase } from '../testing/queue.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await setSkew(database.pool, 5);
  await database.pool.query(
    'truncate extras_eventrule, extras_webhook, webhook_rule_version, webhook_delivery, webhook_held_event, parked_message restart identity cascade',
  );
});

const registry = () => createRegistry({ pool: database.pool, maxPattern: 200, warn: () => undefined });
const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values);
/** What is sent for a change of a site at a moment: rule and address. */
const sentAt = async (micros: number): Promise<string[]> =>
  (await registry().current())
    .at(micros)
    .matching('dcim.site', 'updated')
    .map((rule) => `${rule.name} ${sendsWebhook(rule) ? rule.webhook.payloadUrl : rule.group}`);

test('a rule and its webhook count as they were at each moment', async () => {
  const before = nowMicros();
  const { rule, webhook } = await addRule(database.pool, { payload_url: 'http://one' });
  const one = nowMicros();
  await sql(`update extras_webhook set payload_url = 'http://two' where id = $1`, [webhook]);
  const two = nowMicros();
  await sql(`update extras_eventrule set name = 'renamed', event_types = '{object_updated}' where id = $1`, [rule]);
  const three = nowMicros();
  await sql('update extras_eventrule set enabled = false where id = $1', [rule]);
  const off = nowMicros();
  await sql('update extras_eventrule set enabled = true where id = $1', [rule]);
  const on = nowMicros();
  await sql('delete from extras_webhook where id = $1', [webhook]);
  const gone = nowMicros();
  expect(await Promise.all([before, one, two, three, off, on, gone].map(sentAt))).toEqual([
    [],
    ['rule http://one'],
    ['rule http://two'],
    ['renamed http://two'],
    [],
    ['renamed http://two'],
    [],
  ]);
  const known = await registry().current();
  expect([known.now.matching('dcim.site', 'updated'), known.webhook(webhook)]).toEqual([[], undefined]);
  expect(known.concern('dcim.site')).toBe(true);
});

test('what does not matter to deliveries makes no version', async () => {
  const { rule } = await addRule(database.pool, { payload_url: 'http://one' });
  await sql('update extras_eventrule set name = name where id = $1', [rule]);
  expect((await sql('select from webhook_rule_version')).rowCount).toBe(2);
});

test('a change of a rule is timed ahead of every clock, and seen when every clock has passed it', async () => {
  await setSkew(database.pool, 100);
  const { rule } = await addRule(database.pool, { payload_url: 'http://one' });
  const began = nowMicros();
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('update extras_eventrule set enabled = false where id = $1', [rule]);
    // A change that was answered before, by a clock that is ahead.
    const { rows } = await client.query<{ until: string }>(
      `select (extract(epoch from until) * 1000000)::text as until from webhook_rule_version where source = 'extras_eventrule'  and until is not null`,
    );
    expect(Number(rows[0]!.until)).toBeGreaterThanOrEqual(began + 100_000);
    await client.query('commit');
    // A change that is asked for afterwards, by a clock that is behind.
    expect(nowMicros() - 99_000).toBeGreaterThanOrEqual(Number(rows[0]!.until));
  } finally {
    client.release();
  }
});

test('many rules that change in one transaction wait once', async () => {
  const { webhook } = await addRule(database.pool, { payload_url: 'http://one' });
  await setSkew(database.pool, 50);
  await sql(
    `insert into extras_eventrule (name, object_types, event_types, action_object_id) select 'many', '{dcim.site}', '{object_updated}', $1 from generate_series(1, 300)`,
    [webhook],
  );
  const began = performance.now();
  await sql(`update extras_eventrule set enabled = false where name = 'many'`);
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(100);
  expect(took).toBeLessThan(300 * 100);
});

test('versions are removed when they ended long ago and nothing needs them', async () => {
  const { rule, webhook } = await addRule(database.pool, { payload_url: 'http://one', secret: 'of-then' });
  await sql(`update extras_webhook set secret = 'of-now' where id = $1`, [webhook]);
  await sql('update extras_eventrule set enabled = false where id = $1', [rule]);
  const age = (minutes: number) =>
    sql('update webhook_rule_version set until = until - make_interval(mins => $1) where until is not null', [minutes]);
  const trim = () => trimHistory(database.pool, { minutes: 60, group: 'webhooks' });
  expect(await trim()).toBe(0);
  await age(61);
  // Something that failed and that somebody may replay by hand.
  await sql(
    `insert into parked_message ("group", topic, partition, position, key, value, error) values ('webhooks', 't', 0, 1, 'k', 'v', 'e')`,
  );
  expect(await trim()).toBe(0);
  await sql(`update parked_message set "group" = 'webhooks-replicas'`);
  // A change that waits for others of its request.
  const held = change({ time: isoOf(nowMicros()), asOf: isoOf(nowMicros() - 3_720_000_000) });
  await sql(
    `insert into webhook_held_event (request_id, object_type, object_id, event, due) values ('r', 'dcim.site', 1, $1, now())`,
    [JSON.stringify(held)],
  );
  expect(await trim()).toBe(0);
  await sql('delete from webhook_held_event');
  // A delivery that waits to be attempted again.
  const [version] = (await sql(`select id from webhook_rule_version where content ->> 'secret' = 'of-then'`)).rows;
  await sql(
    `insert into webhook_delivery (event_id, rule_id, webhook_id, webhook_version, destination, event_type, object_type, object_id, payload)
      values (gen_random_uuid(), $1, $2, $3, 'http://one', 'object_updated', 'dcim.site', 1, '{}')`,
    [rule, webhook, version.id],
  );
  expect(await trim()).toBe(1);
  await sql(`update webhook_delivery set status = 'succeeded'`);
  expect(await trim()).toBe(1);
  expect((await sql('select content from webhook_rule_version')).rows.map(({ content }) => content.secret)).toEqual(
    expect.arrayContaining(['of-now']),
  );
  expect((await sql(`select from webhook_rule_version where content::text like '%of-then%'`)).rowCount).toBe(0);
  expect((await sql('select from webhook_rule_version')).rowCount).toBe(2);
});

test('moments of events are compared to the microsecond', async () => {
  const { rule } = await addRule(database.pool, { payload_url: 'http://one' });
  await sql('update extras_eventrule set enabled = false where id = $1', [rule]);
  await sql(
    `update webhook_rule_version set since = '2026-01-01T00:00:00.000001Z', until = case when until is null then null else timestamptz '2026-01-01T00:00:00.000003Z' end where source = 'extras_eventrule' and content @> '{"enabled": true}'`,
  );
  await sql(`update webhook_rule_version set since = '-infinity' where source = 'extras_webhook'`);
  const at = (end: string) => sentAt(microsOf(`2026-01-01T00:00:00.00000${end}Z`));
  expect(await Promise.all(['0', '1', '2', '3'].map(at))).toEqual([[], ['rule http://one'], ['rule http://one'], []]);
});

test('an upgrade finds the rules that are there, for all that has not been handled yet', async () => {
  await addRule(database.pool, { payload_url: 'http://one', secrets: '{"one": "two"}' });
  await sql('drop table webhook_rule_version, webhook_clock_skew cascade');
  await sql('drop function webhook_rule_version_note, webhook_rule_version_wait cascade');
  await sql('alter table webhook_delivery drop column webhook_version');
  for (const statement of [...historyTables, ...versionTableNames]) await sql(statement);
  expect(await sentAt(0)).toEqual(['rule http://one']);
  expect((await registry().current()).webhook(1)).toMatchObject({ secrets: { one: 'two' } });
  await sql('update extras_eventrule set enabled = false');
  expect([await sentAt(0), await sentAt(nowMicros())]).toEqual([['rule http://one'], []]);
});
