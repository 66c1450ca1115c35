import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '@cadastre/service/config';
import { type Callers, type GrpcServer, grpcService, startGrpcServer } from '@cadastre/service/grpc';
import { serviceDefinition } from '@cadastre/service/grpc-proto';
import { createIdentitySigner, type Identity, identityHeader } from '@cadastre/service/identity';
import { identitySigningKey } from '@cadastre/service/key-pairs';
import { createLog } from '@cadastre/service/log';
import { MODELS, type ModelsApi } from '@cadastre/service/models/peers';
import { freePorts } from '../../tools/local/processes/free-ports.ts';
import { testKeys } from '../../tools/testing/secrets/keys.ts';
import { createTestDatabase, type TestDatabase } from '../../tools/testing/servers/postgres.ts';
import { type Body, Client } from '../support/client.ts';

// Two processes of one service on one database: what one has answered to a write, the other shows in every answer to a
// request that is sent later, whatever it has cached.

const main = fileURLToPath(new URL('../../services/dcim/main.ts', import.meta.url));
const hammeringMs = 8_000;
const databases: TestDatabase[] = [];
const processes: ChildProcess[] = [];
let writer: Client;
let reader: Client;

const services = readdirSync(new URL('../../services', import.meta.url)).filter(
  (name) => name !== 'dcim' && name !== 'gateway',
);
/**
 * This test runs without the other services: stubs answer that they hold no references.
 */
const nothingRefers = grpcService<ModelsApi>(
  MODELS,
  Object.fromEntries(
    Object.keys(serviceDefinition(MODELS)).map((method) => [method, ['dcim']]),
  ) as unknown as Callers<ModelsApi>,
  {
    Resolve: async ({ references }) => ({
      results: (JSON.parse(references) as unknown[]).map(() => ({ id: 0, error: 'not there' })),
      rows: '[]',
    }),
    Briefs: () => ({ ids: [], briefs: [] }),
    Viewable: ({ questions }) => ({ answers: questions.map(() => ({ objects: [] })) }),
    PreviewDeletion: async () => ({ deleted: [], protecting: [], changed: [], clashing: [] }),
    PrepareDeletion: async () => ({ count: 0, names: [] }),
    CountMatching: ({ types }) => ({ counts: types.map(() => 0) }),
    AwaitPublished: async () => ({}),
    ReleaseMarks: async () => ({}),
    ObjectSnapshots: async () => ({ objects: [] }),
    RelatedObjects: async () => ({ of: [], ids: [], objects: [] }),
    async *ReplicaSnapshot({ types }) {
      for (const { type } of types) yield { type, rows: '[]', count: 0, after: 0, to: 0, last: true };
    },
    UnrecordedEvents: () => ({ event_ids: [], kept_days: 0 }),
    ReplicaRows: async () => ({ rows: '[]' }),
    CommittedEvents: () => ({ events: [], irrelevant_keys: [] }),
  },
);
let neighbours: GrpcServer[] = [];

const keys = testKeys('gateway', 'dcim', ...services);
const gateway = loadConfig(keys('gateway'));
const sign = createIdentitySigner(identitySigningKey(gateway), gateway.identityTtlSeconds);
const superuser: Identity = {
  anonymous: false,
  userId: 1,
  username: 'admin',
  superuser: true,
  permissionsVersion: 1,
  tokenId: null,
  writeEnabled: true,
};

/** A client that calls a service directly, as the gateway does. */
class Direct extends Client {
  override async ask(method: string, path: string, options: Parameters<Client['ask']>[2] = {}) {
    return super.ask(method, path, {
      ...options,
      headers: { ...options.headers, [identityHeader]: await sign(superuser), 'x-cadastre-base': 'http://c.example' },
    });
  }
}

