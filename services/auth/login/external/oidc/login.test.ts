import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { executor } from '@cadastre/service/executor';
import type { JWTPayload } from 'jose';
import { hashingLimiter } from '../../../passwords/hashingLimiter.ts';
import { openTestEngine, type TestEngine } from '../../../testing/engine.ts';
import { startTeller, type Teller } from '../../../testing/provider.ts';
import { beginLogin, completeLogin, type Flow, type OidcDeps } from './login.ts';
import { backchannelLogout, logoutUrl } from './logout.ts';
import { providerOf } from './provider.ts';
import { loadOidcSettings } from './settings.ts';

let opened: TestEngine;
let teller: Teller;
const log = { info: jest.fn(), warn: jest.fn() };
const security = { write: jest.fn<OidcDeps['security']['write']>(async () => undefined), note: jest.fn() };

beforeAll(async () => {
  [opened, teller] = await Promise.all([openTestEngine(), startTeller()]);
}, 60_000);
afterAll(async () => {
  await opened?.close();
  await teller?.stop();
});
beforeEach(() => {
  log.warn.mockClear();
  security.note.mockClear();
});

const SECRET = 'a-secret-of-the-provider';
function depsWith(env: Record<string, string> = {}): OidcDeps {
  const config = loadOidcSettings(
    { OIDC_ISSUER: teller.issuer, OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: SECRET, OIDC_CLOCK_TOLERANCE: '5', ...env },
    { grpcTimeoutMs: 5_000 },
  )!;
  return {
    engine: opened.engine,
    db: executor(opened.engine.pool),
    defaults: {},
    log: log as unknown as OidcDeps['log'],
    security,
    config,
    provider: providerOf(config),
    places: hashingLimiter({ atOnce: 8, waiting: 0, waitingEach: 0, waitMs: 1 }),
  };
}

const now = () => Math.floor(Date.now() / 1000);
const BACK = 'https://us.example/oauth/complete/oidc/';
let people = 0;

/** A login with an ID token that has these claims, undefined for those that it lacks. */
async function logIn({
  claims = {},
  header = {},
  foreign = false,
  env = {},
  fresh = false,
  token,
}: {
  claims?: JWTPayload;
  header?: Record<string, unknown>;
  foreign?: boolean;
  env?: Record<string, string>;
  fresh?: boolean;
  token?: (good: string) => string;
} = {}) {
  const deps = depsWith(env);
  const begun = await beginLogin(deps, BACK, fresh);
  const { flow } = begun as { flow: Flow };
  const sub = `s${people++}`;
  teller.answers.set('/token', async () => {
    const all = {
      iss: teller.issuer,
      aud: 'us',
      sub,
      nonce: flow.nonce,
      iat: now(),
      exp: now() + 60,
      preferred_username: sub,
      ...claims,
    };
    const good = await teller.sign(JSON.parse(JSON.stringify(all)), header, foreign ? teller.keys.foreign : undefined);
    return { json: { access_token: 'a', token_type: 'Bearer', id_token: token ? token(good) : good } };
  });
  return completeLogin(deps, { flow, query: `?code=c&state=${flow.state}`, address: '192.0.2.1' });
}

