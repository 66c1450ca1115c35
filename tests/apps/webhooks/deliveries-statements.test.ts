import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { bodyOf } from '@cadastre/body';
import { loadCatalogue } from '@cadastre/model';
import { Api, type ApiResponse, Engine } from '@cadastre/rest';
import { countStatements, createLog, type Database, openDatabase, type StatementCounter } from '@cadastre/service';
import { migrationsOf } from '@cadastre/service/schema/index';
import { engineSettings } from '@cadastre/rest/testing/settings';
import { actions } from '../../../services/webhooks/actions/index.ts';
import { disabling } from '../../../services/webhooks/delivery/disabling.ts';
import { facilities } from '../../../services/webhooks/rules/facilities.ts';
import { disableFailing } from '../../../services/webhooks/queue/upkeep.ts';
import { loadWebhookSettings } from '../../../services/webhooks/settings.ts';
import { TailSlots } from '../../../services/webhooks/intake/tail/slots.ts';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/servers/postgres.ts';
import { admin, peersWith } from '../../support/process/engine.ts';
import { testSeal } from '../../../tools/testing/secrets/seal.ts';

// The webhooks service without its workers: how many SQL statements requeueing many deliveries takes, and what is left
// of a rule that fails for too long.

const folder = resolve(import.meta.dirname, '..', '..', '..', 'services');
const peers = peersWith(async (_service, _type, references) => ({
  results: references.map(() => ({ id: 1 })),
  rows: [],
}));

let database: TestDatabase;
let opened: Database;
let statements: StatementCounter;
let engine: Engine;
let api: Api;
beforeAll(async () => {
  database = await createTestDatabase();
  const catalogue = await loadCatalogue(folder);
  const config = { databasePool: 4, databaseWaitMs: 10_000, statementTimeoutMs: 10_000 };
  opened = await openDatabase({
    url: database.url,
    migrations: migrationsOf(folder, 'webhooks'),
    config,
    log: createLog('test', { logLevel: 'silent', logFormat: 'json' }),
    name: 'webhooks',
  });
  engine = new Engine({
    catalogue,
    service: 'webhooks',
    pool: opened.pool,
    peers,
    seal: testSeal,
    facilities: { ...facilities(200, testSeal) },
    settings: engineSettings,
  });
  api = new Api(
    engine,
    actions({
      engine,
      show: async () => [],
      settings: loadWebhookSettings({ WEBHOOK_BULK_LIMIT: '2000' }),
      delivery: () => {
        throw new Error('nothing runs');
      },
      places: new TailSlots(),
    }),
  );
  statements = countStatements(opened.pool);
});
afterAll(async () => {
  statements.stop();
  await opened.close();
  await database.drop();
});

const jsonHeaders = { 'content-type': 'application/json' };

const ask = (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
  const [plain = '', search = ''] = path.split('?');
  return api.answer({
    method,
    path: plain,
    search,
    headers: jsonHeaders,
    body: body === undefined ? undefined : bodyOf(Buffer.from(JSON.stringify(body)), jsonHeaders),
    id: '00000000-0000-4000-8000-000000000000',
    base: 'http://c.example',
    who: admin,
    clientIp: '127.0.0.1',
  });
};
const fail = (number: number) =>
  opened.pool.query(
    `insert into webhook_delivery (event_id, rule_id, webhook_id, destination, status, event_type, object_type, object_id, payload, attempts, tries, started, finished)
  select gen_random_uuid(), 1, 1, 'http://a', 'failed', 'object_created', 'dcim.site', n, '{}', 1, 1, now(), now() from generate_series(1, $1::int) n`,
    [number],
  );

test('requeueing many costs no more statements than requeueing one, and has a bound', async () => {
  const cost = async () => {
    statements.reset();
    const { status, body } = await ask('POST', '/api/extras/webhook-deliveries/requeue/?status=failed');
    return { status, answer: JSON.parse(body) as unknown, count: statements.count };
  };
  // The first request fills caches that later ones use.
  await cost();
  await fail(1);
  const one = await cost();
  expect(one).toMatchObject({ status: 200, answer: { requeued: 1, more: false } });
  await fail(2_500);
  expect(await cost()).toEqual({ ...one, answer: { requeued: 2_000, more: true } });
  expect((await cost()).answer).toEqual({ requeued: 500, more: false });
  const { rows } = await opened.pool.query(
    'select status, tries, requeues, requested_by, finished from webhook_delivery group by 1, 2, 3, 4, 5',
  );
  expect(rows).toEqual([{ status: 'pending', tries: 0, requeues: 1, requested_by: 'admin', finished: null }]);
  statements.reset();
  expect((await ask('POST', '/api/extras/webhook-deliveries/cancel/', { status: 'pending' })).body).toBe(
    '{"cancelled":2000,"more":true}',
  );
  expect(statements.count).toBeLessThanOrEqual(one.count);
});

test('a rule that fails for too long is disabled for everybody to see: in its record, in the change log, and in the log', async () => {
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await ask('POST', path, body);
    expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
    return (JSON.parse(answer.body) as { id: number }).id;
  };
  const webhook = await make('/api/extras/webhooks/', { name: 'gone', payload_url: 'http://gone.example/' });
  const rule = await make('/api/extras/event-rules/', {
    name: 'failing',
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook,
  });
  await opened.pool.query(
    `insert into webhook_failing_rule (rule_id, since, last) values ($1, '2026-01-01Z'::timestamptz, now()), ($1 + 1000, '2026-01-01Z'::timestamptz, now())`,
    [rule],
  );
  const told: unknown[] = [];
  const log = {
    warn: (details: unknown, message: string) => {
      told.push([details, message]);
    },
    error: (details: unknown) => {
      told.push(details);
    },
  };
  // The other rule has been deleted meanwhile.
  await disableFailing({ pool: opened.pool, disableAfterDays: 3, disable: disabling(engine, log) });
  expect(JSON.parse((await ask('GET', `/api/extras/event-rules/${rule}/`)).body)).toMatchObject({ enabled: false });
  const {
    rows: [change],
  } = await opened.pool.query<{ body: string }>('select body from change where key = $1 order by id desc limit 1', [
    `extras.eventrule:${rule}`,
  ]);
  expect(JSON.parse(change!.body)).toMatchObject({
    action: 'updated',
    message: 'Disabled: every delivery has failed since 2026-01-01T00:00:00Z.',
    prechange: { enabled: true },
    postchange: { enabled: false },
  });
  expect(told).toEqual([
    [
      { rule, since: '2026-01-01T00:00:00Z' },
      'an event rule was disabled, as all its deliveries have failed for too long',
    ],
  ]);
  expect((await opened.pool.query('select from webhook_failing_rule')).rowCount).toBe(0);
});