beforeAll(async () => {
  const [own, events] = [await createTestDatabase(), await createTestDatabase()];
  databases.push(own, events);
  const log = createLog('neighbours', { logLevel: 'error', logFormat: 'json' });
  neighbours = await Promise.all(
    services.map((name) =>
      startGrpcServer({
        name,
        port: 0,
        host: '127.0.0.1',
        services: [nothingRefers],
        config: loadConfig(keys(name)),
        log,
      }),
    ),
  );
  const addresses: string[] = [];
  for (let i = 0; i < 2; i++) {
    const [http = 0, grpc = 0, operations = 0] = await freePorts(3);
    const env = {
      PATH: process.env.PATH,
      ...keys('dcim'),
      DCIM_DATABASE_URL: own.url,
      EVENTS_DATABASE_URL: events.url,
      LISTEN_HOST: '127.0.0.1',
      HTTP_PORT: String(http),
      GRPC_PORT: String(grpc),
      OPERATIONS_PORT: String(operations),
      LOG_LEVEL: 'error',
      ...Object.fromEntries(
        services.map((name, at) => [`${name.toUpperCase()}_GRPC_ADDRESS`, `127.0.0.1:${neighbours[at]!.port}`]),
      ),
    };
    processes.push(spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] }));
    addresses.push(`http://127.0.0.1:${http}`);
    await untilReady(`http://127.0.0.1:${operations}`, processes[i]!);
  }
  [writer, reader] = addresses.map((address) => new Direct(address)) as [Client, Client];
});

