import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { Engine, type Peers } from '@cadastre/rest';
import { createLog, type Database, openDatabase, Secret } from '@cadastre/service';
import { reseal, sealOf } from '@cadastre/service/models/sealing';
import { migrationsOf } from '@cadastre/service/schema/index';
import { createSeal } from '@cadastre/service/seal';
import { engineSettings } from '@cadastre/rest/testing/settings';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/servers/postgres.ts';
import { concealStored } from './concealing.ts';
import { createRegistry } from './registry.ts';
import { resealHistory } from './resealing.ts';

const folder = resolve(import.meta.dirname, '../..');
const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
const [one, two] = [new Secret('1'.repeat(32)), new Secret('2'.repeat(32))];
let database: TestDatabase;
let opened: Database;
let catalogue: Awaited<ReturnType<typeof loadCatalogue>>;
beforeAll(async () => {
  database = await createTestDatabase();
  catalogue = await loadCatalogue(folder);
  opened = await openDatabase({
    url: database.url,
    migrations: migrationsOf(folder, 'webhooks'),
    config: { databasePool: 4, databaseWaitMs: 10_000, statementTimeoutMs: 10_000 },
    log,
    name: 'webhooks',
  });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

const engineWith = (keys: Secret[]) =>
  new Engine({
    catalogue,
    service: 'webhooks',
    pool: opened.pool,
    peers: {} as Peers,
    seal: createSeal(keys),
    settings: { ...engineSettings, rowTextBytes: 0 },
  });
const rows = async () =>
  JSON.stringify(
    (
      await opened.pool.query(
        'select payload_url, additional_headers, secret, secrets, credentials from extras_webhook order by id',
      )
    ).rows,
  );
const start = async (...keys: Secret[]) => {
  const engine = engineWith(keys);
  await reseal(engine, engine.seal!, log);
  await concealStored(engine);
};
const webhookWith = async (...keys: Secret[]) =>
  (
    await createRegistry({
      pool: opened.pool,
      maxPattern: 200,
      seal: createSeal(keys),
      warn: () => undefined,
    }).current()
  ).webhook(1);

test('what an earlier version stored is encrypted at the start, once, and by a new key when there is one', async () => {
  await opened.pool.query(
    `insert into extras_webhook (name, payload_url, http_method, http_content_type, additional_headers, secret) values ('old', 'https://me:pw-1234@host/', 'POST', 'application/json', 'X-Token: tok-1234', 'sig-1234')`,
  );
  await start(one);
  const first = await rows();
  for (const secret of ['pw-1234', 'tok-1234', 'sig-1234']) expect(first).not.toContain(secret);
  const whole = {
    secret: 'sig-1234',
    payloadUrl: 'https://********:********@host/',
    credentials: { payload_url: 'https://me:pw-1234@host/', additional_headers: 'X-Token: tok-1234' },
  };
  expect(await webhookWith(one)).toMatchObject(whole);
  await start(one);
  expect(await rows()).toBe(first);
  await start(two, one);
  expect(await rows()).not.toBe(first);
  expect(await webhookWith(two)).toMatchObject(whole);
  expect(await webhookWith(one)).toMatchObject({ secret: '', unreadable: expect.stringContaining('SECRETS_KEYS') });
});

test('so is what webhooks were, and nothing of it can be read in the database', async () => {
  await opened.pool.query('truncate extras_webhook, webhook_rule_version');
  // A row as written by a version without encryption, before the upgrade.
  await opened.pool.query(
    `insert into extras_webhook (id, name, payload_url, http_method, http_content_type, additional_headers, secret, secrets) overriding system value
      values (1, 'old', 'https://me:pw-5678@host/', 'POST', 'application/json', 'X-Token: tok-5678', 'sig-5678', '{"one": "val-5678"}')`,
  );
  const history = async () =>
    (await opened.pool.query('select content::text from webhook_rule_version order by id')).rows;
  const begin = async (...keys: Secret[]) => {
    await start(...keys);
    await resealHistory(opened.pool, createSeal(keys));
  };
  await begin(one);
  const first = JSON.stringify(await history());
  expect((await history()).length).toBeGreaterThan(1);
  for (const secret of ['pw-5678', 'tok-5678', 'sig-5678', 'val-5678']) expect(first).not.toContain(secret);
  await begin(one);
  expect(JSON.stringify(await history())).toBe(first);
  // A delivery that waits for long finds its version of the webhook encrypted with the key that is current by then.
  await opened.pool.query(`update extras_webhook set http_method = 'PUT'`);
  await begin(two, one);
  const registry = createRegistry({
    pool: opened.pool,
    maxPattern: 200,
    seal: createSeal([two]),
    warn: () => undefined,
  });
  const known = await registry.current();
  const { rows: ids } = await opened.pool.query<{ id: string }>('select id from webhook_rule_version order by id');
  for (const { id } of ids)
    expect(known.version(Number(id))).toMatchObject({
      secret: 'sig-5678',
      secrets: { one: 'val-5678' },
      credentials: { payload_url: 'https://me:pw-5678@host/' },
    });
});

test('without a key for what it keeps a service does not start', () => {
  expect(() => sealOf(catalogue.ownedBy('webhooks'), { secretsKeys: [] })).toThrow('SECRETS_KEYS is required');
  expect(sealOf(catalogue.ownedBy('dcim'), { secretsKeys: [] })).toBeUndefined();
});
