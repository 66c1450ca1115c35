import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Calls, callsOf } from '@cadastre/service/calls';
import { loadConfig } from '@cadastre/service/config';
import { asHttpError } from '@cadastre/service/errors';
import {
  type Callers,
  GrpcError,
  type GrpcServer,
  GrpcStatus,
  grpcService,
  startGrpcServer,
} from '@cadastre/service/grpc';
import { createLog } from '@cadastre/service/log';
import { OPERATIONS, type OperationsApi, type WireParked, type WireReplica } from '@cadastre/service/operations';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import type { Admit } from '../admit/admission.ts';
import { allOperations } from './all.ts';
import { operationsClients, type OperationsClients } from './clients.ts';
import { type Operations, operationsBy, operationsDocument } from './operation.ts';

const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
const keys = testKeys('gateway', 'dcim', 'gone', 'ipam');
const env = { ...keys('gateway'), PAGINATE_COUNT: '3', GONE_GRPC_ADDRESS: '127.0.0.1:1' };
const event = (id: number): WireParked => ({
  id,
  group: 'g',
  topic: 't',
  partition: 0,
  position: '9007199254740993',
  key: 'dcim.site:1',
  error: 'Error: no',
  parked: '2026-01-02T03:04:05.000Z',
  replays: 0,
  last_replay: '',
  size: 2,
});

const replica = (type: string): WireReplica => ({
  type,
  owner: type.split('.')[0]!,
  rows: 3,
  lag: type === 'ipam.vlan' ? 0.5 : -1,
  state: type === 'ipam.vlan' ? 'current' : 'failing',
  reason: 'new',
  error: type === 'ipam.vlan' ? '' : 'away',
  filled: type === 'ipam.vlan' ? '2026-01-02T03:04:05.000000Z' : '',
  written: 3,
  removed: 0,
  stuck: 0,
  seconds: 0.1,
  in_part: type === 'ipam.vlan',
});
const rebuilt: string[] = [];

type OperationsHandlers = Parameters<typeof grpcService<OperationsApi>>[2];

/** A service with some parked events; number 2 still cannot be handled. */
const service = (kept: Map<number, WireParked>) =>
  grpcService<OperationsApi>(
    OPERATIONS,
    Object.fromEntries(
      [
        'ParkedEvents',
        'ParkedEvent',
        'ReplayParked',
        'DiscardParked',
        'Replicas',
        'VerifyReplica',
        'RebuildReplica',
      ].map((name) => [name, ['gateway']]),
    ) as unknown as Callers<OperationsApi>,
    {
      ParkedEvents: ({ offset, limit }: { offset: number; limit: number }) => ({
        count: kept.size,
        events: [...kept.values()].slice(offset, offset + limit),
      }),
      ParkedEvent: ({ id }: { id: number }) => {
        const found = kept.get(id);
        if (!found) throw new GrpcError(GrpcStatus.NOT_FOUND, '');
        return { event: found, value: '{}', trace: 'Error: no\n at x' };
      },
      ReplayParked: ({ id }: { id: number }) => {
        if (!kept.has(id)) throw new GrpcError(GrpcStatus.NOT_FOUND, '');
        if (id === 3) throw new GrpcError(GrpcStatus.ABORTED, 'It is being replayed already.');
        if (id !== 2) kept.delete(id);
        return { error: id === 2 ? 'Error: still no' : '' };
      },
      DiscardParked: ({ id }: { id: number }) => {
        if (!kept.delete(id)) throw new GrpcError(GrpcStatus.NOT_FOUND, '');
        return {};
      },
      Replicas: () => ({ replicas: [replica(kept === parked.dcim ? 'ipam.vlan' : 'dcim.site')] }),
      VerifyReplica: ({ type }: { type: string }) => {
        if (type === 'late.type') throw new GrpcError(GrpcStatus.FAILED_PRECONDITION, 'Too late.');
        if (type !== 'ipam.vlan') throw new GrpcError(GrpcStatus.NOT_FOUND, '');
        return {
          type,
          rows: 3,
          kept: 2,
          missing: 1,
          extra: 0,
          different: 0,
          partial: false,
          examples: [{ id: 7, problem: 'missing', kept_in: 'table', version: 2, kept_version: 0, columns: [] }],
        };
      },
      RebuildReplica: ({ type }: { type: string }) => {
        rebuilt.push(type);
        return {};
      },
    } as Partial<OperationsHandlers> as OperationsHandlers,
  );

