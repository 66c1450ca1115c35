import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ChangeEvent, type EventLog, keyOf, topicOf } from '@cadastre/events';
import { createPostgresLog } from '@cadastre/events/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  addRule,
  change,
  type QueueDatabase,
  queueDatabase,
  type Receiver,
  receiver,
  until,
} from '../testing/queue.ts';

const program = fileURLToPath(new URL('../testing/process.ts', import.meta.url));
const patience = 300_000;
let database: QueueDatabase;
let log: EventLog;
let hook: Receiver;
/** The receiver answers only after this promise. */
let gate: Promise<void> = Promise.resolve();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  database = await queueDatabase();
  await database.pool.query(
    'create table past_change (id bigint generated always as identity primary key, event_id uuid not null default gen_random_uuid(), object_id bigint not null)',
  );
  log = await createPostgresLog({ connection: database.url });
  await log.ensureTopics([topicOf('dcim')]);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query(
    'truncate extras_eventrule, extras_webhook, webhook_rule_version, webhook_delivery, webhook_attempt, webhook_worker, webhook_replay, past_change restart identity',
  );
  gate = Promise.resolve();
  // Slow enough for the work to be shared.
  hook = await receiver(async () => {
    await gate;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    return 200;
  });
});
afterEach(async () => {
  await Promise.all([...children].map(kill));
  hook.close();
});

async function start(settings: Record<string, string> = {}): Promise<ChildProcess> {
  const child = fork(program, [], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      WEBHOOK_CONCURRENCY: '8',
      WEBHOOK_DESTINATION_CONCURRENCY: '4',
      ...settings,
    },
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.add(child);
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      if (message === 'ready') resolve();
    });
    child.once('exit', (code) => {
      reject(new Error(`the process ended with ${code}`));
    });
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const rows = async <Row extends object>(text: string): Promise<Row[]> => (await database.pool.query<Row>(text)).rows;
const count = async (condition: string): Promise<number> =>
  (await rows<{ n: number }>(`select count(*)::int as n from webhook_delivery where ${condition}`))[0]!.n;
const publish = (events: readonly ChangeEvent[]) =>
  log.publish(
    topicOf('dcim'),
    events.map((event) => ({ key: keyOf(event), value: JSON.stringify(event) })),
  );
/** How many messages the receiver got about each object. */
const told = (): Map<number, number> => {
  const ids = hook.received.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id);
  return new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
};
/** A message may only have been sent again if it was under way when a process died, which is recorded. */
async function expectNoneUnexplained(): Promise<void> {
  const lost = (await rows(`select from webhook_attempt where error_kind = 'worker'`)).length;
  const again = [...told().values()].reduce((sum, times) => sum + times - 1, 0);
  expect(again).toBeLessThanOrEqual(lost);
}

test(
  'processes share the queue: all work, and nothing is sent twice',
  async () => {
    await addRule(database.pool, { payload_url: hook.url });
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    // None of them can have more than half of what the receiver takes at once.
    const settings = {
      WEBHOOK_LEASE_MS: '120000',
      WEBHOOK_CONCURRENCY: '8',
      WEBHOOK_DESTINATION_CONCURRENCY: '16',
      WEBHOOK_TIMEOUT_MS: '120000',
      WEBHOOK_CONNECT_TIMEOUT_MS: '120000',
    };
    await Promise.all([start(settings), start(settings)]);
    await publish(Array.from({ length: 400 }, () => change()));
    await until(
      async () => (await rows(`select distinct worker from webhook_delivery where status = 'running'`)).length === 2,
      patience,
    );
    resolve();
    await until(async () => (await count(`status = 'succeeded'`)) === 400, patience);
    expect([hook.received.length, told().size]).toEqual([400, 400]);
    expect(
      await rows('select count(distinct worker)::int as workers, count(*)::int as attempts from webhook_attempt'),
    ).toEqual([{ workers: 2, attempts: 400 }]);
  },
  patience,
);

test(
  'when one of them is killed, the other goes on with everything',
  async () => {
    await addRule(database.pool, { payload_url: hook.url });
    const [first] = await Promise.all([start({ WEBHOOK_LEASE_MS: '3000' }), start({ WEBHOOK_LEASE_MS: '3000' })]);
    await publish(Array.from({ length: 400 }, () => change()));
    await until(() => hook.received.length >= 50, patience);
    await kill(first);
    await until(async () => (await count(`status = 'succeeded'`)) === 400, patience);
    expect(told().size).toBe(400);
    await expectNoneUnexplained();
  },
  patience,
);

test(
  'a rule that is switched off before its changes are handled loses none of them when a process is killed meanwhile',
  async () => {
    const { rule, webhook } = await addRule(database.pool, { payload_url: hook.url });
    const before = Array.from({ length: 300 }, () => change());
    await database.pool.query('update extras_eventrule set enabled = false where id = $1', [rule]);
    await database.pool.query(`update extras_webhook set payload_url = 'http://127.0.0.1:1/' where id = $1`, [webhook]);
    const after = Array.from({ length: 300 }, () => change());
    // The events are published only now, in a different order.
    const first = await start({ WEBHOOK_LEASE_MS: '3000' });
    await publish([...after.slice(0, 150), ...before, ...after.slice(150)]);
    await until(() => hook.received.length >= 30, patience);
    await kill(first);
    await database.pool.query('delete from extras_webhook where id = $1', [webhook]);
    await start({ WEBHOOK_LEASE_MS: '3000' });
    // Publishes them again, as a log does that has not stored a consumer's position.
    await publish([...before, ...after]);
    await until(async () => (await count(`status = 'succeeded'`)) === 300, patience);
    await until(await log.mark('webhooks', [topicOf('dcim')]), patience);
    expect([...told().keys()].sort()).toEqual(before.map(({ objectId }) => objectId).sort());
    expect(await count('true')).toBe(300);
    await expectNoneUnexplained();
  },
  patience,
);

test(
  'a process that is killed in the middle of a replay loses none of it, and queues nothing twice',
  async () => {
    const { webhook } = await addRule(database.pool, { payload_url: hook.url });
    await database.pool.query('insert into past_change (object_id) select generate_series(1, 1500)');
    const first = await start({ WEBHOOK_LEASE_MS: '3000' });
    await database.pool.query(
      `insert into webhook_replay (webhook_id, since, until, requested_by) values ($1, now() - interval '1 day', now(), 'admin')`,
      [webhook],
    );
    const replay = async () =>
      (
        await rows<{ status: string; events: number; deliveries: number }>(
          'select status, events, deliveries from webhook_replay',
        )
      )[0]!;
    await until(async () => (await replay()).events >= 400 && hook.received.length > 0, patience);
    await kill(first);
    // The replay's stored position and the queue must agree, wherever it was interrupted.
    const left = await replay();
    expect(left.status).toBe('running');
    expect([left.events, left.deliveries]).toEqual([await count('true'), await count('true')]);
    expect(left.events).toBeLessThan(1500);
    await start({ WEBHOOK_LEASE_MS: '3000' });
    await until(async () => (await count(`status = 'succeeded'`)) === 1500, patience);
    expect(await replay()).toEqual({ status: 'completed', events: 1500, deliveries: 1500 });
    expect(
      await rows('select count(*)::int as all, count(distinct event_id)::int as events from webhook_delivery'),
    ).toEqual([{ all: 1500, events: 1500 }]);
    expect(told().size).toBe(1500);
    await expectNoneUnexplained();
  },
  patience,
);
