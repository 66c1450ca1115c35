import { createHmac, createSecretKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import { type GrpcClient, GrpcStatus, grpcClient } from '@cadastre/service/grpc';
import { serviceDefinition } from '@cadastre/service/grpc-proto';
import { identityHeader } from '@cadastre/service/identity';
import { identitySigningKey, readPublicKey, serviceSigningKey } from '@cadastre/service/key-pairs';
import { newKeyPair } from '@cadastre/service/new-keys';
import { SignJWT } from 'jose';
import { startSystem, type System } from '../../../tools/testing/fresh-system.ts';
import { adminPassword, processesOf, useSystem } from '../../support/system.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const tasks = '/extras/webhook-deliveries/';

/** The CSRF token in the login form that is shown for this cookie, and the cookie that was set with it. */
async function loginForm(cookie: string): Promise<{ csrfToken: string; cookie: string | undefined }> {
  const page = await fetch(`${used.system.base}/login/`, { headers: { cookie: `cadastre_login=${cookie}` } });
  return {
    csrfToken: /name="csrf_token" value="([^"]*)"/.exec(await page.text())![1]!,
    cookie: page.headers.getSetCookie()[0]?.split(';', 1)[0],
  };
}
const enter = (cookie: string, csrfToken: string) =>
  fetch(`${used.system.base}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ username: 'admin', password: adminPassword, csrf_token: csrfToken }),
  });

describe('proofs of forms', () => {
  test('are not made for what a client chose', async () => {
    const { csrfToken, cookie } = await loginForm('chosen');
    expect(cookie).toMatch(/^cadastre_login=[\w.-]{30,}$/);
    expect((await enter('cadastre_login=chosen', csrfToken)).status).toBe(403);
    expect((await enter(cookie!, csrfToken)).status).toBe(303);
  });

  test('of the login page are none of a session, whatever the login page is told', async () => {
    const session = await logIn(used.system.base, 'admin', adminPassword);
    const { csrfToken } = await loginForm(session.cookie.split('=')[1]!);
    await session.post('/logout/', { csrf_token: csrfToken });
    expect((await session.get(tasks)).status).toBe(200);
  });

  test('of one visit, or one session, count in no other', async () => {
    const [mine, other] = [await loginForm(''), await loginForm('')];
    expect((await enter(mine.cookie!, other.csrfToken)).status).toBe(403);
    const [session, another] = [
      await logIn(used.system.base, 'admin', adminPassword),
      await logIn(used.system.base, 'admin', adminPassword),
    ];
    await session.post('/logout/', { csrf_token: await another.csrfToken(tasks) });
    expect((await session.get(tasks)).status).toBe(200);
    expect(await session.csrfToken(tasks)).not.toBe(await session.csrfToken(tasks));
    await session.post('/logout/', { csrf_token: await session.csrfToken(tasks) });
    expect((await session.get(tasks)).status).toBe(303);
  });
});

type Environment = Record<string, string>;
/** The environment of each process, as an attacker sees it who has got into the process. */
const given = new Map<string, Environment>();
const onLinux = existsSync('/proc/self/environ') ? describe : describe.skip;

onLinux('somebody who has got into the process of one service', () => {
  let apart: System | undefined;
  afterAll(() => apart?.stop());
  beforeAll(async () => {
    apart = await startSystem({ PROCESSES: 'each' });
    for (const [name, pid] of Object.entries(processesOf(apart)))
      given.set(
        name,
        Object.fromEntries(
          readFileSync(`/proc/${pid}/environ`, 'utf8')
            .split('\0')
            .filter(Boolean)
            .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        ),
      );
  });
  const services = () => [...given.keys()].filter((name) => name !== 'gateway');

  test('finds its own key, and none by which sessions or identities are made', () => {
    const {
      SERVICE_SECRET: secret,
      IDENTITY_KEY: identity,
      SERVICE_KEYS: keys,
    } = JSON.parse(readFileSync(join(apart!.folder, 'secrets.json'), 'utf8')) as {
      SERVICE_SECRET: string;
      IDENTITY_KEY: string;
      SERVICE_KEYS: Environment;
    };
    expect(services().length).toBeGreaterThan(5);
    for (const name of services()) {
      const text = Object.values(given.get(name)!).join(' ');
      expect([secret, identity, ...Object.values(keys)].filter((key) => text.includes(key))).toEqual([keys[name]]);
    }
  });

  describe('cannot say who asks', () => {
    const now = () => Math.floor(Date.now() / 1000);
    const claims = () => ({ sub: '1', name: 'admin', su: true, pv: 1, tok: null, we: true });
    const token = (
      alg: string,
      header: object,
      key: Parameters<SignJWT['sign']>[0],
      seconds = 60,
      typ = 'cadastre-identity+jwt',
      audience = 'services',
    ) =>
      new SignJWT(claims())
        .setProtectedHeader({ alg, typ, ...header })
        .setAudience(audience)
        .setIssuedAt(now())
        .setExpirationTime(now() + seconds)
        .sign(key);
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    /** What dcim answers to an attacker who connects to it past the gateway. */
    const answered = async (identity: string) => {
      const response = await fetch(`http://127.0.0.1:${given.get('dcim')!['HTTP_PORT']}/api/dcim/sites/?limit=1`, {
        headers: { [identityHeader]: identity, 'x-cadastre-base': apart!.base },
      });
      return { status: response.status, text: await response.text() };
    };
    const gatewayKey = () => identitySigningKey(loadConfig(given.get('gateway')!));

    test('though the gateway can', async () => {
      expect((await answered(await token('EdDSA', { kid: gatewayKey().kid }, gatewayKey().key))).status).toBe(200);
    });

    test.each<[string, () => Promise<string> | string]>([
      [
        'with the secret of the installation',
        () =>
          token(
            'HS256',
            {},
            createSecretKey(Buffer.from(given.get('gateway')!['SERVICE_SECRET']!)),
            60,
            'JWT',
            'identity',
          ),
      ],
      [
        'with the public key for a secret',
        () =>
          token(
            'HS256',
            { kid: gatewayKey().kid },
            createSecretKey(Buffer.from(given.get('dcim')!['IDENTITY_PUBLIC_KEYS']!, 'base64')),
          ),
      ],
      [
        'with the public key as it is written',
        () =>
          token(
            'HS256',
            { kid: gatewayKey().kid },
            createSecretKey(
              readPublicKey(given.get('dcim')!['IDENTITY_PUBLIC_KEYS']!).export({
                type: 'spki',
                format: 'pem',
              }) as Buffer,
            ),
          ),
      ],
      [
        'without a signature',
        () =>
          `${encoded({ alg: 'none', typ: 'cadastre-identity+jwt', kid: gatewayKey().kid })}.${encoded({ ...claims(), aud: 'services', iat: now(), exp: now() + 60 })}.`,
      ],
      [
        'with its own key',
        async () => {
          const own = serviceSigningKey(loadConfig(given.get('dcim')!), 'dcim');
          return token('EdDSA', { kid: own.kid }, own.key);
        },
      ],
      [
        'with its own key under the name of the right one',
        () => token('EdDSA', { kid: gatewayKey().kid }, serviceSigningKey(loadConfig(given.get('dcim')!), 'dcim').key),
      ],
      [
        'with a key that it brings along',
        () => {
          const { private: own, public: shown } = newKeyPair();
          const mine = identitySigningKey(loadConfig({ IDENTITY_KEY: own, IDENTITY_PUBLIC_KEYS: shown }));
          return token('EdDSA', { kid: mine.kid, jwk: readPublicKey(shown).export({ format: 'jwk' }) }, mine.key);
        },
      ],
      [
        'with one of the gateway that is to last',
        () => token('EdDSA', { kid: gatewayKey().kid }, gatewayKey().key, 3600),
      ],
      [
        'with what the gateway proves itself by',
        () => {
          const own = serviceSigningKey(loadConfig(given.get('gateway')!), 'gateway');
          return token('EdDSA', { kid: own.kid }, own.key, 60, 'cadastre-call+jwt', 'dcim');
        },
      ],
    ])('%s', async (_how, forged) => {
      expect(await answered(await forged())).toEqual({ status: 403, text: expect.not.stringContaining('results') });
    });

    test('and makes no session', async () => {
      // Signed as sessions were when there was one shared secret, and with the keys that a service has.
      const header = encoded({ alg: 'HS256' });
      const body = encoded({ stamp: '', aud: 'session', jti: '1', sub: '1', exp: now() + 600 });
      for (const secret of [
        given.get('gateway')!['SERVICE_SECRET']!,
        given.get('dcim')!['SERVICE_KEY']!,
        given.get('dcim')!['IDENTITY_PUBLIC_KEYS']!,
      ]) {
        const cookie = `${header}.${body}.${createHmac('sha256', secret).update(`${header}.${body}`).digest('base64url')}`;
        const page = await fetch(`${apart!.base}${tasks}`, {
          redirect: 'manual',
          headers: { cookie: `cadastre_session=${cookie}` },
        });
        expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringContaining('/login/')]);
      }
    });
  });

  describe('may ask others only what the service needs', () => {
    const AUTH = { proto: 'auth.proto', service: 'cadastre.auth.Auth' };
    const MODELS = { proto: 'models.proto', service: 'cadastre.models.Models' };
    const OPERATIONS = { proto: 'operations.proto', service: 'cadastre.operations.Operations' };
    type Any = Record<string, (request: object) => Promise<unknown>>;
    /** The gRPC status by method when one service calls another; `more` says as whom it poses. */
    async function codes(
      from: string,
      at: string,
      name: typeof AUTH,
      more: { config?: Environment; from?: string; to?: string } = {},
    ): Promise<Record<string, number>> {
      const client = grpcClient<Any>({
        ...name,
        address: `127.0.0.1:${given.get(at)!['GRPC_PORT']}`,
        to: more.to ?? at,
        from: more.from ?? from,
        config: loadConfig({ ...given.get(from), ...more.config }),
      }) as GrpcClient<Any>;
      const call = async (method: string): Promise<number> => {
        try {
          const answer: unknown = client[method]!({});
          if (Symbol.asyncIterator in (answer as object)) for await (const _item of answer as AsyncIterable<unknown>);
          else await answer;
          return GrpcStatus.OK;
        } catch (error) {
          return (error as { code: number }).code;
        }
      };
      try {
        return Object.fromEntries(
          await Promise.all(Object.keys(serviceDefinition(name)).map(async (method) => [method, await call(method)])),
        );
      } finally {
        client.close();
      }
    }

    /** The web service has neither objects nor operations, so it has no such methods to call. */
    const refusalOf = (service: string): number =>
      service === 'web' ? GrpcStatus.UNIMPLEMENTED : GrpcStatus.PERMISSION_DENIED;

    test('who comes in, and operations, are for the gateway', async () => {
      const { Permissions, ...others } = await codes('dcim', 'auth', AUTH);
      expect(Permissions).toBe(GrpcStatus.OK);
      expect(new Set(Object.values(others))).toEqual(new Set([GrpcStatus.PERMISSION_DENIED]));
      for (const at of services())
        expect(new Set(Object.values(await codes(at === 'ipam' ? 'dcim' : 'ipam', at, OPERATIONS)))).toEqual(
          new Set([refusalOf(at)]),
        );
    });

    test('objects, change records and paths are not for whoever does not need them', async () => {
      for (const at of services())
        expect(new Set(Object.values(await codes('gateway', at, MODELS)))).toEqual(new Set([refusalOf(at)]));
      expect(await codes('ipam', 'extras', { proto: 'changes.proto', service: 'cadastre.changes.Changes' })).toEqual({
        List: GrpcStatus.PERMISSION_DENIED,
      });
      expect(await codes('ipam', 'dcim', { proto: 'paths.proto', service: 'cadastre.paths.Paths' })).toEqual({
        PathsThrough: GrpcStatus.PERMISSION_DENIED,
      });
    });

    test('and pretends to be no other, neither by a name nor by what was sent to it', async () => {
      const all = JSON.parse(given.get('dcim')!['SERVICE_PUBLIC_KEYS']!) as Environment;
      const unknown = new Set([GrpcStatus.UNAUTHENTICATED]);
      // dcim's own key, presented as the gateway's.
      expect(
        new Set(
          Object.values(
            await codes('dcim', 'auth', AUTH, {
              from: 'gateway',
              config: { SERVICE_PUBLIC_KEYS: JSON.stringify({ gateway: all['dcim'] }) },
            }),
          ),
        ),
      ).toEqual(unknown);
      // What the gateway sends to dcim, forwarded to auth.
      expect(new Set(Object.values(await codes('gateway', 'auth', AUTH, { to: 'dcim' })))).toEqual(unknown);
      const { private: own, public: shown } = newKeyPair();
      expect(
        new Set(
          Object.values(
            await codes('dcim', 'auth', AUTH, {
              from: 'gateway',
              config: { SERVICE_KEY: own, SERVICE_PUBLIC_KEYS: JSON.stringify({ gateway: shown }) },
            }),
          ),
        ),
      ).toEqual(unknown);
    });
  });
});