describe('an ID token', () => {
  test('that is as it should be lets somebody in', async () => {
    expect(await logIn({ claims: { sid: 'there' } })).toMatchObject({
      account: { username: `s${people - 1}` },
      login: { issuer: teller.issuer, sid: 'there', idToken: expect.stringMatching(/^ey/) },
    });
  });

  const none = (good: string) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`;
  test.each<[string, Parameters<typeof logIn>[0]]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for somebody else', { claims: { aud: 'them' } }],
    ['for several, of whom we are not the one that asked', { claims: { aud: ['us', 'them'], azp: 'them' } }],
    ['that has expired', { claims: { iat: now() - 600, exp: now() - 10 } }],
    ['that does not expire', { claims: { exp: undefined as never } }],
    ['of another login', { claims: { nonce: 'another' } }],
    ['of no login', { claims: { nonce: undefined } }],
    ['about nobody', { claims: { sub: undefined as never } }],
    ['that another key has signed', { foreign: true }],
    ['that a key has signed which is not known', { header: { kid: 'two' } }],
    ['that is not signed', { token: none }],
    ['that is none', { token: () => 'x' }],
  ])('%s does not count', async (_, given) => {
    expect(await logIn(given)).toEqual({ problem: 'invalid' });
    expect(security.note).toHaveBeenCalledWith(
      expect.objectContaining({
        kind: 'login',
        ok: false,
        method: 'oidc',
        address: '192.0.2.1',
        user: { id: null, name: '' },
      }),
    );
  });

  test('may be of a clock that is a little wrong', async () => {
    expect(await logIn({ claims: { iat: now() - 60, exp: now() - 3 } })).toHaveProperty('account');
    expect(await logIn({ claims: { iat: now() - 60, exp: now() - 3 }, env: { OIDC_CLOCK_TOLERANCE: '0' } })).toEqual({
      problem: 'invalid',
    });
  });

  test('that does not name the user is of no use', async () => {
    expect(await logIn({ claims: { preferred_username: undefined } })).toEqual({ problem: 'incomplete' });
    const env = { OIDC_USERNAME_CLAIM: 'email' };
    const email = `${people}@example.com`;
    expect(await logIn({ env, claims: { email, email_verified: false } })).toEqual({ problem: 'incomplete' });
    expect(await logIn({ env, claims: { email, email_verified: true } })).toMatchObject({
      account: { username: email },
    });
  });

  describe('of somebody who is to prove anew who they are', () => {
    const fresh = true;
    test('counts when they have logged in since', async () => {
      const authTime = now();
      expect(await logIn({ fresh, claims: { auth_time: authTime } })).toMatchObject({ login: { authTime } });
      // The provider's clock may be a few seconds off.
      expect(await logIn({ fresh, claims: { auth_time: authTime - 3 } })).toHaveProperty('account');
    });
    test.each<[string, JWTPayload]>([
      ['they logged in before', { auth_time: now() - 60 }],
      ['nobody says when that was', {}],
    ])('does not when %s', async (_, claims) => {
      expect(await logIn({ fresh, claims })).toEqual({ problem: 'old' });
      expect(security.note).toHaveBeenCalledWith(expect.objectContaining({ kind: 'login', ok: false, detail: 'old' }));
    });
    test('does not for what is wrong with any', async () => {
      expect(await logIn({ fresh, claims: { auth_time: now(), nonce: 'another' } })).toEqual({ problem: 'invalid' });
      expect(await logIn({ fresh, claims: { auth_time: 'now' } })).toEqual({ problem: 'invalid' });
    });
    test('the provider is told to ask', async () => {
      const asked = async (anew: boolean) => {
        const { url } = (await beginLogin(depsWith(), BACK, anew)) as { url: string };
        const { searchParams } = new URL(url);
        return [searchParams.get('prompt'), searchParams.get('max_age')];
      };
      expect(await asked(true)).toEqual(['login', '0']);
      // For an ordinary login it is only asked to report when the user logged in.
      expect(await asked(false)).toEqual([null, '31536000']);
    });
  });

  test.each([
    [1_700_000_000, 1_700_000_000],
    [undefined, 0],
    [1e300, 0],
  ])('that says of the time of the login: %j', async (said, authTime) => {
    expect(await logIn({ claims: { auth_time: said } })).toMatchObject({ login: { authTime } });
  });

  test('no token goes into the log', async () => {
    await logIn({ claims: { aud: 'them' } });
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain('eyJ');
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain(SECRET);
  });
});

describe('a provider', () => {
  test('that answers with too much, too late, or with an error lets nobody in', async () => {
    const deps = depsWith({ OIDC_TIMEOUT_MS: '300', OIDC_MAX_RESPONSE_BYTES: '4096' });
    const complete = async (answer: () => Promise<{ status?: number; json: unknown }>) => {
      const { flow } = (await beginLogin(deps, BACK)) as { flow: Flow };
      teller.answers.set('/token', answer);
      return completeLogin(deps, { flow, query: `?code=c&state=${flow.state}`, address: '' });
    };
    expect(await complete(async () => ({ json: { access_token: 'x'.repeat(5000) } }))).toEqual({ problem: 'invalid' });
    expect(await complete(async () => ({ status: 400, json: { error: 'invalid_grant' } }))).toEqual({
      problem: 'invalid',
    });
    expect(await complete(() => new Promise((resolve) => setTimeout(() => resolve({ json: {} }), 1_000)))).toEqual({
      problem: 'unreachable',
    });
  });

  test('is asked about itself once, by all who come at the same time', async () => {
    const deps = depsWith();
    teller.asked.clear();
    await Promise.all(Array.from({ length: 5 }, () => beginLogin(deps, BACK)));
    expect(teller.asked.get('/.well-known/openid-configuration')).toBe(1);
  });

  test('that is not there is tried again', async () => {
    let clock = Date.now();
    const deps = depsWith();
    const provider = providerOf(deps.config, () => clock);
    const path = '/.well-known/openid-configuration';
    const there = teller.answers.get(path)!;
    teller.answers.set(path, () => ({ status: 503, json: {} }));
    expect(await beginLogin({ ...deps, provider }, BACK)).toEqual({ problem: 'unreachable' });
    teller.answers.set(path, there);
    expect(await beginLogin({ ...deps, provider }, BACK)).toEqual({ problem: 'unreachable' });
    clock += 2_000;
    expect(await beginLogin({ ...deps, provider }, BACK)).toHaveProperty('flow');
    // Cached metadata stays in use until the provider answers again.
    clock += 3_600_000;
    teller.answers.set(path, () => ({ status: 503, json: {} }));
    expect(await beginLogin({ ...deps, provider }, BACK)).toHaveProperty('flow');
    teller.answers.set(path, there);
  });

  test('that calls itself something else is none', async () => {
    const path = '/.well-known/openid-configuration';
    const there = teller.answers.get(path)!;
    teller.answers.set(path, async (...given) => {
      const { json } = await there(...given);
      return { json: { ...(json as object), issuer: 'https://evil.example' } };
    });
    expect(await beginLogin(depsWith(), BACK)).toEqual({ problem: 'unreachable' });
    teller.answers.set(path, there);
  });
});

describe('a logout token', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  let tokens = 0;
  const end = async (
    claims: Record<string, unknown> = {},
    { header = { typ: 'logout+jwt' }, foreign = false }: { header?: Record<string, unknown>; foreign?: boolean } = {},
  ) => {
    const all = {
      iss: teller.issuer,
      aud: 'us',
      iat: now(),
      exp: now() + 60,
      jti: `t${tokens++}`,
      sub: 'x',
      events: { [EVENT]: {} },
      ...claims,
    };
    const token = await teller.sign(JSON.parse(JSON.stringify(all)), header, foreign ? teller.keys.foreign : undefined);
    return { once: () => backchannelLogout(depsWith()).end(token, '192.0.2.9') };
  };

  test('ends the sessions of a subject, or one session', async () => {
    const user = Number(
      (
        await opened.sql(
          `insert into users_user (username, password, first_name, last_name, email) values ('out', '!', '', '', '') returning id`,
        )
      )[0]!['id'],
    );
    const begin = async (sid: string) => {
      const [{ id }] = (await opened.sql(
        `insert into user_session (key, user_id, until, address, browser) values (gen_random_uuid(), $1, now() + interval '1 hour', '', '') returning id`,
        [user],
      )) as [{ id: string }];
      await opened.sql('insert into oidc_session values ($1, $2, $3, $4, $5)', [
        id,
        teller.issuer,
        'sub-out',
        sid,
        'x',
      ]);
    };
    const left = async () => (await opened.sql('select sid from oidc_session order by sid')).map(({ sid }) => sid);
    await begin('one');
    await begin('two');
    expect(await (await end({ sub: 'somebody', sid: 'one' })).once()).toEqual([]);
    expect(await (await end({ sub: undefined, sid: 'one' })).once()).toEqual([user]);
    expect(await left()).toEqual(['two']);
    await begin('three');
    expect(await (await end({ sub: 'sub-out' })).once()).toEqual([user]);
    expect([await left(), await opened.sql('select 1 from user_session')]).toEqual([[], []]);
    expect(await opened.sql(`select key from change where key = 'users.session:${user}'`)).toHaveLength(2);
    expect(security.write).toHaveBeenLastCalledWith(expect.anything(), [
      expect.objectContaining({ kind: 'session_ended', user: { id: user, name: 'out' }, address: '192.0.2.9' }),
    ]);
  });

  test('counts once', async () => {
    const { once } = await end();
    expect([await once(), await once()]).toEqual([[], null]);
  });

  const wrong: [string, Record<string, unknown>, Parameters<typeof end>[1]?][] = [
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for somebody else', { aud: 'them' }],
    ['that is too old', { iat: now() - 600, exp: undefined }],
    ['of tomorrow', { iat: now() + 600 }],
    ['without a time', { iat: undefined }],
    ['without a number', { jti: undefined }],
    ['about another event', { events: { 'https://example.com/event': {} } }],
    ['about no event', { events: undefined }],
    ['with a nonce, which makes it an ID token', { nonce: 'n' }],
    ['about nobody', { sub: undefined }],
    ['that another key has signed', {}, { foreign: true }],
    ['of another type', {}, { header: { typ: 'at+jwt' } }],
  ];
  for (const [name, claims, how] of wrong)
    test(`${name} does not count`, async () => {
      expect(await (await end(claims, how)).once()).toBeNull();
      expect(security.note).toHaveBeenCalledWith(expect.objectContaining({ kind: 'session_ended', ok: false }));
    });

  test('that is too long is not looked at', async () => {
    expect(await backchannelLogout(depsWith()).end('x'.repeat(20_000), '')).toBeNull();
  });
});

test('one logs out at the provider as the one who logged in there, unless that is not wanted', async () => {
  const login = { issuer: teller.issuer, subject: 's', sid: null, idToken: 'token' };
  const url = new URL((await logoutUrl(depsWith(), login, 'https://us.example/logout/'))!);
  expect([url.origin + url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    `${teller.issuer}/end`,
    { id_token_hint: 'token', client_id: 'us', post_logout_redirect_uri: 'https://us.example/logout/' },
  ]);
  expect(await logoutUrl(depsWith({ OIDC_LOGOUT: 'false' }), login, '')).toBeNull();
  expect(await logoutUrl(depsWith(), { ...login, issuer: 'https://before.example' }, '')).toBeNull();
});
