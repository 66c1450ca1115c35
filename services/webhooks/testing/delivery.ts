import { type ChangeEvent, createFollowers, type EventLog, keyOf, topicOf } from '@cadastre/events';
import { createPostgresLog } from '@cadastre/events/postgres';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type QueueDatabase, queueDatabase, type Receiver, receiver, until } from './queue.ts';
import { loadWebhookSettings } from '../settings.ts';
import { type Delivery, startDelivery } from '../delivery/start.ts';

export let database: QueueDatabase;
export let log: EventLog;
export let delivery: Delivery | null = null;
const receivers: Receiver[] = [];
export const problems: unknown[] = [];

export const logger = {
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
    'truncate extras_eventrule, extras_webhook, webhook_rule_version, webhook_delivery, webhook_attempt, webhook_held_event, webhook_coalesced_event, change, change_queue restart identity',
  );
});

export const stop = async (): Promise<void> => {
  await delivery?.stop();
  delivery = null;
};

afterEach(async () => {
  await stop();
  for (const one of receivers.splice(0)) one.close();
});

export const receive = async (answer?: Parameters<typeof receiver>[0]): Promise<Receiver> => {
  const made = await receiver(answer);
  receivers.push(made);
  return made;
};

export const start = async (settings: Record<string, string> = {}): Promise<void> => {
  delivery = await startDelivery({
    pool: database.pool,
    connection: database.url,
    followers: createFollowers(log, database.pool),
    services: ['dcim'],
    config: loadWebhookSettings(settings),
    logger,
  });
};

export const publish = (events: readonly ChangeEvent[]) =>
  log.publish(
    topicOf('dcim'),
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  );

export const deliveries = async () =>
  (await database.pool.query('select *, payload::text as payload_text from webhook_delivery order by id')).rows;

export const attempts = async () =>
  (await database.pool.query('select * from webhook_attempt order by delivery_id, number')).rows;

/** Waits until all that was published has been handled. */
export const handled = async (): Promise<void> => {
  await until(await log.mark('webhooks', [topicOf('dcim')]));
};

export const settled = (number: number) =>
  until(
    async () =>
      (await database.pool.query(`select from webhook_delivery where status in ('succeeded', 'failed')`)).rowCount ===
      number,
  );
