// What the tests of the queue share: tables, events, receivers.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChangeEvent, isoOf, nowMicros, outboxQueue, outboxTables, parkedTables } from '@cadastre/events';
import pg from 'pg';
import { v7 } from 'uuid';
import { patienceMs } from '../../../tests/support/eventually.ts';
import { createTestDatabase } from '../../../tools/testing/servers/postgres.ts';
import { historyTables, versionTableNames } from '../rules/versions.ts';
import { heldTableNames, heldTables } from '../intake/hold.ts';
import { namingTables } from '../queue/naming.ts';
import { deliveryTables } from '../queue/schema.ts';
import { failingTableName, trackingTables } from '../queue/tracking.ts';

const configuration = [
  'create table cache_invalidation (xact xid8 not null default pg_current_xact_id(), type integer not null, id bigint not null, at timestamptz not null default now())',
  `create table extras_eventrule (id bigint generated always as identity primary key, name text, enabled boolean not null default true, object_types text[], event_types text[],
    conditions jsonb, action_type text default 'webhook', action_object_type text default 'extras.webhook', action_object_id bigint, action_data jsonb)`,
  `create table extras_webhook (id bigint generated always as identity primary key, name text default '', payload_url text, http_method text default 'POST', http_content_type text default 'application/json',
    additional_headers text default '', body_template text default '', secret text default '', secrets jsonb default '{}', credentials text default '', ssl_verification boolean default true, ca_file_path text)`,
];

export interface QueueDatabase {
  pool: pg.Pool;
  url: string;
  drop(): Promise<void>;
}

/** A database with the tables of the queue. */
export async function queueDatabase(): Promise<QueueDatabase> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 8 });
  pool.on('error', () => {});
  for (const statement of [
    ...configuration,
    ...deliveryTables,
    ...trackingTables,
    ...namingTables,
    ...heldTables,
    ...historyTables,
    ...heldTableNames,
    ...failingTableName,
    ...versionTableNames,
    ...parkedTables(),
    ...outboxTables(),
    ...outboxQueue(),
  ])
    await pool.query(statement);
  return {
    pool,
    url: database.url,
    drop: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** A webhook and a rule for sites that sends it; gives the rule's and the webhook's id. */
export async function addRule(
  pool: pg.Pool,
  webhook: Record<string, unknown>,
  rule: Record<string, unknown> = {},
): Promise<{ webhook: number; rule: number }> {
  const insert = async (table: string, row: Record<string, unknown>): Promise<number> => {
    const names = Object.keys(row);
    const { rows } = await pool.query<{ id: number }>(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id::int`,
      Object.values(row),
    );
    return rows[0]!.id;
  };
  const webhookId = await insert('extras_webhook', webhook);
  const ruleId = await insert('extras_eventrule', {
    name: 'rule',
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_object_id: webhookId,
    ...rule,
  });
  return { webhook: webhookId, rule: ruleId };
}

let objects = 0;

/** A change of a site of its own, with what the test says. */
export function change(event: Partial<ChangeEvent> = {}): ChangeEvent {
  objects += 1;
  const id = event.objectId ?? objects;
  const data = {
    id,
    url: `/api/dcim/sites/${id}/`,
    display: `site ${id}`,
    name: `site ${id}`,
    status: { value: 'active', label: 'Active' },
    tags: [],
  };
  return {
    id: v7(),
    time: isoOf(nowMicros()),
    request: {
      id: '4200a771-5de2-4c82-be66-0ff0f8cd7acf',
      method: 'POST',
      path: '/api/dcim/sites/',
      user: 'admin',
      userId: 1,
    },
    action: 'created',
    objectType: 'dcim.site',
    objectId: id,
    version: 1,
    display: data.name,
    message: '',
    data,
    prechange: null,
    postchange: { name: data.name },
    row: null,
    related: null,
    ...event,
  };
}

export interface Received {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}
export interface Receiver {
  url: string;
  received: Received[];
  close(): void;
  count(number: number): Promise<void>;
}

/** An HTTP receiver; `answer` says with what it answers (0: never). */
export async function receiver(
  answer: (received: Received, earlier: number) => number | Promise<number> = () => 200,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', async () => {
        const one: Received = {
          path: request.url ?? '',
          method: request.method ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
          at: performance.now(),
        };
        received.push(one);
        const status = await answer(one, received.length - 1);
        if (status > 0) response.writeHead(status).end('ok');
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
    count: (number) => until(() => received.length >= number),
  };
}

/** Waits until something is so. */
export async function until(check: () => boolean | Promise<boolean>, within = patienceMs): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('what the test waits for did not happen');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
