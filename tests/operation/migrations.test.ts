import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import pg from 'pg';
import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { createLog, openDatabase } from '@cadastre/service';
import { differences, migrationsOf, uniqueNames } from '@cadastre/service/schema/index';
import { createTestDatabase, type TestDatabase } from '../../tools/testing/servers/postgres.ts';

const folder = resolve(import.meta.dirname, '..', '..', 'services');
const config = { databasePool: 2, databaseWaitMs: 10_000, statementTimeoutMs: 30_000 };
const log = createLog('test', { logLevel: 'fatal', logFormat: 'json' });
const services = ['auth', 'circuits', 'dcim', 'extras', 'ipam', 'tenancy', 'virtualization', 'webhooks'];

let catalogue: Catalogue;
const databases = new Map<string, TestDatabase>();

const migrate = async (service: string, url: string) => {
  const database = await openDatabase({
    url,
    migrations: migrationsOf(folder, service),
    config,
    log,
  });
  await database.close();
};

beforeAll(async () => {
  catalogue = await loadCatalogue(folder);
  for (const service of services) {
    const database = await createTestDatabase();
    databases.set(service, database);
    await migrate(service, database.url);
  }
});

afterAll(async () => {
  for (const database of databases.values()) await database.drop();
});

async function rows<R extends pg.QueryResultRow>(service: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: databases.get(service)!.url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const constraints = async (service: string, type: 'u' | 'f'): Promise<string[]> =>
  (
    await rows<{ text: string }>(
      service,
      `select conname || ': ' || pg_get_constraintdef(oid) as text from pg_constraint where contype = $1 order by 1`,
      [type],
    )
  ).map(({ text }) => text);

describe.each(services)('the migrations of %s', (service) => {
  test('bring an empty database to what the models say', async () => {
    const scratch = await createTestDatabase();
    try {
      expect(await differences(catalogue, service, databases.get(service)!.url, scratch.url)).toEqual([]);
    } finally {
      await scratch.drop();
    }
  });

  test('run once', async () => {
    await migrate(service, databases.get(service)!.url);
    const applied = await rows<{ name: string }>(service, 'select name from mikro_orm_migrations order by id');
    expect(applied.map(({ name }) => name)).toEqual([...new Set(applied.map(({ name }) => name))]);
    expect(applied[0]!.name).toBe('Migration00000000000000_infrastructure');
  });

  test('name everything that is unique as errors are told by it', async () => {
    const present = new Set(
      (
        await rows<{ name: string }>(
          service,
          `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indisunique`,
        )
      ).map(({ name }) => name),
    );
    const promised = catalogue
      .ownedBy(service)
      .filter((model) => model.migrated)
      .flatMap((model) => [...uniqueNames(model).keys()]);
    expect(promised.filter((name) => !present.has(name))).toEqual([]);
  });

  test('give each table of a model an id that is counted up, but may be given', async () => {
    const tables = catalogue
      .ownedBy(service)
      .filter((model) => model.migrated)
      .map((model) => model.table)
      .sort();
    const found = await rows<{ name: string }>(
      service,
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'id' and identity_generation = 'BY DEFAULT' order by table_name collate "C"`,
    );
    expect(found.map(({ name }) => name)).toEqual(tables);
  });

  test('make the tables that every service has', async () => {
    const found = await rows<{ name: string }>(
      service,
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['change', 'cache_invalidation', 'request_change', 'deletion_mark', 'parked_message']),
    );
  });
});

test('a site refers to its region, and to the replica of its tenant; the tenant of another service is not its own', async () => {
  const keys = await constraints('dcim', 'f');
  expect(keys).toContain('dcim_site_region_id_fk: FOREIGN KEY (region_id) REFERENCES dcim_region(id)');
  expect(keys).toContain('dcim_site_tenant_id_fk: FOREIGN KEY (tenant_id) REFERENCES replica.tenancy_tenant(id)');
  expect(keys.filter((key) => key.startsWith('replica'))).toEqual([]);
});

test('change records come from events and refer to nothing', async () => {
  expect((await constraints('extras', 'f')).filter((key) => key.startsWith('core_objectchange'))).toEqual([]);
});

test('regions without a parent have different names, and so have those with the same one', async () => {
  const insert = (id: number, name: string, parent: number | null) =>
    rows('dcim', `insert into dcim_region (id, name, slug, parent_id) values ($1, $2::text, lower($2::text), $3)`, [
      id,
      name,
      parent,
    ]);
  await insert(1, 'Europe', null);
  await insert(2, 'Germany', 1);
  await insert(3, 'Germany', null);
  await expect(insert(4, 'Europe', null)).rejects.toMatchObject({ code: '23505', constraint: 'dcim_region_name_uniq' });
  await expect(insert(4, 'Germany', 1)).rejects.toMatchObject({
    code: '23505',
    constraint: 'dcim_region_parent_name_uniq',
  });
  await expect(rows('dcim', 'delete from dcim_region where id = 1')).rejects.toMatchObject({
    code: '23503',
    constraint: 'dcim_region_parent_id_fk',
  });
});

test('names sort without regard to case and by the numbers in them, and are compared byte by byte', async () => {
  for (const name of ['FRA1', 'eth10', 'BER1', 'at1', 'eth2'])
    await rows('dcim', `insert into dcim_site (name, slug) values ($1::text, lower($1::text))`, [name]);
  const sorted = await rows<{ name: string }>('dcim', 'select name from dcim_site order by name collate "natural", id');
  expect(sorted.map(({ name }) => name)).toEqual(['at1', 'BER1', 'eth2', 'eth10', 'FRA1']);
  const paths = await rows<{ path: string[] }>(
    'dcim',
    `select path from (values (array['b', 'x']), (array['B']), (array['a10']), (array['a2', 'z'])) v (path) order by path collate "natural"`,
  );
  expect(paths.map(({ path }) => path.join('/'))).toEqual(['a2/z', 'a10', 'b/x', 'B']);
  expect(await rows('dcim', `select 1 from dcim_site where name = 'fra1'`)).toEqual([]);
  expect(await rows('dcim', `select 1 from dcim_site where name ~ '^FRA' and name like 'FRA%'`)).toHaveLength(1);
});

test('a page of sites in their own order is read from an index', async () => {
  const client = new pg.Client({ connectionString: databases.get('dcim')!.url });
  await client.connect();
  try {
    // With few rows the planner would prefer to sort.
    await client.query('set enable_sort = off');
    const plan = await client.query<{ 'QUERY PLAN': string }>(
      'explain select id from dcim_site order by name collate "natural", id limit 50',
    );
    expect(plan.rows.map((line) => line['QUERY PLAN']).join(' ')).toContain('dcim_site_order_idx');
  } finally {
    await client.end();
  }
});

test('a declared change is seen, and so is a changed index of the same name', async () => {
  const scratch = await createTestDatabase();
  const other = await createTestDatabase();
  try {
    await migrate('tenancy', other.url);
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    await client.query(
      'alter table tenancy_tenant drop column description; drop index tenancy_tenant_order_idx; create index tenancy_tenant_order_idx on tenancy_tenant (slug)',
    );
    await client.end();
    const missing = await differences(catalogue, 'tenancy', other.url, scratch.url);
    expect(missing).toHaveLength(3);
    expect(missing[0]).toContain('add "description" varchar(200) not null default');
    expect(missing[1]).toBe('drop index "public"."tenancy_tenant_order_idx"');
    expect(missing[2]).toMatch(/^CREATE INDEX tenancy_tenant_order_idx ON .* COLLATE "natural"/);
  } finally {
    await scratch.drop();
    await other.drop();
  }
});
