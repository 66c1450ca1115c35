import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/servers/postgres.ts';
import { ownerOf, prepareDatabases } from './roles.ts';

describe('ownerOf', () => {
  test('reads role, password and database, decoded', () => {
    expect(ownerOf('postgres://my%20role:p%40ss@db:5432/cadastre_dcim?sslmode=require')).toEqual({
      role: 'my role',
      password: 'p@ss',
      database: 'cadastre_dcim',
    });
  });

  test.each(['postgres://db:5432/cadastre_dcim', 'postgres://role:pw@db:5432', 'postgres://role:pw@db:5432/'])(
    'refuses %s',
    (url) => {
      expect(() => ownerOf(url)).toThrow('must name a role and a database');
    },
  );
});

describe('prepareDatabases', () => {
  const suffix = process.pid.toString(36);
  const owners = ['one', 'two'].map((name) => ({
    role: `role ${name} ${suffix}`,
    password: `p'"${name}`,
    database: `prepared "${name}" ${suffix}`,
  }));
  let server: TestDatabase;
  let admin: pg.Client;
  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const privileges = async (role: string): Promise<string[]> =>
    (
      await admin.query<{ datname: string }>(
        "select datname from pg_database where datname = any($2) and has_database_privilege($1, datname, 'connect') order by 1",
        [role, owners.map((one) => one.database)],
      )
    ).rows.map((row) => row.datname);

  beforeAll(async () => {
    server = await createTestDatabase();
    admin = await connect(server.url);
  });
  afterAll(async () => {
    for (const { role, database } of owners) {
      await admin.query(`drop database if exists ${pg.escapeIdentifier(database)}`);
      await admin.query(`drop role if exists ${pg.escapeIdentifier(role)}`);
    }
    await admin.query(`drop role if exists ${pg.escapeIdentifier(`maker ${suffix}`)}`);
    await admin.end();
    await server.drop();
  });

  test('gives each role its database and no other', async () => {
    expect(await prepareDatabases(admin, owners)).toEqual(owners.map(({ database }) => database));
    for (const { role, database } of owners) expect(await privileges(role)).toEqual([database]);
    const { rows } = await admin.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [owners[0]!.database],
    );
    expect(rows).toEqual([{ owner: owners[0]!.role }]);
  });

  test('changes nothing the second time', async () => {
    expect(await prepareDatabases(admin, owners)).toEqual([]);
    for (const { role, database } of owners) expect(await privileges(role)).toEqual([database]);
  });

  test('works in two processes at once', async () => {
    const other = await connect(server.url);
    try {
      expect(await Promise.all([prepareDatabases(admin, owners), prepareDatabases(other, owners)])).toEqual([[], []]);
    } finally {
      await other.end();
    }
  });

  test('needs only the right to create roles and databases', async () => {
    const [{ role, database }] = owners as [(typeof owners)[number]];
    await admin.query(`drop database ${pg.escapeIdentifier(database)}`);
    await admin.query(`drop role ${pg.escapeIdentifier(role)}`);
    const maker = `maker ${suffix}`;
    await admin.query(`create role ${pg.escapeIdentifier(maker)} login createrole createdb`);
    await admin.query(`set session authorization ${pg.escapeIdentifier(maker)}`);
    try {
      expect(await prepareDatabases(admin, [owners[0]!])).toEqual([database]);
    } finally {
      await admin.query('reset session authorization');
    }
    expect(await privileges(role)).toEqual([database]);
  });
});
