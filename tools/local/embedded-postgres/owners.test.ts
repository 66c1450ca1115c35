import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { clear, temporaryFolder } from '../../testing/test-run.ts';
import { ownDatabases } from './owners.ts';
import { newPasswords, ownUrl, type Passwords } from './passwords.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

let folder: string;
let server: EmbeddedPostgres;
const names = ['old', 'new'].map((name) => `${name}_${randomBytes(4).toString('hex')}`) as [string, string];
const [old, fresh] = names;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  await as(server.url, `create database ${old}`);
  await as(
    at(old),
    `create schema replica; create table replica.kept (id bigint generated always as identity primary key); create table "Odd name" (id serial primary key, at timestamptz);
    create table parts (id int) partition by range (id); create table part partition of parts for values from (0) to (10); create index on "Odd name" (at); create sequence alone;
    create type mood as enum ('good'); create function twice(n int) returns int language sql as 'select 2 * n'; create view all_of as select * from "Odd name"; insert into "Odd name" values (7);
    create extension if not exists plpgsql`,
  );
});
afterAll(async () => {
  await server?.stop();
  await clear(folder);
});

const at = (database: string): string => {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return url.toString();
};

/** As at a start. */
async function owned(): Promise<Passwords> {
  const passwords = newPasswords(names);
  await ownDatabases(server.url, passwords);
  return passwords;
}

async function as(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('each database belongs to a role that gets into no other, also one that the superuser had made', async () => {
  const passwords = await owned();
  const url = (name: string) => ownUrl(server.url, name, passwords.get(name)!);
  await as(url(fresh), 'create table made (id int)');
  expect(
    await as(
      url(fresh),
      'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    ),
  ).toEqual([
    { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false },
  ]);
  // What migrations do with what is there.
  await as(
    url(old),
    `insert into "Odd name" (at) values (now()); alter table "Odd name" add column more text; insert into replica.kept default values; create table replica.other (id int);
    select nextval('alone'), twice(2); insert into parts values (1); drop view all_of; alter type mood add value 'bad'; drop function twice; drop table parts; drop table "Odd name"; create index on replica.kept (id)`,
  );
  expect(
    await as(
      at(old),
      `select relname from pg_class where relowner = current_user::regrole and relnamespace in ('public'::regnamespace, 'replica'::regnamespace)`,
    ),
  ).toEqual([]);
  for (const [role, other] of [
    [old, fresh],
    [fresh, old],
    [fresh, 'postgres'],
  ] as const) {
    const stray = new URL(url(role));
    stray.pathname = `/${other}`;
    await expect(as(stray.toString(), 'select 1')).rejects.toThrow('permission denied for database');
  }
  for (const sql of [
    `select pg_read_file('postgresql.conf')`,
    'select rolpassword from pg_authid',
    `copy (select 1) to program 'true'`,
  ])
    await expect(as(url(old), sql)).rejects.toThrow('permission denied');
});

test('passwords are new at every start, and the data stay', async () => {
  const before = await owned();
  const after = await owned();
  expect(await as(ownUrl(server.url, old, after.get(old)!), 'select count(*)::int as kept from replica.kept')).toEqual([
    { kept: 1 },
  ]);
  await expect(as(ownUrl(server.url, old, before.get(old)!), 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
});
