import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import { loadConfig } from '@cadastre/service/config';
import { type GrpcClient, type GrpcServer, GrpcStatus, grpcClient, startGrpcServer } from '@cadastre/service/grpc';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import { type AuthApi, authGrpc } from './grpc.ts';
import { permissionsOf } from '../rights/permissions.ts';
import { transaction } from '@cadastre/rest';
import { peppers, defaults, limits, hashing, log, noted, db, pool, security, v1, sql } from '../testing/database.ts';

describe('over gRPC', () => {
  let server: GrpcServer;
  let client: GrpcClient<AuthApi>;
  let auth: ReturnType<typeof authGrpc>;
  const keys = testKeys('auth', 'gateway', 'dcim');
  const configOf = (service: string) => ({ ...loadConfig(keys(service)), grpcTimeoutMs: 30_000 });
  const config = {
    ...configOf('auth'),
    apiTokenPeppers: peppers,
    defaultPermissions: defaults,
    apiTokenV1: true,
    maintenanceMode: false,
    ...limits,
  };
  beforeAll(async () => {
    auth = authGrpc({
      db,
      verifying: db,
      hashing,
      security,
      transact: (work) => transaction(pool, work),
      config,
      log,
      owners: ['auth', 'dcim'],
      external: { begun: async () => undefined, ending: async () => null },
    });
    server = await startGrpcServer({ name: 'auth', port: 0, host: '127.0.0.1', services: [auth.service], config, log });
    client = grpcClient<AuthApi>({
      proto: 'auth.proto',
      service: 'cadastre.auth.Auth',
      address: `127.0.0.1:${server.port}`,
      to: 'auth',
      from: 'gateway',
      config: configOf('gateway'),
    });
  });
  afterAll(async () => {
    client.close();
    await server.close();
    await auth.close();
  });

  test('only the gateway asks who comes in; other services only what somebody may do', async () => {
    const dcim = grpcClient<AuthApi>({
      proto: 'auth.proto',
      service: 'cadastre.auth.Auth',
      address: `127.0.0.1:${server.port}`,
      to: 'auth',
      from: 'dcim',
      config: configOf('dcim'),
    });
    try {
      expect(await dcim.Permissions({ user_id: 2 })).toMatchObject({ version: expect.any(Number) });
      for (const refused of [
        dcim.VerifyToken({ version: 1, key: '', plaintext: v1, client_ip: '' }),
        dcim.CheckPassword({ username: 'a', password: 'b', address: '' }),
        dcim.BeginSession({
          id: randomUUID(),
          user_id: 1,
          expires: '2999-01-01T00:00:00Z',
          address: '',
          browser: '',
          method: 'password',
        }),
        dcim.CheckSession({ id: randomUUID(), user_id: 1, stamp: '', client_ip: '' }),
        dcim.EndSession({ id: randomUUID(), address: '' }),
      ])
        await expect(refused).rejects.toMatchObject({ code: GrpcStatus.PERMISSION_DENIED });
    } finally {
      dcim.close();
    }
  });

  test('the messages are those of the file', async () => {
    expect(await client.VerifyToken({ version: 1, key: '', plaintext: v1, client_ip: '127.0.0.1' })).toMatchObject({
      ok: true,
      user: { id: 1 },
      token: { id: 1, expires: '', allowed_ips: [] },
    });
    expect(await client.VerifyToken({ version: 1, key: '', plaintext: 'x', client_ip: '' })).toEqual({
      ok: false,
      error: 'Invalid v1 token',
      user: null,
      token: null,
      permissions_version: 0,
    });
    const { version, permissions } = await client.Permissions({ user_id: 2 });
    expect(version).toBe((await permissionsOf(db, 2, defaults)).version);
    expect(permissions[0]).toEqual({
      object_types: ['users.token'],
      actions: ['view'],
      constraints: '[{"user":"$user"}]',
    });
    const address = '192.0.2.1';
    const right = { username: 'alice', password: 'Correct-Horse-9', address };
    expect(await client.CheckPassword(right)).toMatchObject({
      ok: true,
      wait: 0,
      user: { id: 2, username: 'alice', superuser: false, active: true },
    });
    expect(await client.CheckPassword({ ...right, password: 'x' })).toMatchObject({ ok: false, wait: 0, user: null });
    const { stamp } = await client.CheckPassword(right);
    const session = { id: randomUUID(), user_id: 2, stamp, client_ip: '192.0.2.7' };
    expect(await client.CheckSession(session)).toMatchObject({ ok: false, user: null, session: 0 });
    const { id, user_id } = session;
    await client.BeginSession({
      id,
      user_id,
      expires: '2999-01-01T00:00:00Z',
      address,
      browser: 'Firefox',
      method: 'password',
    });
    expect(stamp).toMatch(/^[\w-]{43}$/);
    expect(await client.CheckSession(session)).toMatchObject({
      ok: true,
      user: { id: 2, username: 'alice' },
      permissions_version: expect.any(Number),
      session: expect.any(Number),
    });
    // User 3 has the same password, and is not active.
    for (const wrong of [{ stamp: 'x' }, { user_id: 3 }, { user_id: 99 }])
      expect(await client.CheckSession({ ...session, ...wrong })).toMatchObject({ ok: false, user: null });
    await client.EndSession({ id: session.id, address });
    await client.EndSession({ id: session.id, address });
    expect(await client.CheckSession(session)).toMatchObject({ ok: false, user: null });
    // Checks of tokens and sessions are not recorded.
    expect(noted.map(({ kind, ok, user, method }) => [kind, ok, user.name, method])).toEqual([
      ['login', false, 'alice', 'password'],
      ['login', true, 'alice', 'password'],
      ['logout', true, 'alice', undefined],
    ]);
    expect(JSON.stringify(noted)).not.toContain('Correct');
    // Gateways that have cached the session are told once.
    expect(await sql(`select key from change where key = 'users.session:2'`)).toHaveLength(1);
  });

  test('refusals of the gateway are noted, and nothing else that it might call so', async () => {
    const refusal = {
      user_id: 2,
      user_name: 'alice',
      address: '192.0.2.1',
      browser: '',
      method: 'token 2',
      detail: 'GET /api/dcim/sites/',
      request_id: '',
      count: 3,
    };
    await client.RecordRefusals({
      refusals: [
        { ...refusal, kind: 'permission_refused' },
        { ...refusal, kind: 'token_refused', user_id: 0, user_name: '' },
        { ...refusal, kind: 'login' },
      ],
    });
    expect(noted.map(({ kind, ok, user, count }) => [kind, ok, user, count])).toEqual([
      ['permission_refused', false, { id: 2, name: 'alice' }, 3],
      ['token_refused', false, { id: null, name: '' }, 3],
    ]);
  });

  test('a verified token is marked as used', async () => {
    await client.VerifyToken({ version: 1, key: '', plaintext: v1, client_ip: '127.0.0.1' });
    await auth.close();
    expect((await sql('select last_used from users_token where id = 1'))[0]?.last_used).toEqual(expect.any(Date));
    // Gateways that have cached the old data of the token are told.
    expect(await sql('select type, id::int from cache_invalidation')).toContainEqual({
      type: typeId('users.token'),
      id: 1,
    });
  });
});
