import { afterAll, beforeAll } from '@jest/globals';
import { resolve } from 'node:path';
import { bodyOf } from '@cadastre/body';
import { loadCatalogue } from '@cadastre/model';
import { Api, type ApiResponse, documents, Engine, type ReplicaRow } from '@cadastre/rest';
import { countStatements, createLog, type Database, openDatabase, type StatementCounter } from '@cadastre/service';
import { migrationsOf } from '@cadastre/service/schema/index';
import { engineSettings } from '@cadastre/rest/testing/settings';
import { createTestDatabase, type TestDatabase } from '../../tools/testing/servers/postgres.ts';
import { admin, peersWith } from './process/engine.ts';

// The SQL statements that a request takes, without the poll of `cache_invalidation` that requests share.

const folder = resolve(import.meta.dirname, '..', '..', 'services');
const neighbours: Record<string, ReplicaRow> = {
  'tenancy.tenant': { id: 1, _version: 1, name: 'Acme', slug: 'acme', description: '' },
  'extras.tag': {
    id: 1,
    _version: 1,
    name: 'Core',
    slug: 'core',
    color: 'ff0000',
    description: '',
    weight: 1000,
    object_types: [],
  },
};

/** Stubs of the other services, which have one object of each type. */
const peers = peersWith(async (_service, type, references) => ({
  results: references.map(() => ({ id: 1 })),
  rows: [neighbours[type]!],
}));

export let opened: Database, statements: StatementCounter;
let database: TestDatabase;
let engine: Engine;

export const newEngine = async (): Promise<Engine> =>
  new Engine({
    catalogue: await loadCatalogue(folder),
    service: 'dcim',
    pool: opened.pool,
    settings: engineSettings,
    peers,
    media: {} as never,
  });

const jsonHeaders = { 'content-type': 'application/json' };

export async function ask(method: string, path: string, body?: unknown, of: Engine = engine): Promise<ApiResponse> {
  const [plain = '', search = ''] = path.split('?');
  const types = documents(of, of.catalogue.get('dcim.devicetype'));
  const answer = await new Api(of, { 'dcim/device-types/documents': types }).answer({
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
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 500)}`);
  return answer;
}

/** The statements of a request, without the shared poll and those that begin and end transactions. */
export async function costOf(method: string, path: string, body?: unknown, of?: Engine): Promise<string[]> {
  statements.reset();
  await ask(method, path, body, of);
  // No request waits for the notification of the relay after a commit.
  return statements.texts.filter(
    (text) =>
      !/^\s*(begin|commit|rollback)/i.test(text) &&
      !text.startsWith('select pg_snapshot_xmin') &&
      !text.startsWith('select pg_notify') &&
      !text.startsWith('notify'),
  );
}

let next = 0;

export const sites = (n: number) =>
  Array.from({ length: n }, () => ({
    name: `s${++next}`,
    slug: `s${next}`,
    region: 1 + (next % 3),
    tenant: 1,
    tags: [1],
  }));

beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase({
    url: database.url,
    migrations: migrationsOf(folder, 'dcim'),
    config: { databasePool: 4, databaseWaitMs: 10_000, statementTimeoutMs: 30_000 },
    log: createLog('test', { logLevel: 'fatal', logFormat: 'json' }),
  });
  statements = countStatements(opened.pool);
  engine = await newEngine();
  await ask(
    'POST',
    '/api/dcim/regions/',
    [1, 2, 3].map((i) => ({ name: `r${i}`, slug: `r${i}` })),
  );
  await ask('POST', '/api/dcim/sites/', sites(300));
});

afterAll(async () => {
  statements?.stop();
  await opened?.close();
  await database?.drop();
});