afterAll(async () => {
  await Promise.all(
    processes.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([gone, sleep(5_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
    }),
  );
  await Promise.all(neighbours.map((one) => one.close()));
  for (const database of databases) await database.drop();
});

async function untilReady(address: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`the service ended with code ${child.exitCode}`);
    const response = await fetch(`${address}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error('the service is not ready');
}

/** How many comparisons there must be, however slow the machine, and how long they may take. */
const READS = 2_000;
const WRITES = 200;
const LONGEST_MS = 150_000;

/** The last confirmed state; a reading may show that or anything newer. */
interface Known {
  region: number;
  site: number;
  sites: number;
  total: number;
  model: number;
}

async function unnamedDevice(site: number): Promise<{ device: number; deviceType: number }> {
  const manufacturer = await writer.make('/api/dcim/manufacturers/', { name: 'maker', slug: 'maker' });
  const role = await writer.make('/api/dcim/device-roles/', { name: 'role', slug: 'role' });
  const type = await writer.make('/api/dcim/device-types/', {
    manufacturer: manufacturer.id,
    model: 'model 0',
    slug: 'model',
  });
  const device = await writer.make('/api/dcim/devices/', { device_type: type.id, role: role.id, site });
  await writer.make('/api/dcim/interfaces/', { device: device.id, name: 'e0', type: '1000base-t' });
  return { device: device.id as number, deviceType: type.id as number };
}

/** While an older transaction runs, in whichever database of the server, looks meet again what they have met before. */
async function runLong(done: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: databases[1]!.url });
  await client.connect();
  try {
    while (!done()) {
      await client.query('begin; select pg_current_xact_id()');
      await sleep(300);
      await client.query('commit');
    }
  } finally {
    await client.end();
  }
}

test('a reader in another process never sees a name, a brief or a count older than an answered write', async () => {
  const region = await writer.make('/api/dcim/regions/', { name: 'region 0', slug: 'region' });
  const site = await writer.make('/api/dcim/sites/', { name: 'site 0', slug: 'site', region: region.id });
  const other = await reader.make('/api/dcim/regions/', { name: 'other', slug: 'other', parent: region.id });
  // A device without a name is called after its type, and the name stands in whatever shows the device.
  const { device, deviceType } = await unnamedDevice(site.id);
  const answered: Known = { region: 0, site: 0, sites: 1, total: 1, model: 0 };
  let writes = 0;
  let reads = 0;
  const began = Date.now();
  const enough = () => reads > READS && writes > WRITES && Date.now() > began + hammeringMs;
  const done = () => enough() || Date.now() > began + LONGEST_MS;
  const changed = async (work: Promise<{ status: number; text: string }>) => {
    const { status, text } = await work;
    if (status >= 300) throw new Error(`${status} ${text}`);
    writes++;
  };

  // Each writer counts a number up: once n is answered, nothing below n may be shown.
  const writers = [
    async () => {
      for (let n = 1; !done(); n++) {
        await changed(writer.patch(`/api/dcim/regions/${region.id}/`, { name: `region ${n}` }));
        answered.region = n;
      }
    },
    async () => {
      for (let n = 1; !done(); n++) {
        await changed(writer.patch('/api/dcim/sites/', [{ id: site.id, name: `site ${n}` }]));
        answered.site = n;
      }
    },
    async () => {
      for (let n = 1; !done(); n++) {
        await changed(writer.patch(`/api/dcim/device-types/${deviceType}/`, { model: `model ${n}` }));
        answered.model = n;
      }
    },
    // Sites are only added, here and below, so that counts only grow.
    async () => {
      for (let n = 1; !done(); n++) {
        await changed(
          writer.post('/api/dcim/sites/', { name: `n${n}`, slug: `n${n}`, region: n % 2 ? region.id : other.id }),
        );
        answered.sites++;
        answered.total++;
      }
    },
  ];
  const numberOf = (name: string): number => Number(name.split(' ')[1]);
  const atLeast = (what: string, seen: number, known: number) => {
    if (!(seen >= known)) throw new Error(`${what}: saw ${seen} after ${known} had been answered`);
  };
  const modelOf = (display: string): number => Number(/model (\d+)/.exec(display)?.[1]);
  const readings: ((known: Known) => Promise<void>)[] = [
    async (known) => {
      const { body } = await reader.get(`/api/dcim/sites/${site.id}/`);
      atLeast('name in the detail', numberOf(body.name), known.site);
      atLeast('brief in the detail', numberOf(body.region.name), known.region);
      atLeast('count in the brief', body.region.site_count, known.sites);
    },
    async (known) => {
      atLeast(
        'type in the text of a device',
        modelOf((await reader.get(`/api/dcim/devices/${device}/`)).body.display),
        known.model,
      );
    },
    async (known) => {
      atLeast(
        'type in the brief of a device',
        modelOf((await reader.get('/api/dcim/interfaces/?limit=1')).body.results[0].device.display),
        known.model,
      );
    },
    async (known) => {
      const { body } = await reader.get('/api/dcim/sites/?limit=5&ordering=id');
      atLeast('total of the list', body.count, known.total);
      atLeast('brief in the list', numberOf(body.results[0].region.name), known.region);
      atLeast('count in the brief in the list', body.results[0].region.site_count, known.sites);
    },
    async (known) => {
      atLeast(
        'total of a filtered list',
        (await reader.get('/api/dcim/sites/?region=region&limit=1')).body.count,
        known.sites,
      );
    },
    async (known) => {
      const { body } = await reader.get(`/api/dcim/regions/?id=${region.id}`);
      atLeast('count in the list', body.results[0].site_count, known.sites);
    },
    async (known) => {
      atLeast(
        'nested parent',
        numberOf((await reader.get(`/api/dcim/regions/${other.id}/`)).body.parent.name),
        known.region,
      );
    },
    async (known) => {
      atLeast(
        'brief in a cursor page',
        numberOf(((await reader.get('/api/dcim/sites/?start=0&limit=1')).body.results as Body[])[0].region.name),
        known.region,
      );
    },
  ];
  const readers = Array.from({ length: 12 }, (_, i) => async () => {
    for (let n = i; !done(); n++) {
      await readings[n % readings.length]!({ ...answered });
      reads++;
    }
  });
  await Promise.all([...writers, ...readers, () => runLong(done)].map((work) => work()));
  expect(reads).toBeGreaterThan(READS);
  expect(writes).toBeGreaterThan(WRITES);

  // Counts that shrink: a deleted object must not be counted anywhere.
  const all = (await reader.read('/api/dcim/sites/?limit=1000&fields=id&slug__isw=n')).results as { id: number }[];
  for (let left = all.length; all.length > 0; ) {
    const some = all.splice(0, Math.ceil(left / 20));
    expect((await writer.delete('/api/dcim/sites/', some as never)).status).toBe(204);
    const { body } = await reader.get(`/api/dcim/sites/${site.id}/`);
    expect(body.region.site_count).toBe((await reader.get('/api/dcim/sites/?limit=1&region=region')).body.count);
  }
});