const parked = { dcim: new Map<number, WireParked>(), ipam: new Map<number, WireParked>() };
let servers: GrpcServer[];
let calls: Calls;
let clients: OperationsClients;
let operations: Operations;
let http: Server;
let base: string;
let superuser = true;
const admit: Admit = async () => ({
  identity: {
    anonymous: false,
    userId: 1,
    username: 'a',
    superuser,
    permissionsVersion: 1,
    tokenId: 1,
    writeEnabled: true,
  },
  signed: '',
  clientIp: '',
  base,
});

beforeAll(async () => {
  servers = await Promise.all(
    Object.entries(parked).map(([name, kept]) =>
      startGrpcServer({
        name,
        port: 0,
        host: '127.0.0.1',
        services: [service(kept)],
        config: loadConfig(keys(name)),
        log,
      }),
    ),
  );
  const addresses = Object.fromEntries(
    Object.keys(parked).map((name, i) => [`${name.toUpperCase()}_GRPC_ADDRESS`, `127.0.0.1:${servers[i]!.port}`]),
  );
  calls = callsOf('gateway', loadConfig({ ...env, ...addresses }));
  clients = operationsClients(['dcim', 'gone', 'ipam'], calls);
  operations = operationsBy({
    operations: allOperations(clients),
    admit,
    pages: { paginateCount: 3, maxPageSize: 100 },
  });
  http = createServer((req, res) => {
    const path = req.url!.split('?', 1)[0]!;
    if (!operations.covers(path)) return void res.writeHead(404).end();
    operations.answer(path, req, res).catch((error: unknown) => {
      const known = asHttpError(error);
      res.writeHead(known?.status ?? 500).end(JSON.stringify(known?.body ?? String(error)));
    });
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http?.closeAllConnections();
  http?.close();
  calls?.close();
  await Promise.all((servers ?? []).map((server) => server.close()));
});
beforeEach(() => {
  superuser = true;
  for (const [kept, ids] of [
    [parked.dcim, [1, 2, 3, 4]],
    [parked.ipam, [1, 5]],
  ] as const) {
    kept.clear();
    for (const id of ids) kept.set(id, event(id));
  }
});

const ask = async (path: string, method = 'GET', subject = 'parked-events') => {
  const response = await fetch(`${base}/api/core/${subject}/${path}`, { method });
  const text = await response.text();
  return { status: response.status, allow: response.headers.get('allow'), body: text ? JSON.parse(text) : undefined };
};
const named = (body: { results: { service: string; id: number }[] }) =>
  body.results.map(({ service: of, id }) => `${of} ${id}`);

describe('parked events', () => {
  test('of all services are one list, in pages; who does not answer is named', async () => {
    const first = await ask('');
    expect([first.status, first.body.count, named(first.body), first.body.unavailable]).toEqual([
      200,
      6,
      ['dcim 1', 'dcim 2', 'dcim 3'],
      ['gone'],
    ]);
    expect(first.body.results[0]).toEqual({
      url: `${base}/api/core/parked-events/dcim/1/`,
      service: 'dcim',
      ...event(1),
      last_replay: null,
    });
    expect([first.body.next, first.body.previous]).toEqual([`${base}/api/core/parked-events/?limit=3&offset=3`, null]);
    const second = (await (await fetch(first.body.next)).json()) as Parameters<typeof named>[0] & {
      next: string | null;
    };
    expect([named(second), second.next]).toEqual([['dcim 4', 'ipam 1', 'ipam 5'], null]);
  });
  test('are filtered by service; other filters and services are refused', async () => {
    expect(named((await ask('?service=ipam')).body)).toEqual(['ipam 1', 'ipam 5']);
    expect(await ask('?service=nowhere')).toMatchObject({
      status: 400,
      body: { service: ['Select a valid choice. nowhere is not one of the available choices.'] },
    });
    expect(await ask('?group=x')).toMatchObject({ status: 400, body: { group: ['Unknown filter field'] } });
    expect((await ask('?start=1&offset=2')).status).toBe(400);
  });
  test('are shown, replayed and discarded', async () => {
    expect((await ask('dcim/1/')).body).toMatchObject({ id: 1, value: '{}', trace: 'Error: no\n at x' });
    expect(await ask('dcim/1/replay/', 'POST')).toMatchObject({ status: 200, body: { replayed: true } });
    expect(await ask('dcim/2/replay/', 'POST')).toMatchObject({
      status: 409,
      body: { detail: 'It could not be handled again: Error: still no' },
    });
    expect(await ask('dcim/3/replay/', 'POST')).toMatchObject({
      status: 409,
      body: { detail: 'It is being replayed already.' },
    });
    expect((await ask('dcim/4/', 'DELETE')).status).toBe(204);
    expect([...parked.dcim.keys()]).toEqual([2, 3]);
    for (const [path, method] of [
      ['dcim/1/', 'GET'],
      ['dcim/1/replay/', 'POST'],
      ['dcim/4/', 'DELETE'],
      ['dcim/x/', 'GET'],
      ['nowhere/1/', 'GET'],
    ] as const)
      expect((await ask(path, method)).status).toBe(404);
    expect((await ask('gone/1/')).status).toBe(503);
  });
  test('are for superusers, by the methods that there are', async () => {
    expect(await ask('dcim/1/', 'PATCH')).toMatchObject({ status: 405, allow: 'DELETE, GET, HEAD, OPTIONS' });
    superuser = false;
    for (const [path, method] of [
      ['', 'GET'],
      ['dcim/1/', 'DELETE'],
      ['dcim/1/replay/', 'POST'],
    ] as const)
      expect((await ask(path, method)).status).toBe(403);
    expect(parked.dcim.size).toBe(4);
  });
});

describe('replicas', () => {
  const of = (path: string, method = 'GET') => ask(path, method, 'replicas');
  test('of all services are listed, and filtered', async () => {
    const { status, body } = await of('');
    expect([status, body.count, body.unavailable]).toEqual([200, 2, ['gone']]);
    expect(body.results).toEqual([
      {
        url: `${base}/api/core/replicas/dcim/ipam.vlan/`,
        service: 'dcim',
        type: 'ipam.vlan',
        owner: 'ipam',
        rows: 3,
        in_part: true,
        lag: 0.5,
        state: 'current',
        reason: 'new',
        error: null,
        filled: '2026-01-02T03:04:05.000000Z',
        last_fill: { written: 3, removed: 0, stuck: 0, seconds: 0.1 },
      },
      {
        url: `${base}/api/core/replicas/ipam/dcim.site/`,
        service: 'ipam',
        type: 'dcim.site',
        owner: 'dcim',
        rows: 3,
        in_part: false,
        lag: null,
        state: 'failing',
        reason: 'new',
        error: 'away',
        filled: null,
        last_fill: null,
      },
    ]);
    for (const filter of ['service=ipam', 'owner=dcim', 'type=dcim.site', 'state=failing', 'limit=1&offset=1'])
      expect((await of(`?${filter}`)).body.results.map((r: { type: string }) => r.type)).toEqual(['dcim.site']);
    for (const filter of ['service=nowhere', 'state=lost', 'owner=x', 'rows=3'])
      expect((await of(`?${filter}`)).status).toBe(400);
  });
  test('are compared with their owners', async () => {
    expect(await of('dcim/ipam.vlan/verify/', 'POST')).toMatchObject({
      status: 200,
      body: {
        service: 'dcim',
        type: 'ipam.vlan',
        matches: false,
        rows: 3,
        kept: 2,
        missing: 1,
        partial: false,
        examples: [{ id: 7, problem: 'missing', version: 2, kept_version: null }],
      },
    });
    expect(await of('dcim/late.type/verify/', 'POST')).toMatchObject({ status: 409, body: { detail: 'Too late.' } });
    for (const path of ['dcim/ipam.ghost/verify/', 'dcim/Nonsense/verify/', 'nowhere/ipam.vlan/verify/'])
      expect((await of(path, 'POST')).status).toBe(404);
    expect((await of('gone/ipam.vlan/verify/', 'POST')).status).toBe(503);
  });
  test('are filled again', async () => {
    expect(await of('dcim/ipam.vlan/rebuild/', 'POST')).toMatchObject({
      status: 202,
      body: { service: 'dcim', type: 'ipam.vlan', state: 'filling' },
    });
    expect(rebuilt).toEqual(['ipam.vlan']);
    expect((await of('dcim/ipam.vlan/rebuild/')).status).toBe(405);
    superuser = false;
    for (const [path, method] of [
      ['', 'GET'],
      ['dcim/ipam.vlan/verify/', 'POST'],
      ['dcim/ipam.vlan/rebuild/', 'POST'],
    ] as const)
      expect((await of(path, method)).status).toBe(403);
    expect(rebuilt).toEqual(['ipam.vlan']);
  });
});

test('every operation is in the API document, under an id of its own', () => {
  const { paths } = operationsDocument(allOperations(clients)) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/api/core/parked-events/',
      '/api/core/parked-events/{service}/{id}/',
      '/api/core/parked-events/{service}/{id}/replay/',
      '/api/core/replicas/',
      '/api/core/replicas/{service}/{type}/verify/',
    ]),
  );
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
  expect(new Set(ids).size).toBe(ids.length);
});
