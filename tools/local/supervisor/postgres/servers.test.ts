import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@cadastre/service/config';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../../../tests/support/eventually.ts';
import { freePort } from '../../processes/free-ports.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/servers/postgres.ts';
import { prepareDataDir } from '../data/data-dir.ts';
import { answerWithinMs, type NamedServer, prepareServer } from './servers.ts';

let database: TestDatabase;
let admin: pg.Client;
const role = `cadastre_test_${randomBytes(4).toString('hex')}`;
const missing = `${role}_missing`;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`create role ${role} login password 'right'`);
});
afterAll(async () => {
  await admin.query(`drop role ${role}`);
  await admin.end();
  await database.drop();
});

const as = (user: string, password: string, more: (url: URL) => void = () => undefined): string => {
  const url = new URL(database.url);
  Object.assign(url, { username: user, password });
  more(url);
  return url.toString();
};
/** What is said about a server; undefined when it will do. */
async function problem(
  server: Omit<NamedServer, 'databases'> & Partial<NamedServer>,
  withinMs?: number,
): Promise<string | undefined> {
  const error: unknown = await prepareServer({ databases: [], ...server }, withinMs).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(ConfigError);
  const [said, ...others] = (error as ConfigError).problems;
  expect(others).toEqual([]);
  expect(said).not.toContain('\n');
  return said;
}
/** On a slow machine one try may come too late; if it waited by itself, all would. */
const soon = (work: () => Promise<void>) =>
  eventually(async () => {
    const began = Date.now();
    await work();
    expect(Date.now() - began).toBeLessThan(answerWithinMs + 1_000);
  });

describe('a server that cannot be used is reported within five seconds, with variable and cause', () => {
  test('a wrong password', () =>
    soon(async () =>
      expect(await problem({ variable: 'DATABASE_URL', url: as(role, 'wrong') })).toMatch(
        new RegExp(
          `^DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:\\d+: password authentication failed for user "${role}"$`,
        ),
      ),
    ));
  test('nobody there', async () => {
    const port = await freePort();
    await soon(async () =>
      expect(
        await problem({
          variable: 'DCIM_DATABASE_URL',
          url: as(role, 'right', (url) => {
            url.port = String(port);
          }),
        }),
      ).toBe(`DCIM_DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:${port}: nothing listens there`),
    );
  });
  test('no such host', () =>
    soon(async () =>
      expect(await problem({ variable: 'DATABASE_URL', url: 'postgres://a:b@nowhere.invalid:5432' })).toBe(
        'DATABASE_URL: cannot connect to PostgreSQL at nowhere.invalid:5432: there is no host of that name',
      ),
    ));
  test('somebody who says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => {
      silent.listen(0, '127.0.0.1', listening);
    });
    const { port } = silent.address() as { port: number };
    try {
      await soon(async () =>
        expect(await problem({ variable: 'DATABASE_URL', url: `postgres://a:b@127.0.0.1:${port}` })).toBe(
          `DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:${port}: no answer`,
        ),
      );
    } finally {
      silent.close();
    }
  });
  test('no right to create what is missing', async () => {
    expect(
      await problem({ variable: 'DATABASE_URL', url: as(role, 'right'), databases: ['postgres', missing] }, 60_000),
    ).toMatch(
      new RegExp(
        `^DATABASE_URL: on 127.0.0.1:\\d+ the role ${role} may not create databases, and these are missing: ${missing} \\(`,
      ),
    );
  });
});

test('one that lets us in and has everything will do, whatever database the URL names', async () => {
  for (const name of ['', '/postgres', '/there-is-none'])
    expect(
      await problem(
        {
          variable: 'DATABASE_URL',
          url: as(role, 'right', (url) => {
            url.pathname = name;
          }),
          databases: ['postgres'],
        },
        60_000,
      ),
    ).toBeUndefined();
});

test('a folder that cannot be made or written to is told of, with what to set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-datadir-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  try {
    expect(() => prepareDataDir('/proc/cadastre')).toThrow(
      'DATA_DIR /proc/cadastre cannot be created: there can be no folder at that place. Set DATA_DIR to a folder that this account may write to',
    );
    expect(() => prepareDataDir(file)).toThrow(`DATA_DIR ${file} cannot be created: a file stands in its way.`);
    expect(() => prepareDataDir(join(file, 'x'))).toThrow(
      `DATA_DIR ${join(file, 'x')} cannot be created: a file stands in its way.`,
    );
    expect(() => prepareDataDir('/proc/self')).toThrow('DATA_DIR /proc/self cannot be written to: ');
    prepareDataDir(join(folder, 'new', 'one'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
